"""A campaign that has more of everything, for tests of what a page costs."""

from itertools import count
from uuid import uuid4

import numpy as np
from django.db.models import Max, Model

from assess.models.assigning import Assignment
from assess.models.serving import AssignmentEntry
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.services import people, resets
from collection.models.imports import Import
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion
from evaluation.placement_cache import placements_of, universe_of
from jobs.models import Job
from pooling.models.contributors import Contributor
from pooling.models.pools import Pool
from qrels.models import QrelsImport
from runs.models import Run
from runs.services import teams
from tests import make

_numbers = count(100)


def again(row: Model | None, **changes: object) -> Model:
    """A row like this one but for some of its fields; its files are the same."""
    made = type(row).objects.get(pk=row.pk)
    made.pk = None
    if hasattr(made, "public_id"):
        made.public_id = uuid4()
    for name, value in changes.items():
        setattr(made, name, value)
    made.save()
    return made


def grow(campaign: Campaign, n: int) -> None:
    """Add n rows, or n times as many, to whatever the pages list: of the campaign, and of the first
    run, topic, document, team and assignment.
    """
    olga = make.organizer_of(campaign)
    # Scores go by the pool as it was frozen, which a process remembers and no page can change.
    for pool in Pool.objects.filter(campaign=campaign):
        universe_of(pool)
    for number in (next(_numbers) for _ in range(n)):
        _people(campaign, olga, number)
        _collection(campaign, olga, number)
        _runs(campaign, number)
        for kind in ("topics", "documents"):
            again(Import.objects.filter(campaign=campaign).first(), kind=kind)
        again(Job.objects.filter(campaign=campaign).first())
        again(QrelsImport.objects.filter(campaign=campaign).first(), qrels=None)
    for qrels in [campaign.qrels_set.first()] * n:
        newest = campaign.qrels_set.aggregate(newest=Max("number"))["newest"]
        version = again(qrels, number=newest + 1)
        first = campaign.evaluation_set.earliest("pk")
        evaluation = again(first, qrels=version)
        evaluation.runs.set(first.runs.all())
        for score in first.scores.all():
            again(score, evaluation=evaluation)
        if version.pool:  # scoring has placed every run
            placements_of(list(first.runs.all()), version.pool, first.rules)


def _people(campaign: Campaign, olga, number: int) -> None:
    """Members in each role, who may judge the first topic too, their links and teams."""
    team = campaign.team_set.filter(is_baseline=False).earliest("pk")
    made = {role: make.user(f"{role}{number}") for role in Role}
    for role, user in made.items():
        its = team if role == Role.PARTICIPANT else None
        campaign.membership_set.create(user=user, role=role, team=its)
    teams.create_team(user=olga, campaign=campaign, name=f"Team {number}")
    for is_open in (True, False):
        link = people.invite(
            user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name=f"Link {number}"
        )
        link.uses.create(user=made[Role.ASSESSOR])
        if not is_open:
            people.withdraw_invitation(user=olga, invitation=link)
    pat = team.membership_set.earliest("pk").user
    resets.make_reset(user=olga, campaign=campaign, person=pat)
    topic, kind = campaign.topic_set.get(number="1"), Assignment.Kind.SECOND
    second = make.assignment(topic, made[Role.ASSESSOR], kind)
    make.judgment(second, "d1", 1)
    make.judgment(second, "d2", 1)


def _collection(campaign: Campaign, olga, number: int) -> None:
    """Topics and documents in the pool, with earlier versions, some judged and some set aside."""
    row = Import.objects.filter(campaign=campaign).first()
    first, document = campaign.topic_set.get(number="1"), campaign.document_set.get(docno="d1")
    topic = Topic.objects.create(campaign=campaign, number=f"t{number}", title="more")
    make.documents(campaign, [f"d{number}", f"e{number}"])
    assert Document.objects.filter(campaign=campaign, docno=f"d{number}").exists()
    replaced = {"version": number, "replaced_in": row, "replaced_by": olga}
    TopicVersion.objects.create(topic=first, **replaced)
    DocumentVersion.objects.create(document=document, **replaced)
    pool = campaign.pool
    for its, docno in ((first, f"d{number}"), (first, f"e{number}"), (topic, "d1")):
        _pooled(pool, its, docno)
    adas = Assignment.objects.get(assessor__username="ada", topic=first)
    for docno, is_aside in ((f"d{number}", False), (f"e{number}", True)):
        position = adas.entries.count()
        [item] = make.items(first, docno)
        entry = AssignmentEntry.objects.create(
            assignment=adas, position=position, item=item, purpose=adas.kind
        )
        Assignment.objects.filter(pk=adas.pk).update(n_entries=position + 1)
        judgment = make.judgment(adas, docno, 1)
        if is_aside:
            AssignmentEntry.objects.filter(pk=entry.pk).update(judgment=None)
            judgment.set_aside_at = f"2026-05-01T12:{number % 60:02}Z"
            judgment.save()
    make.assignment(topic, adas.assessor)
    waiting = Topic.objects.create(campaign=campaign, number=f"w{number}", title="?")
    _pooled(pool, waiting, "d1")


def _pooled(pool: Pool, topic: Topic, docno: str) -> None:
    [item] = make.items(topic, docno)
    make.pooled(pool, topic, item, [pool.campaign.run_set.earliest("pk").pk])


def contribute_like(first: Run, run: Run) -> None:
    """Have a run contribute the same documents as another."""
    made = again(Contributor.objects.get(run=first), run=run)
    alike = Contributor.objects.filter(batch=made.batch)
    shared = np.full(alike.count(), made.n_contributed, dtype="<i4")
    alike.update(shared=shared.tobytes())


def _runs(campaign: Campaign, number: int) -> None:
    """Runs of the first team: in the pool, outside it, and withdrawn; scored everywhere."""
    first = campaign.run_set.earliest("pk")
    for tag, is_pooled, state in (
        ("a", True, "valid"),
        ("b", False, "valid"),
        ("c", True, "withdrawn"),
    ):
        run = again(first, tag=f"{tag}{number}", is_pooled=is_pooled, state=state)
        if is_pooled:
            contribute_like(first, run)
        for evaluation in campaign.evaluation_set.all():
            evaluation.runs.add(run)
            again(evaluation.scores.first(), run=run)
