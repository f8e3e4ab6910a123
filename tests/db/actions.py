"""Everything people do: how it is done, by whom, what the audit trail says of it, and whom it is refused."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.core.files.base import ContentFile
from django.db import connection

from accounts import services as accounts
from accounts.models import User
from assess import services as assessing
from assess.core.answers import Act, Answer, Provenance
from assess.core.known import KnownLine
from assess.core.notes import Note
from assess.core.own_words import WordChange
from assess.core.practice import Known
from assess.models import Assignment, Qrels, QrelsImport, Question, SharedQueue
from assess.tasks import read_uploaded_qrels
from campaigns import jobs, services
from campaigns.models import Campaign, Job, Membership, PasswordReset, Role, Run, Team
from evaluation import services as scoring
from pooling import services as pooling
from pooling.tasks import build_pool
from tests import make

NOTHING = "There is nothing here."
STRANGERS = {"sam": NOTHING, "otto": NOTHING}
ONLY_ORGANIZERS = "Only organizers of Test campaign may do this."
ORGANIZERS = {**STRANGERS, "ada": ONLY_ORGANIZERS, "pat": ONLY_ORGANIZERS}
NO_RUNS = "Runs are shown to organizers and to the teams that submitted them."
TEAM = {**STRANGERS, "ada": NO_RUNS, "quinn": NOTHING}
ONLY_PARTICIPANTS = "Only participants of Test campaign may submit runs."
ONLY_ASSESSORS = "Questions are asked by the assessors of Test campaign."
SOMEBODY_ELSE = "Topic 1 was given to somebody else to judge."
OTHER_ASSESSORS = {**STRANGERS, "ben": NOTHING, "pat": NOTHING, "olga": SOMEBODY_ELSE}

KNOWN = [KnownLine(1, "1", "d5", 2)]

Do = Callable[[User], Any]


@dataclass(frozen=True)
class Action:
    """`ready` brings a campaign to where the action can be done, and returns how; `event` is (kind, subject)."""

    ready: Callable[[Campaign], Do]
    event: tuple[str, str] | None
    by: str = "olga"
    refused: dict[str, str] = field(default_factory=lambda: ORGANIZERS)


def person(name: str) -> User:
    return User.objects.get(username=name)


def run(campaign: Campaign) -> Run:
    return make.run(campaign, person("pat"), {"1": "d1 d2", "2": "d3"})


def assigned(campaign: Campaign) -> Assignment:
    make.frozen_pool(campaign, [run(campaign)])
    return make.assignment(campaign.topic_set.get(number="1"), person("ada"))


def judged(campaign: Campaign) -> Assignment:
    assignment = assigned(campaign)
    make.judgment(assignment, "d1", 2)
    return assignment


def published(campaign: Campaign) -> Qrels:
    judged(campaign)
    return assessing.publish_qrels(user=person("olga"), campaign=campaign)


def plainly(service: Callable[..., Any], **values: Any) -> Callable[[Campaign], Do]:
    """An action that needs nothing but a campaign."""
    return lambda campaign: lambda user: service(user=user, campaign=campaign, **values)


def restore_campaign(campaign: Campaign) -> Do:
    services.archive_campaign(user=person("olga"), campaign=campaign)
    return partial_user(services.restore_campaign, campaign=campaign)


def request_import(campaign: Campaign) -> Do:
    file = ContentFile(b"", name="documents.jsonl")
    return partial_user(services.request_import, campaign=campaign, kind="documents", file=file)  # fmt: skip


def confirm_import(kind: str) -> Callable[[Campaign], Do]:
    def ready(campaign: Campaign) -> Do:
        row = make.uploaded(campaign, kind, b"9\tnine")
        return lambda user: services.confirm_import(user=user, row=row)

    return ready


def discard_import(campaign: Campaign) -> Do:
    row = make.uploaded(campaign, "topics", b"9\tnine")
    return lambda user: services.discard_import(user=user, row=row)


def undo_import(campaign: Campaign) -> Do:
    row = make.imported(campaign, "topics", b"9\tnine")
    return lambda user: services.undo_import(user=user, row=row)


def delete_topic(campaign: Campaign) -> Do:
    return partial_user(services.delete_topic, topic=campaign.topic_set.get(number="1"))


def delete_document(campaign: Campaign) -> Do:
    document = campaign.document_set.get(docno="d1")
    return partial_user(services.delete_document, document=document)


def submit_run(campaign: Campaign) -> Do:
    return lambda user: make.submitted(campaign, user, "x", "one")


def reinstate_run(campaign: Campaign) -> Do:
    withdrawn = run(campaign)
    services.withdraw_run(user=person("pat"), run=withdrawn)
    withdrawn.refresh_from_db()
    return partial_user(services.reinstate_run, run=withdrawn)


def recheck_runs(campaign: Campaign) -> Do:
    run(campaign)
    return partial_user(services.recheck_runs, campaign=campaign)


def submit_archive(campaign: Campaign) -> Do:
    file = ContentFile(b"x", name="runs.zip")
    return partial_user(services.submit_archive, campaign=campaign, file=file)


def extend_deadline(campaign: Campaign) -> Do:
    campaign.submission_closes_at = datetime(2099, 1, 1, tzinfo=UTC)
    campaign.save()
    later = datetime(2100, 5, 1, tzinfo=UTC)
    team = campaign.team_set.get(name="Aldgate")
    return partial_user(services.extend_deadline, team=team, closes_at=later)


def invitation(campaign: Campaign):
    return services.invite(user=person("olga"), campaign=campaign, role=Role.ASSESSOR)


def team(campaign: Campaign) -> Team:
    return campaign.team_set.get(name="Aldgate")


def empty_team(campaign: Campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Zoe")


def reset(campaign: Campaign) -> PasswordReset:
    services.make_reset(user=person("olga"), campaign=campaign, person=person("ada"))
    return PasswordReset.objects.get()


def remove_member(campaign: Campaign) -> Do:
    pat = Membership.objects.get(campaign=campaign, user__username="pat")
    return lambda user: services.remove_member(user=user, membership=pat)


def retry_job(campaign: Campaign) -> Do:
    job = jobs.request(campaign=campaign, kind=build_pool, subject_id=1, user=person("olga"))  # fmt: skip
    jobs.fail(jobs.claim(job.pk), "no")
    return lambda user: services.retry_job(user=user, job=job)


def freeze_pool(campaign: Campaign) -> Do:
    pool = make.pool(campaign, [run(campaign)])
    return partial_user(pooling.freeze_pool, pool=pool, sha256=pool.sha256)


def unfreeze_pool(campaign: Campaign) -> Do:
    return partial_user(pooling.unfreeze_pool, pool=make.frozen_pool(campaign, [run(campaign)]))  # fmt: skip


def delete_pool(campaign: Campaign) -> Do:
    return partial_user(pooling.delete_pool, pool=make.pool(campaign, [run(campaign)]))


def request_forecast(campaign: Campaign) -> Do:
    return partial_user(pooling.request_forecast, campaign=campaign, runs=[run(campaign)])  # fmt: skip


def partial_user(service: Callable[..., Any], **values: Any) -> Do:
    return lambda user: service(user=user, **values)


def request_pool(campaign: Campaign) -> Do:
    return partial_user(pooling.request_pool, campaign=campaign, runs=[run(campaign)], depth=2)  # fmt: skip


def assign(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [run(campaign)])
    topic = campaign.topic_set.get(number="1")
    return partial_user(assessing.assign, topic=topic, assessor=person("ada"), kind="primary")  # fmt: skip


def assign_again(campaign: Campaign) -> Do:
    taken_back = judged(campaign)
    assessing.take_back(user=person("olga"), assignment=taken_back)
    return partial_user(assessing.assign, topic=taken_back.topic, assessor=person("ben"), kind="primary")  # fmt: skip


def distribute(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [make.run(campaign, person("pat"), {"1": "d1"})])
    return partial_user(assessing.distribute, campaign=campaign)


def limit_assessors(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [run(campaign)])
    return partial_user(assessing.limit_assessors, campaign=campaign, limits={person("ada").pk: 100})  # fmt: skip


def share(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [run(campaign)])
    topic, people = campaign.topic_set.get(number="1"), [person("ada"), person("ben")]
    return partial_user(assessing.share, campaign=campaign, topics=[topic], assessors=people, n_wanted=2, lease_minutes=30)  # fmt: skip


def shared(campaign: Campaign) -> SharedQueue:
    [queue] = share(campaign)(person("olga"))
    return queue


def on_shared(service: Callable[..., Any], **values: Any) -> Callable[[Campaign], Do]:
    """An action on a shared topic."""
    return lambda campaign: partial_user(service, queue=shared(campaign), **values)


def join_sharing(campaign: Campaign) -> Do:
    queue = shared(campaign)
    assessing.take_back(user=person("olga"), assignment=queue.assignments.get(assessor=person("ben")))  # fmt: skip
    return partial_user(assessing.join_sharing, queue=queue, assessors=[person("ben")])


def lend(campaign: Campaign) -> Do:
    queue = shared(campaign)
    assignment = queue.assignments.get(assessor=person("ada"))
    return lambda user: assessing.lend(assessor=user, assignment=assignment)


def on_assignment(
    service: Callable[..., Any], state=assigned, **values: Any
) -> Callable[[Campaign], Do]:
    """An action on Ada's assignment."""
    return lambda campaign: partial_user(service, assignment=state(campaign), **values)  # fmt: skip


