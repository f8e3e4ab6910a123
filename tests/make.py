"""Plain functions that make rows."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import User
from assess.core.answers import Act, Answer, Provenance
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.days import recount
from assess.models.judging import Judgment
from assess.services import assigning, judging
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role, Team
from campaigns.services import campaign as campaign_services
from collection.from_above import TEXTS_CHANGED
from collection.models.imports import Import
from collection.models.items import Item
from collection.models.texts import Document, Topic
from collection.services import imports
from evaluation.core.scope import Scope
from jobs import work
from jobs.models import Job
from pooling import growing
from pooling import services as pooling
from pooling import tasks as pooling_tasks
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast
from pooling.models.pools import Pool
from practice import services
from practice.core import read_known
from practice.models import Practice
from qrels.models import Qrels
from qrels.services import importing
from runs import checking
from runs.models import Run
from runs.services import runs as runs_services

# The columns of everybody, as first made, by the hasher of their password and the name.
CAST: dict[tuple[str, str], dict[str, object]] = {}
LAY_DOWN = (
    "INSERT INTO accounts_user SELECT (json_populate_record(NULL::accounts_user, %s)).*"
    " ON CONFLICT DO NOTHING"
)
DOCNOS = ("d1", "d2", "d3", "d4", "d5", "d6")


def user(name: str) -> User:
    """Make a person, whose row is the same in all tests: what is made `once` after it is."""
    return again(name) or first_made(name)


def known(name: str) -> User:
    """Return the person of that name, made before or not."""
    return again(name) or User.objects.filter(username=name).first() or first_made(name)


def first_made(name: str) -> User:
    made = User.objects.create_user(
        username=name, first_name=name.capitalize(), password="a password of tests"
    )
    CAST[settings.PASSWORD_HASHERS[0], name] = User.objects.filter(pk=made.pk).values().get()
    return made


def again(name: str) -> User | None:
    """Lay down the row of a person whom an earlier test made, and this one has not; most tests make
    four, and each would be asked for and saved.
    """
    row = CAST.get((settings.PASSWORD_HASHERS[0], name))
    if row is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(LAY_DOWN, [json.dumps(row, default=str)])
        is_new = cursor.rowcount == 1
    return User.from_db("default", [*row], [*row.values()]) if is_new else None


def rewrite(events: QuerySet[Any], **values: Any) -> None:
    """Change rows that are append-only, so that something happened at another time."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger fires
        events.update(**values)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    for campaign in Campaign.objects.all():
        recount(campaign)  # as if it had been counted then


def organizer_of(campaign: Campaign) -> User:
    return campaign.membership_set.filter(role=Role.ORGANIZER).earliest("pk").user


def campaign(
    organizer: User,
    *,
    assessors: Iterable[User] = (),
    participants: Mapping[str, Iterable[User]] | None = None,
    topics: Sequence[str] = ("1", "2"),
    docnos: Iterable[str] = DOCNOS,
    **settings: object,
) -> Campaign:
    made = campaign_services.create_campaign(user=organizer, name="Test campaign", **settings)
    for assessor in assessors:
        Membership.objects.create(campaign=made, user=assessor, role=Role.ASSESSOR)
    for name, members in (participants or {}).items():
        team, _ = Team.objects.get_or_create(campaign=made, name=name)
        for member in members:
            Membership.objects.create(campaign=made, user=member, role=Role.PARTICIPANT, team=team)
    for number in topics:
        Topic.objects.create(
            campaign=made, number=number, title=f"topic {number}", description="What is sought."
        )
    documents(made, docnos)
    return made


def documents(campaign: Campaign, docnos: Iterable[str]) -> None:
    Document.objects.bulk_create(
        Document(
            campaign=campaign, docno=docno, title=f"Title of {docno}", text=f"The text of {docno}."
        )
        for docno in docnos
    )


