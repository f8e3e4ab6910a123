"""What organizers do with qrels, known grades and records, and to score runs."""

from django.core.files.base import ContentFile
from django.utils import timezone

from agreement.web.controls import CONTROLS
from assess.core.known_grades import KnownLine
from assess.models.controls import KnownGrade
from assess.services import judgment_files, known_grades
from campaigns.models.campaign import Campaign
from evaluation import services as scoring
from evaluation.models.scores import Evaluation
from jobs.models import Job
from overview.services.reports import request_report
from qrels.models import QrelsImport
from qrels.services import importing, kept_judgments, publishing
from qrels.tasks import read_uploaded_qrels
from questions import services as questions
from tests import make
from tests.db.actions.doing import STRANGERS, Action, Given, judged, person, plainly, published

NOT_RELEASED = {
    **STRANGERS,
    "ada": (
        "The qrels are shown to assessors once judging has closed: before, they could sway a "
        "judgment."
    ),
    "pat": "The organizers have not released the qrels yet.",
}
KNOWN = [KnownLine(1, "1", "d5", 2)]


def to_publish(campaign: Campaign) -> Given:
    judged(campaign)
    return {"campaign": campaign}


def a_version(campaign: Campaign, **values: object) -> Given:
    return {"qrels": published(campaign), **values}


def a_withdrawn_version(campaign: Campaign) -> Given:
    qrels = published(campaign)
    publishing.withdraw_qrels(user=person("olga"), qrels=qrels, reason="Wrong.")
    return {"qrels": qrels}


def to_upload(campaign: Campaign) -> Given:
    file = ContentFile(b"1 0 d1 2\n", name="official.txt")
    return {"campaign": campaign, "file": file, "source": "NIST"}


def uploaded_qrels(campaign: Campaign) -> QrelsImport:
    """Qrels of somebody else, uploaded and read."""
    upload = importing.upload_qrels(user=person("olga"), **to_upload(campaign))
    read_uploaded_qrels(Job.objects.get(kind="read_uploaded_qrels").pk)
    return upload


def known(campaign: Campaign) -> Given:
    known_grades.import_known(user=person("olga"), campaign=campaign, lines=KNOWN)
    return {"campaign": campaign}


def to_confirm(campaign: Campaign) -> Given:
    known(campaign)
    make.imported(campaign, "documents", b"d5\t\tIt names another one.")
    grade = KnownGrade.objects.get()
    return {"campaign": campaign, "known": grade.pk, "seen": "2", "grade": 0}


def to_release(campaign: Campaign) -> Given:
    qrels = published(campaign)
    return {"campaign": campaign, "what": "qrels", "audience": "everybody", "subject_id": qrels.pk}


def released(campaign: Campaign) -> Given:
    judged(campaign)
    what = {"campaign": campaign, "what": "pool", "audience": "participants"}
    scoring.release(user=person("olga"), subject_id=1, **what)
    return what


def to_replace(campaign: Campaign) -> Given:
    qrels, olga = published(campaign), person("olga")
    before, after = (
        scoring.request_evaluation(user=olga, **make.scope(qrels), measures=[measure])
        for measure in ("AP", "P@5")
    )
    Evaluation.objects.update(finished_at=timezone.now())
    scoring.release(
        user=olga, campaign=campaign, what="scores", audience="participants", subject_id=before.pk
    )
    return {"evaluation": before, "by": after}


def to_study(campaign: Campaign) -> Given:
    """Scores of two runs on as many topics as a study needs."""
    qrels = published(campaign)
    make.run(campaign, person("pat"), {"1": "d2 d1"}, "other")
    evaluation = scoring.request_evaluation(user=person("olga"), **make.scope(qrels))
    evaluation.topics = [str(n) for n in range(6)]
    evaluation.save()
    return {"evaluation": evaluation}


DOWNLOADS = [
    (judgment_files.JUDGMENTS, "all judgments"),
    (judgment_files.EVENTS, "all judgment events"),
    (judgment_files.OFFICIAL, "all official grades"),
    (judgment_files.RATINGS, "all answers to criteria"),
    (judgment_files.PASSAGES, "all passages marked as evidence"),
    (questions.NOTES, "all notes on topics"),
    (questions.QUESTIONS, "all questions and answers"),
    (CONTROLS, "the answers to controls"),
]
QRELS = [
    *(
        Action(
            judgment_files.download,
            f"judgments.downloaded {what}",
            plainly(file=file),
            of=file.name,
        )
        for file, what in DOWNLOADS
    ),
    Action(known_grades.download_known, "judgments.downloaded the known grades"),
    Action(
        kept_judgments.download_kept_judgments,
        "judgments.downloaded the judgments of qrels v1",
        a_version,
    ),
    Action(publishing.download_qrels, "qrels.downloaded qrels v1", a_version, refused=NOT_RELEASED),
    Action(publishing.publish_qrels, "qrels.published qrels v1", to_publish),
    Action(
        publishing.request_publishing,
        "qrels.published qrels v1",
        lambda campaign: {**to_publish(campaign), "level": 1, "seen": None, "accepts": None},
    ),
    Action(
        publishing.withdraw_qrels,
        "qrels.withdrawn qrels v1",
        lambda campaign: a_version(campaign, reason="Wrong."),
    ),
    Action(publishing.reinstate_qrels, "qrels.reinstated qrels v1", a_withdrawn_version),
    Action(importing.upload_qrels, "qrels.uploaded official.txt", to_upload),
    Action(
        importing.import_qrels,
        "qrels.imported qrels v1",
        lambda campaign: {"upload": uploaded_qrels(campaign), "level": 1},
    ),
    Action(
        importing.discard_qrels,
        "qrels.discarded official.txt",
        lambda campaign: {"upload": uploaded_qrels(campaign)},
    ),
    Action(known_grades.import_known, "known.imported 1 known grade", plainly(lines=KNOWN)),
    Action(known_grades.confirm_known, "known.confirmed 1, d5: 0 instead of 2", to_confirm),
    Action(known_grades.remove_known, "known.removed 1 known grade", known),
    Action(scoring.release, "release.made Qrels v1 to everybody", to_release),
    Action(
        scoring.replace_scores,
        "release.made Scores against qrels v1 to the teams, in place of Scores against qrels v1",
        to_replace,
    ),
    Action(
        scoring.take_back_release, "release.taken_back Version 1 of the pool to the teams", released
    ),
    Action(
        scoring.request_evaluation,
        "scores.requested qrels v1",
        lambda campaign: make.scope(published(campaign)),
    ),
    Action(scoring.request_study, "scores.studied qrels v1", to_study),
    Action(scoring.request_reusability, "scores.left_out qrels v1", to_study),
    Action(scoring.request_disagreement, "scores.varied qrels v1", to_study),
    Action(scoring.request_review, "pool.reviewed pool v1, 3 documents", to_publish),
    Action(request_report, "scores.reported qrels v1", to_study),
]
