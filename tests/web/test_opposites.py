"""Opposite acts at the same moment, through the site: one wins, the others wait or read a sentence,
and nothing is left in between.
"""

import os
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.models import FileField, Q
from django.test import Client

from accounts.models import User
from assess.models.assigning import Assignment
from assess.services import sharing
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from collection.models.imports import Import
from evaluation import services, tasks
from evaluation.models.measured import RuleSet
from jobs import broker
from jobs.models import Job
from overview.services import rounds
from pooling.models.contributors import Contributor
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool
from qrels.models import Qrels
from qrels.services import publishing
from runs.models import Run
from tests import make
from tests.web.opposites import ACTS, World

# Where a campaign stands when the acts come, and which are opposite there.
PAIRS = {
    "open": (
        "delete/upload, delete/upload files, delete/invite, delete/invite a team, "
        "delete/import, delete/withdraw run, delete/recheck, delete/merge, delete/archive, "
        "delete/build, archive/upload, archive/import, restore/archive, merge/upload as pat, "
        "merge/rename, merge/invite a team, merge/delete team, merge/extend, "
        "remove pat/upload as pat, leave/upload as pat, withdraw run/reinstate, "
        "describe/disqualify, import/delete topics, import documents/delete documents, "
        "confirm/discard, confirm/undo import, declare/delete documents, "
        "recheck/withdraw run, build/withdraw run, take back round/upload, "
        "take back round/build, begin round/take back round, to other round/take back round, "
        "to other round/freeze, to other round/withdraw run"
    ),
    "built": (
        "freeze/build, freeze/withdraw run, freeze/delete pool, freeze/upload, "
        "unfreeze/freeze, delete/freeze, build again/freeze, build again/build again"
    ),
    "frozen": (
        "share/unfreeze, assign/unfreeze, distribute/assign, unshare/join, "
        "unshare/judge shared, change sharing/judge shared, remove ada/assign, "
        "remove ada/judge, hand over/judge, take back/judge, unfreeze/judge, delete/judge, "
        "import documents/judge, archive/judge, reopen earlier/judge shared"
    ),
    "judged": (
        "score/withdraw run, score/describe, score/disqualify, publish/withdraw qrels, "
        "publish/judge, publish/reset, score/reinstate qrels, reopen/judge, reset/undo, "
        "restore/judge, publish/hand over, score/withdraw qrels, study/withdraw qrels, "
        "study/archive, release/take back release, release/replace, release/withdraw qrels, "
        "release/disqualify, release/archive, release qrels/withdraw qrels, "
        "release runs/withdraw run, release runs/begin round, replace/take back release, "
        "replace/withdraw qrels"
    ),
}


def share_topic(campaign: Campaign, people: list[User], *, is_judged: bool) -> None:
    """Share a topic, lent to the first of these; or judged by all, on texts replaced since."""
    topic, olga = campaign.topic_set.get(number="2"), make.organizer_of(campaign)
    sharing.share(
        user=olga,
        campaign=campaign,
        topics=[topic],
        assessors=people,
        n_wanted=2 if is_judged else 1,
        lease_minutes=30,
    )
    for person in people if is_judged else people[:1]:
        own = Assignment.objects.counting().get(topic=topic, assessor=person)
        sharing.lend(assessor=person, assignment=own)
        for docno in ("d1", "d4") if is_judged else ():
            make.judgment(own, docno, 1)
    if is_judged:
        campaign.document_set.update(version=2)


def score(qrels: Qrels, run: Run, rules: str) -> None:
    olga = make.organizer_of(qrels.campaign)
    evaluation = services.request_evaluation(user=olga, **make.scope(qrels), rules=rules)
    job = Job.objects.get(kind="score_runs", subject_id=evaluation.pk)
    tasks.score_runs(job.pk)
    tasks.score_batch(job.pk, 1, [run.pk])
    make.worked("place_runs", evaluation.pk)


def standing(stage: str, pair: str) -> World:
    """A campaign at a stage, with files and rows of many kinds."""
    olga, ada, ben, cleo, pat, quinn = (
        make.known(name) if name in {"olga", "ada", "ben", "pat"} else make.user(name)
        for name in ("olga", "ada", "ben", "cleo", "pat", "quinn")
    )
    campaign = make.campaign(
        olga, assessors=[ada, ben, cleo], participants={"Aldgate": [pat], "Barbican": [quinn]}
    )
    run = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d1 d4"}, "one")
    if "round" in pair:
        rounds.begin_round(user=olga, campaign=campaign)
        campaign.refresh_from_db()
    if stage == "open":
        make.uploaded(campaign, "topics", b"9\tnine\n")
    if stage == "built":
        make.batch(campaign, [run])
    if stage in {"frozen", "judged"}:
        make.frozen_pool(campaign, [run], depth=3)
        make.assignment(campaign.topic_set.get(number="1"), ada)
        if stage == "frozen" and ("shar" in pair.replace("share/", "") or "join" in pair):
            share_topic(campaign, [ben, ada], is_judged="reopen earlier" in pair)
    if stage == "judged":
        make.judgment(Assignment.objects.in_campaign(campaign).primary().get(), "d1", 2)
        qrels = publishing.publish_qrels(user=olga, campaign=campaign)
        n_evaluations = 2 if "replace" in pair else pair.startswith(("study", "release"))
        for rules in RuleSet.values[:n_evaluations]:
            score(qrels, run, rules)
    return World(campaign)


N_REQUESTS = int(os.environ.get("OPPOSITES", "6"))
N_THREADS = min(N_REQUESTS, 20)
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