def hand_over(campaign: Campaign) -> Do:
    return partial_user(assessing.hand_over, assignment=judged(campaign), assessor=person("ben"))  # fmt: skip


def take_back_unbegun(campaign: Campaign) -> Do:
    assigned(campaign)
    return partial_user(assessing.take_back_unbegun, campaign=campaign)


def restore(campaign: Campaign) -> Do:
    assignment = judged(campaign)
    assessing.reset(user=person("olga"), assignment=assignment)
    aside = assignment.judgments.get().set_aside_at
    return partial_user(assessing.restore, assignment=assignment, set_aside_at=aside)


def publish_qrels(campaign: Campaign) -> Do:
    judged(campaign)
    return partial_user(assessing.publish_qrels, campaign=campaign)


def qrels_file() -> ContentFile:
    return ContentFile(b"1 0 d1 2\n", name="official.txt")


def uploaded_qrels(campaign: Campaign) -> QrelsImport:
    """Qrels of somebody else, uploaded and read."""
    upload = assessing.upload_qrels(user=person("olga"), campaign=campaign, file=qrels_file(), source="NIST")  # fmt: skip
    read_uploaded_qrels(Job.objects.get(kind="read_uploaded_qrels").pk)
    return upload


def known(campaign: Campaign) -> Do:
    assessing.import_known(user=person("olga"), campaign=campaign, lines=KNOWN)
    return lambda user: assessing.remove_known(user=user, campaign=campaign)


