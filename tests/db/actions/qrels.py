"""What organizers do with qrels, known grades and records, and to score runs."""

from django.core.files.base import ContentFile
from django.utils import timezone

from agreement import services
from assess.core.known_grades import KnownLine
from assess.models.controls import KnownGrade
from assess.services import judgment_files, known_grades
from assess.services import known_grades as knowing_services
from campaigns.models.campaign import Campaign
from evaluation import services as scoring
from evaluation.models.scores import Evaluation
from jobs.models import Job
from qrels.models import Qrels, QrelsImport
from qrels.services import importing, kept_judgments, publishing
from qrels.tasks import read_uploaded_qrels
from questions.services import notes, questions
from tests import make
from tests.db.actions.doing import (
    STRANGERS,
    Action,
    Do,
    judged,
    partial_user,
    person,
    plainly,
    published,
)

NOT_RELEASED = {
    **STRANGERS,
    "ada": (
        "The qrels are shown to assessors once judging has closed: before, they could sway a "
        "judgment."
    ),
    "pat": "The organizers have not released the qrels yet.",
}
KNOWN = [KnownLine(1, "1", "d5", 2)]


def publish_qrels(campaign: Campaign) -> Do:
    judged(campaign)
    return partial_user(publishing.publish_qrels, campaign=campaign)


def qrels_file() -> ContentFile:
    return ContentFile(b"1 0 d1 2\n", name="official.txt")


def uploaded_qrels(campaign: Campaign) -> QrelsImport:
    """Qrels of somebody else, uploaded and read."""
    upload = importing.upload_qrels(
        user=person("olga"), campaign=campaign, file=qrels_file(), source="NIST"
    )
    read_uploaded_qrels(Job.objects.get(kind="read_uploaded_qrels").pk)
    return upload


def known(campaign: Campaign) -> Do:
    knowing_services.import_known(user=person("olga"), campaign=campaign, lines=KNOWN)
    return lambda user: knowing_services.remove_known(user=user, campaign=campaign)


def confirm_known(campaign: Campaign) -> Do:
    knowing_services.import_known(user=person("olga"), campaign=campaign, lines=KNOWN)
    make.imported(campaign, "documents", b"d5\t\tIt names another one.")
    known = KnownGrade.objects.get()
    return partial_user(
        known_grades.confirm_known, campaign=campaign, known=known.pk, seen="2", grade=0
    )


def upload_qrels(campaign: Campaign) -> Do:
    return lambda user: importing.upload_qrels(
        user=user, campaign=campaign, file=qrels_file(), source="NIST"
    )


def taken_back(campaign: Campaign) -> Do:
    what = {"campaign": campaign, "what": "pool", "audience": "participants"}
    scoring.release(user=person("olga"), **what)
    return partial_user(scoring.take_back_release, **what)


def replaced(campaign: Campaign) -> Do:
    qrels, olga = published(campaign), person("olga")
    before, after = (
        scoring.request_evaluation(user=olga, qrels=qrels, measures=[measure])
        for measure in ("AP", "P@5")
    )
    Evaluation.objects.update(finished_at=timezone.now())
    scoring.release(
        user=olga, campaign=campaign, what="scores", audience="participants", subject_id=before.pk
    )
    return partial_user(scoring.replace_scores, evaluation=before, by=after)


def withdrawn_qrels(campaign: Campaign) -> Qrels:
    qrels = published(campaign)
    publishing.withdraw_qrels(user=person("olga"), qrels=qrels, reason="Wrong.")
    return qrels


QRELS = {
    "publish_qrels": Action(publish_qrels, ("qrels.published", "qrels v1")),
    "withdraw_qrels": Action(
        lambda campaign: partial_user(
            publishing.withdraw_qrels, qrels=published(campaign), reason="Wrong."
        ),
        ("qrels.withdrawn", "qrels v1"),
    ),
    "reinstate_qrels": Action(
        lambda campaign: partial_user(publishing.reinstate_qrels, qrels=withdrawn_qrels(campaign)),
        ("qrels.reinstated", "qrels v1"),
    ),
    "upload_qrels": Action(upload_qrels, ("qrels.uploaded", "official.txt")),
    "import_qrels": Action(
        lambda campaign: partial_user(
            importing.import_qrels, upload=uploaded_qrels(campaign), level=1
        ),
        ("qrels.imported", "qrels v1"),
    ),
    "discard_qrels": Action(
        lambda campaign: partial_user(importing.discard_qrels, upload=uploaded_qrels(campaign)),
        ("qrels.discarded", "official.txt"),
    ),
    "download_qrels": Action(
        lambda campaign: partial_user(publishing.download_qrels, qrels=published(campaign)),
        ("qrels.downloaded", "qrels v1"),
        refused=NOT_RELEASED,
    ),
    "download_kept_judgments": Action(
        lambda campaign: partial_user(
            kept_judgments.download_kept_judgments, qrels=published(campaign)
        ),
        ("judgments.downloaded", "the judgments of qrels v1"),
    ),
    "download_judgments": Action(
        plainly(judgment_files.download_judgments), ("judgments.downloaded", "all judgments")
    ),
    "download_notes": Action(
        plainly(notes.download_notes), ("judgments.downloaded", "all notes on topics")
    ),
    "download_questions": Action(
        plainly(questions.download_questions), ("judgments.downloaded", "all questions and answers")
    ),
    "import_known": Action(
        plainly(knowing_services.import_known, lines=KNOWN), ("known.imported", "1 known grade")
    ),
    "confirm_known": Action(confirm_known, ("known.confirmed", "1, d5: 0 instead of 2")),
    "remove_known": Action(known, ("known.removed", "1 known grade")),
    "download_known": Action(
        plainly(knowing_services.download_known), ("judgments.downloaded", "the known grades")
    ),
    "download_controls": Action(
        plainly(services.download_controls), ("judgments.downloaded", "the answers to controls")
    ),
    "download_judgment_events": Action(
        plainly(judgment_files.download_judgment_events),
        ("judgments.downloaded", "all judgment events"),
    ),
    "download_ratings": Action(
        plainly(judgment_files.download_ratings),
        ("judgments.downloaded", "all answers to criteria"),
    ),
    "download_passages": Action(
        plainly(judgment_files.download_passages),
        ("judgments.downloaded", "all passages marked as evidence"),
    ),
    "release": Action(
        lambda campaign: partial_user(
            scoring.release,
            campaign=published(campaign).campaign,
            what="qrels",
            audience="everybody",
            subject_id=Qrels.objects.get().pk,
        ),
        ("release.made", "qrels to everybody"),
    ),
    "replace_scores": Action(replaced, ("release.made", "scores to the teams")),
    "take_back_release": Action(taken_back, ("release.taken_back", "pool to the teams")),
    "request_evaluation": Action(
        lambda campaign: partial_user(scoring.request_evaluation, qrels=published(campaign)),
        ("scores.requested", "qrels v1"),
    ),
}