def forgotten(campaign: Campaign, docno: str) -> None:
    """Have a document gone, as if it had never been imported."""
    Document.objects.filter(campaign=campaign, docno=docno).delete()
    TEXTS_CHANGED(campaign, organizer_of(campaign))


def worked(kind: str, subject_id: int) -> Job:
    """Do the newest job of a kind as a worker would."""
    job = Job.objects.filter(kind=kind, subject_id=subject_id).latest("pk")
    work.kinds[kind](job.pk)
    job.refresh_from_db()
    return job


def grown(campaign: Campaign) -> None:
    """Have an adaptive pool look for topics to grow, and what it asks for done."""
    growing.grow(campaign.pk)
    for job in Job.objects.filter(campaign=campaign, kind="build_batch", state="waiting"):
        worked(job.kind, job.subject_id)


def uploaded(campaign: Campaign, kind: str, content: bytes, **options: object) -> Import:
    """Upload topics or documents as the organizer would, and have them read, not imported."""
    row = imports.request_import(
        user=organizer_of(campaign),
        campaign=campaign,
        kind=kind,
        file=ContentFile(content, name=f"{kind}.txt"),
        **options,
    )
    worked("read_import", row.pk)
    row.refresh_from_db()
    return row


def confirmed(row: Import, **options: object) -> Import:
    """Confirm an import, and have it done."""
    imports.confirm_import(user=row.created_by, row=row, **options)
    worked("write_import", row.pk)
    row.refresh_from_db()
    return row


def imported(
    campaign: Campaign,
    kind: str,
    content: bytes,
    *,
    takes_versions: bool = False,
    **options: object,
) -> Import:
    row = uploaded(campaign, kind, content, **options)
    return confirmed(row, takes_versions=takes_versions)


def imported_qrels(campaign: Campaign, content: bytes, level: int = 1) -> Qrels:
    """Import existing qrels as the organizer would."""
    user, file = organizer_of(campaign), ContentFile(content, name="official.txt")
    upload = importing.upload_qrels(user=user, campaign=campaign, file=file, source="NIST")
    worked("read_uploaded_qrels", upload.pk)
    return importing.import_qrels(user=user, upload=upload, level=level)


def scope(qrels: Qrels, **parts: Any) -> dict[str, Any]:
    """What an evaluation is asked for: the campaign, and a scope of a version."""
    return {"campaign": qrels.campaign, "scope": Scope(qrels.number, **parts)}


def undone(row: Import) -> Import:
    imports.undo_import(user=row.created_by, row=row)
    worked("undo_import", row.pk)
    row.refresh_from_db()
    return row


def run_text(rankings: Mapping[str, str], tag: str) -> str:
    """Return six columns: `{"1": "d3 d1 d2"}` ranks d3 first for topic 1."""
    return "".join(
        f"{topic} Q0 {docno} {rank} {100 - rank} {tag}\n"
        for topic, docnos in rankings.items()
        for rank, docno in enumerate(docnos.split(), 1)
    )


def submitted(campaign: Campaign, participant: User, content: str | bytes, tag: str) -> Run:
    """Upload a file as the participant would; it waits to be checked."""
    data = content.encode() if isinstance(content, str) else content
    return runs_services.submit_run(
        user=participant, campaign=campaign, tag=tag, file=ContentFile(data, name=f"{tag}.txt")
    )


def run(
    campaign: Campaign, participant: User, rankings: Mapping[str, str], tag: str = "one"
) -> Run:
    """Upload a run and have it checked."""
    made = submitted(campaign, participant, run_text(rankings, tag), tag)
    checking.check_run(Job.objects.get(kind="check_run", subject_id=made.pk).pk)
    made.refresh_from_db()
    return made


def batch(campaign: Campaign, runs: Sequence[Run], depth: int = 2, **choice: Any) -> Batch:
    """Build a draft of a batch, of depth-k unless another strategy is chosen."""
    chosen = {"strategy": "depth", "parameters": {"depth": depth}, "runs": runs, **choice}
    made = pooling.request_batch(user=organizer_of(campaign), campaign=campaign, **chosen)
    pooling_tasks.build_batch(Job.objects.get(kind="build_batch", subject_id=made.pk).pk)
    made.refresh_from_db()
    return made