def upload_qrels(campaign: Campaign) -> Do:
    return lambda user: assessing.upload_qrels(user=user, campaign=campaign, file=qrels_file(), source="NIST")  # fmt: skip


def withdrawn_qrels(campaign: Campaign) -> Qrels:
    qrels = published(campaign)
    assessing.withdraw_qrels(user=person("olga"), qrels=qrels, reason="Wrong.")
    return qrels


def judge(campaign: Campaign) -> Do:
    assignment = assigned(campaign)
    answer = Answer("d1", "later")
    return lambda user: assessing.judge(assessor=user, assignment=assignment, answer=answer)  # fmt: skip


def record(campaign: Campaign) -> Do:
    assignment = assigned(campaign)
    acts = [Act(Answer("d1", "later"), Provenance())]
    return lambda user: assessing.record(assessor=user, pk=assignment.pk, acts=acts)


def save_note(campaign: Campaign) -> Do:
    assignment, note = assigned(campaign), Note("All that flies.", "hard", "two senses")
    return lambda user: assessing.save_note(assessor=user, pk=assignment.pk, note=note)


def mark_words(campaign: Campaign) -> Do:
    changes = [WordChange("add", "canopy"), WordChange("off", "tree")]
    return partial_user(assessing.mark_words, assignment=assigned(campaign), changes=changes)  # fmt: skip


def question(campaign: Campaign) -> Question:
    return assessing.ask(user=person("ada"), assignment=assigned(campaign), client_id=uuid4(), text="Do bats count?", docno="d1")  # fmt: skip


def ask(campaign: Campaign) -> Do:
    return partial_user(assessing.ask, assignment=assigned(campaign), client_id=uuid4(), text="Do bats count?")  # fmt: skip


def see_answers(campaign: Campaign) -> Do:
    given = assessing.answer(user=person("olga"), question=question(campaign), text="No.")  # fmt: skip
    return partial_user(assessing.see_answers, campaign=campaign, answers=[given.pk])


def undo(campaign: Campaign) -> Do:
    assignment = judged(campaign)
    return lambda user: assessing.undo(assessor=user, assignment=assignment)


ONLY_FOR_PRACTICE = "Practice is for the assessors and organizers of Test campaign."


def change_practice(campaign: Campaign) -> Do:
    changes = {"title": "Bridges", "known": [Known("d1", 2, "It names one.")]}
    return partial_user(assessing.change_practice, campaign=campaign, changes=changes)