class Worker(threading.Thread):
    """Does the jobs of the queue until it is told that no more come."""

    def __init__(self, told: list[tuple[Any, tuple[object, ...]]]) -> None:
        super().__init__()
        self.told, self.is_over, self.errors = told, threading.Event(), []

    def run(self) -> None:
        while not self.is_over.wait(0.005) or self.told:
            if self.told:
                task, arguments = self.told.pop(0)
                try:
                    task(*arguments)
                except Exception as error:  # noqa: BLE001 - told by the test
                    self.errors.append(f"{task.name}: {error!r}")
        connection.close()


def ask(world: World, name: str) -> int:
    """The status that somebody is answered."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username=ACTS[name].who))
    try:
        address, data = ACTS[name].sent(world)
    except ObjectDoesNotExist:
        return 404  # gone before anything is sent
    kind = {"content_type": "application/json"} if isinstance(data, list) else {}
    return client.post(address, data, **kind).status_code


def at_once(world: World, names: list[str]) -> Counter[tuple[str, int]]:
    """What all are answered who do these things at the same moment, in turn one of each."""
    answered: Counter[tuple[str, int]] = Counter()
    waiting = [names[n % len(names)] for n in range(N_REQUESTS)]
    begin = threading.Barrier(N_THREADS)

    def person() -> None:
        begin.wait()
        while waiting:
            try:
                name = waiting.pop()
            except IndexError:
                break
            answered[name, ask(world, name)] += 1
        connection.close()

    threads = [threading.Thread(target=person) for _ in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answered


# Of those that once ended in a deadlock or a traceback and that tests/db does not race;
# `make test-deep` has all, with 200 requests each.
FEW = "delete/upload, merge/upload as pat, confirm/discard, share/unfreeze, unshare/judge shared"
TRIED = [
    (stage, pair)
    for stage, pairs in PAIRS.items()
    for pair in pairs.split(", ")
    if "OPPOSITES" in os.environ or pair in FEW.split(", ")
]


@pytest.mark.parametrize(("stage", "pair"), TRIED)
def test_of_two_who_do_the_opposite_at_once_one_waits_or_reads_a_sentence(stage, pair, monkeypatch):
    world = standing(stage, pair)
    told: list[tuple[Any, tuple[object, ...]]] = []
    monkeypatch.setattr(
        broker, "send", lambda task, *arguments, **_: told.append((task, arguments))
    )
    worker = Worker(told)
    worker.start()
    answered = at_once(world, pair.split("/"))
    worker.is_over.set()
    worker.join()
    print(pair, dict(sorted(answered.items())))  # noqa: T201 - shown by -s
    assert not [each for each in answered if each[1] >= 500], answered
    assert sum(answered.values()) == N_REQUESTS
    assert worker.errors == []
    check_the_chain(world.campaign)
    # A discarded import names the file that it was.
    discarded = Import.objects.filter(state="discarded").values_list("file", flat=True)
    assert files_of_rows() - set(discarded) == stored_files()


def check_the_chain(campaign: Campaign) -> None:
    assert not Job.objects.unfinished().exists()
    for assignment in Assignment.objects.in_campaign(campaign):
        judged = assignment.entries.counting().filter(judgment__state="judged")
        assert assignment.n_judged == judged.count()
        for judgment in assignment.judgments.all():
            if last := judgment.events.order_by("change").last():
                assert (last.to_state, last.to_grade) == (judgment.state, judgment.grade)
    numbers = Qrels.objects.filter(campaign=campaign).values_list("number", flat=True)
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    check_rounds(campaign)
    check_releases(campaign)
    if pool := Pool.objects.of(campaign):
        pooled = Contributor.objects.filter(batch__pool=pool).select_related("run")
        assert all(each.run.is_pooled for each in pooled)
        assert pool.n_entries == PoolEntry.objects.in_pool(pool).count()
        assert pool.version == pool.batches.count()
    elif Campaign.objects.filter(pk=campaign.pk).exists():
        assert not campaign.run_set.filter(is_pooled=True).exists()
        assert not Assignment.objects.in_campaign(campaign).exists()
    for row in Import.objects.filter(campaign=campaign):
        counts = [
            (row.preview or {}).get(name, 0) for name in ("n_new", "n_changed", "n_unchanged")
        ]
        assert min(counts) >= 0


def check_rounds(campaign: Campaign) -> None:
    """Nothing is of a round that has been taken back."""
    numbers = [each.number for each in campaign.rounds.all()]
    now = Campaign.objects.filter(pk=campaign.pk).values_list("round", flat=True).first()
    assert numbers == ([*range(1, now + 1)] if now and now > 1 else [])
    of_rounds = (campaign.run_set, campaign.batch_set, campaign.qrels_set)
    assert all(each.round <= now for rows in of_rounds for each in rows.all())


def check_releases(campaign: Campaign) -> None:
    """What is released to somebody is one thing, and in use."""
    standing = Release.objects.standing().filter(campaign=campaign)
    assert len(standing) == len({(each.what, each.audience) for each in standing})
    named = {
        what: list(standing.filter(what=what).values_list("subject_id", flat=True))
        for what in (Release.What.SCORES, Release.What.QRELS)
    }
    rest_on = Q(pk__in=named["qrels"]) | Q(evaluation__in=named["scores"])
    assert not Qrels.objects.filter(rest_on, withdrawn_at__isnull=False).exists()


def files_of_rows() -> set[str]:
    """The files that rows name."""
    return {
        name
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, FileField)
        for name in model._base_manager.values_list(field.name, flat=True)
        if name
    }


def stored_files() -> set[str]:
    root = Path(settings.MEDIA_ROOT)
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