def forecast(campaign: Campaign) -> Forecast:
    """Have ready what sizes of pools are counted from."""
    pooling.request_forecast(user=organizer_of(campaign), campaign=campaign)
    work = Job.objects.filter(kind="forecast_pool", campaign=campaign)
    pooling_tasks.forecast_pool(work.latest("pk").pk)
    return Forecast.objects.get(campaign=campaign)


def frozen(batch: Batch) -> Pool:
    """Freeze a draft, and return the pool."""
    user = organizer_of(batch.campaign)
    return pooling.freeze_batch(user=user, batch=batch, sha256=batch.sha256).pool


def frozen_pool(campaign: Campaign, runs: Sequence[Run], depth: int = 2) -> Pool:
    return frozen(batch(campaign, runs, depth))


def pooled(pool: Pool, topic: Topic, item: Item, run_ids: Sequence[int] = ()) -> PoolEntry:
    """Put an item into the pool's last batch, at rank 1 of these runs."""
    batch = pool.last_batch
    new = batch.counts.setdefault("new", {})
    new[str(topic.pk)] = new.get(str(topic.pk), 0) + 1
    batch.save()
    of_runs = {"run_ids": list(run_ids), "ranks": [1] * len(run_ids)}
    return PoolEntry.objects.create(
        batch=batch, topic=topic, item=item, position=0, reason=0, **of_runs
    )


def taken_back(organizer: User, pool: Pool) -> Batch:
    return pooling.take_back_batch(user=organizer, batch=pool.last_batch)


def assignment(
    topic: Topic, assessor: User, kind: str = Assignment.Kind.PRIMARY, **sample: Any
) -> Assignment:
    organizer = organizer_of(topic.campaign)
    return assigning.assign(user=organizer, topic=topic, assessor=assessor, kind=kind, **sample)


def judgment(assignment: Assignment, docno: str, grade: int, active_ms: int = 0) -> Judgment:
    return judging.judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, Judgment.State.JUDGED, {"grade": grade}),
        provenance=Provenance(active_ms=active_ms),
    )


def judgments(assignment: Assignment, grades: Mapping[str, int]) -> None:
    """Judge documents in this order, as a page sends what waited: in one request."""
    acts = [
        Act(Answer(docno, Judgment.State.JUDGED, {"grade": grade}), Provenance())
        for docno, grade in grades.items()
    ]
    _, outcomes = judging.judge_all(assessor=assignment.assessor, key=assignment.pk, acts=acts)
    for outcome in outcomes:
        outcome.judgment()  # a refusal is raised


def items(topic: Topic, *docnos: str) -> list[Item]:
    """Return the items of these documents for a topic."""
    pairs = ((topic.pk, docno) for docno in docnos)
    found = Item.objects.in_bulk(Item.objects.of_documents(topic.campaign, pairs).values())
    by_key = {each.key: each for each in found.values()}
    return [by_key[docno] for docno in docnos]


def known_grade(topic: Topic, docno: str, grade: int, **values: object) -> KnownGrade:
    [item] = items(topic, docno)
    return KnownGrade.objects.create(item=item, grade=grade, **values)


def practice(campaign: Campaign, lines: str, **settings: object) -> Practice:
    """Set up practice with these known answers, each "docno, tab, grade, tab, explanation", and
    switch it on.
    """
    known, faults = read_known(lines)
    assert not faults
    changes = {"title": "Bridges", "is_on": True, **settings, "known": list(known.values())}
    return services.change_practice(user=organizer_of(campaign), campaign=campaign, changes=changes)


def content(file) -> bytes:
    """What a stored file holds."""
    with file.open("rb") as stream:
        return stream.read()