def answer_practice(campaign: Campaign) -> Do:
    make.practice(campaign, "d1 2 It names one.")
    return partial_user(assessing.answer_practice, campaign=campaign, docno="d1", grade=1)  # fmt: skip


def confirm_practice(campaign: Campaign) -> Do:
    make.practice(campaign, "d1 2 It names one.")
    make.imported(campaign, "documents", b"d1\t\tIt names another one.")
    return partial_user(assessing.confirm_practice, campaign=campaign, docno="d1", version=2)  # fmt: skip


def skip_practice(campaign: Campaign) -> Do:
    make.practice(campaign, "d1 2 It names one.")
    return partial_user(assessing.skip_practice, campaign=campaign)


ACTIONS = {
    "create_campaign": Action(lambda _: partial_user(services.create_campaign, name="Mine"), ("campaign.created", "Mine"), "sam", {}),
    "change_campaign": Action(plainly(services.change_campaign, changes={"level": 2}), ("campaign.changed", "relevant from")),
    "archive_campaign": Action(plainly(services.archive_campaign), ("campaign.archived", "Test campaign")),
    "restore_campaign": Action(restore_campaign, ("campaign.restored", "Test campaign")),
    "delete_campaign": Action(plainly(services.delete_campaign), ("campaign.deleted", "Test campaign")),
    "request_import": Action(request_import, ("documents.uploaded", "documents.jsonl")),
    "confirm_import": Action(confirm_import("topics"), ("topics.imported", "topics.txt: 1 new, 0 changed")),
    "confirm_import of documents": Action(confirm_import("documents"), ("documents.imported", "documents.txt: 1 new, 0 changed")),
    "request_import of topics": Action(plainly(services.request_import, kind="topics", file=ContentFile(b"x", name="t")), ("topics.uploaded", "t")),
    "discard_import": Action(discard_import, ("import.discarded", "topics.txt")),
    "undo_import": Action(undo_import, ("import.undone", "topics.txt")),
    "delete_topic": Action(delete_topic, ("topics.deleted", "1")),
    "delete_topics": Action(plainly(services.delete_topics, n_shown=2), ("topics.deleted", "all 2")),
    "delete_document": Action(delete_document, ("documents.deleted", "d1")),
    "delete_documents": Action(plainly(services.delete_documents, n_shown=6), ("documents.deleted", "all 6")),
    "declare_collection": Action(plainly(services.declare_collection, is_whole=True), ("collection.declared", "the whole collection")),
    "invite": Action(plainly(services.invite, role=Role.ASSESSOR), ("invitation.made", "assessor")),
    "withdraw_invitation": Action(lambda campaign: partial_user(services.withdraw_invitation, invitation=invitation(campaign)), ("invitation.withdrawn", "assessor")),
    "accept_invitation": Action(lambda campaign: partial_user(services.accept_invitation, invitation=invitation(campaign)), ("member.joined", "as assessor"), "sam", {}),
    "remove_member": Action(remove_member, ("member.removed", "Pat, participant")),
    "create_team": Action(plainly(services.create_team, name="Zoe"), ("team.created", "Zoe")),
    "rename_team": Action(lambda campaign: partial_user(services.rename_team, team=team(campaign), name="Zoe"), ("team.renamed", "Aldgate to Zoe")),
    "merge_teams": Action(lambda campaign: partial_user(services.merge_teams, team=team(campaign), into=empty_team(campaign)), ("team.merged", "Aldgate into Zoe")),
    "delete_team": Action(lambda campaign: partial_user(services.delete_team, team=empty_team(campaign)), ("team.deleted", "Zoe")),
    "leave_team": Action(lambda campaign: partial_user(services.leave_team, team=team(campaign)), ("team.left", "Aldgate"), "pat", {**STRANGERS, "ada": NOTHING, "quinn": NOTHING, "olga": "You are not in team Aldgate."}),
    "make_reset": Action(lambda campaign: partial_user(services.make_reset, campaign=campaign, person=person("ada")), ("reset.made", "Ada")),
    "withdraw_reset": Action(lambda campaign: partial_user(services.withdraw_reset, reset=reset(campaign)), ("reset.withdrawn", "Ada")),
    "use_reset": Action(lambda campaign: partial_user(services.use_reset, reset=reset(campaign), password="tralala-17x"), ("reset.used", "ada"), "ada", {"sam": NOTHING, "olga": NOTHING}),
    "change_account": Action(lambda _: partial_user(accounts.change_account, changes={"email": "a@b.example"}), None, "ada", {}),
    "change_reading": Action(lambda _: partial_user(accounts.change_reading, changes={"reading_size": 2}), None, "ada", {}),
    "change_password": Action(lambda _: partial_user(accounts.change_password, password="tralala-17x"), None, "ada", {}),
    "submit_run": Action(submit_run, ("run.submitted", "one"), "pat", {**STRANGERS, "ada": ONLY_PARTICIPANTS}),
    "withdraw_run": Action(lambda campaign: partial_user(services.withdraw_run, run=run(campaign)), ("run.withdrawn", "one"), "pat", TEAM),
    "disqualify_run": Action(lambda campaign: partial_user(services.disqualify_run, run=run(campaign), reason="no"), ("run.disqualified", "one")),
    "reinstate_run": Action(reinstate_run, ("run.reinstated", "one"), "pat", TEAM),
    "recheck_run": Action(lambda campaign: partial_user(services.recheck_run, run=run(campaign)), ("run.rechecked", "one"), "pat", TEAM),
    "recheck_runs": Action(recheck_runs, ("run.rechecked", "all")),
    "describe_run": Action(lambda campaign: partial_user(services.describe_run, run=run(campaign), changes={"description": "BM25", "is_manual": True}), ("run.described", "one"), "pat", TEAM),
    "submit_archive": Action(submit_archive, ("runs.uploaded", "runs.zip"), "pat", {**STRANGERS, "ada": ONLY_PARTICIPANTS}),
    "submit_archive of folders": Action(plainly(services.submit_archive, by_folder=True, file=ContentFile(b"x", name="runs.zip")), ("runs.uploaded", "runs.zip"), "olga", {**ORGANIZERS, "ada": ONLY_PARTICIPANTS}),
    "extend_deadline": Action(extend_deadline, ("deadline.extended", "Aldgate until 1 May 2100, 00:00 (UTC)")),
    "download_run": Action(lambda campaign: partial_user(services.download_run, run=run(campaign)), ("run.downloaded", "one"), "pat", TEAM),
    "retry_job": Action(retry_job, ("job.retried", "build the pool")),
    "request_pool": Action(request_pool, ("pool.requested", "depth-k, k = 2")),
    "freeze_pool": Action(freeze_pool, ("pool.frozen", "depth-k, k = 2")),
    "unfreeze_pool": Action(unfreeze_pool, ("pool.unfrozen", "depth-k, k = 2")),
    "delete_pool": Action(delete_pool, ("pool.deleted", "depth-k, k = 2")),
    "request_forecast": Action(request_forecast, None),
    "assign": Action(assign, ("topic.assigned", "1 to Ada (primary)")),
    "assign of a topic taken back": Action(assign_again, ("topic.assigned", "1 to Ben (primary)")),
    "distribute": Action(distribute, ("topics.assigned", "1 primary, 0 second")),
    "limit_assessors": Action(limit_assessors, ("assessors.limited", "ada")),
    "hand_over": Action(hand_over, ("topic.handed_over", "1 from Ada to Ben (primary)")),
    "take_back": Action(on_assignment(assessing.take_back), ("topic.taken_back", "1 from Ada (primary)")),
    "take_back_unbegun": Action(take_back_unbegun, ("topics.taken_back", "1 not begun")),
    "share": Action(share, ("topic.shared", "1 among Ada, Ben")),
    "change_sharing": Action(on_shared(assessing.change_sharing, n_wanted=1, lease_minutes=30), ("topic.sharing_changed", "1: 1 judgment of each document")),
    "join_sharing": Action(join_sharing, ("topic.sharing_joined", "1 to Ben")),
    "unshare": Action(on_shared(assessing.unshare), ("topic.unshared", "1")),
    "lend": Action(lend, None, "ada", {**OTHER_ASSESSORS, "ben": NOTHING}),
    "reopen": Action(on_assignment(assessing.reopen, judged, docno="d1"), ("topic.reopened", "1, Ada (primary): d1")),
    "reset": Action(on_assignment(assessing.reset, judged), ("topic.reset", "1, Ada (primary): 1")),
    "restore": Action(restore, ("topic.brought_back", "1, Ada (primary): 1")),
    "judge": Action(judge, None, "ada", OTHER_ASSESSORS),
    "record": Action(record, None, "ada", OTHER_ASSESSORS),
    "ask": Action(ask, None, "ada", OTHER_ASSESSORS),
    "withdraw_question": Action(lambda campaign: partial_user(assessing.withdraw_question, question=question(campaign)), None, "ada", {**STRANGERS, "ben": NOTHING, "pat": ONLY_ASSESSORS, "olga": ONLY_ASSESSORS}),
    "answer": Action(lambda campaign: partial_user(assessing.answer, question=question(campaign), text="No."), ("question.answered", "1 by Ada")),
    "see_answers": Action(see_answers, None, "ada", {**STRANGERS, "pat": ONLY_ASSESSORS, "olga": ONLY_ASSESSORS}),
    "save_note": Action(save_note, None, "ada", OTHER_ASSESSORS),
    "undo": Action(undo, None, "ada", OTHER_ASSESSORS),
    "mark_words": Action(mark_words, None, "ada", OTHER_ASSESSORS),
    "change_practice": Action(change_practice, ("practice.changed", "title, known answers")),
    "confirm_practice": Action(confirm_practice, ("practice.changed", "d1 still has grade 2")),
    "answer_practice": Action(answer_practice, None, "ada", {**STRANGERS, "pat": ONLY_FOR_PRACTICE}),
    "skip_practice": Action(skip_practice, None, "ada", {**STRANGERS, "pat": ONLY_FOR_PRACTICE, "olga": "Practice comes first for assessors alone, so there is nothing to skip."}),
    "publish_qrels": Action(publish_qrels, ("qrels.published", "qrels v1")),
    "withdraw_qrels": Action(lambda campaign: partial_user(assessing.withdraw_qrels, qrels=published(campaign), reason="Wrong."), ("qrels.withdrawn", "qrels v1")),
    "reinstate_qrels": Action(lambda campaign: partial_user(assessing.reinstate_qrels, qrels=withdrawn_qrels(campaign)), ("qrels.reinstated", "qrels v1")),
    "upload_qrels": Action(upload_qrels, ("qrels.uploaded", "official.txt")),
    "import_qrels": Action(lambda campaign: partial_user(assessing.import_qrels, upload=uploaded_qrels(campaign), level=1), ("qrels.imported", "qrels v1")),
    "discard_qrels": Action(lambda campaign: partial_user(assessing.discard_qrels, upload=uploaded_qrels(campaign)), ("qrels.discarded", "official.txt")),
    "download_qrels": Action(lambda campaign: partial_user(assessing.download_qrels, qrels=published(campaign)), ("qrels.downloaded", "qrels v1")),
    "download_kept_judgments": Action(lambda campaign: partial_user(assessing.download_kept_judgments, qrels=published(campaign)), ("judgments.downloaded", "the judgments of qrels v1")),
    "download_judgments": Action(plainly(assessing.download_judgments), ("judgments.downloaded", "all judgments")),
    "download_notes": Action(plainly(assessing.download_notes), ("judgments.downloaded", "all notes on topics")),
    "download_questions": Action(plainly(assessing.download_questions), ("judgments.downloaded", "all questions and answers")),
    "import_known": Action(plainly(assessing.import_known, lines=KNOWN), ("known.imported", "1 known grade")),
    "remove_known": Action(known, ("known.removed", "1 known grade")),
    "download_known": Action(plainly(assessing.download_known), ("judgments.downloaded", "the known grades")),
    "download_controls": Action(plainly(assessing.download_controls), ("judgments.downloaded", "the answers to controls")),
    "download_judgment_events": Action(plainly(assessing.download_judgment_events), ("judgments.downloaded", "all judgment events")),
    "download_ratings": Action(plainly(assessing.download_ratings), ("judgments.downloaded", "all answers to criteria")),
    "download_passages": Action(plainly(assessing.download_passages), ("judgments.downloaded", "all passages marked as evidence")),
    "request_evaluation": Action(lambda campaign: partial_user(scoring.request_evaluation, qrels=published(campaign)), ("scores.requested", "qrels v1")),
}  # fmt: skip


def snapshot() -> dict[str, list[str]]:
    """Every row there is, as PostgreSQL writes it, by the name of its model."""
    names = ("accounts", "campaigns", "pooling", "assess", "evaluation")
    models = [model for name in names for model in apps.get_app_config(name).get_models()]  # fmt: skip
    rows = "SELECT '{0.__name__}', coalesce(array_agg(t::text ORDER BY {0._meta.pk.column}), '{{}}') FROM {0._meta.db_table} t"
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(map(rows.format, models)))
        return dict(cursor.fetchall())
