"""Adaptive pools: the next documents join where little is left, and can be chosen again."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings
from django.db import connection

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.services.sharing import share
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services.ending import archive_campaign, restore_campaign
from cleverdon.pools.entries import Before
from cleverdon.pools.forming import form
from collection.models.texts import Document
from jobs.models import Job
from jobs.storage import local_path
from overview.services.rounds import begin_round
from pooling import building, growing, services, tasks
from pooling.building import docnos_by_topic
from pooling.models.batches import Batch
from pooling.models.contributors import facts_of
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool
from qrels.services.publishing import publish_qrels
from runs.models import Run, open_runs
from runs.services.runs import disqualify_run
from tests import make
from tests.db.races import overtaken
from tests.worlds import once

HOW = {"first": 2, "batch": 10, "floor": 12, "cap": 30, "reading_depth": 50}


@pytest.fixture
@once
def campaign(olga, ada, ben, pat) -> Campaign:
    made = make.campaign(
        olga, assessors=[ada, ben], participants={"Aldgate": [pat]}, topics=["1", "2"]
    )
    make.documents(made, [f"{run}{n:02}" for run in "ab" for n in range(40)])
    return made


@pytest.fixture
@once
def assignment(campaign, pat, ada) -> Assignment:
    """Ada has topic 1 of an adaptive pool of two runs without a document in common."""
    runs = [
        make.run(campaign, pat, {t: " ".join(f"{tag}{n:02}" for n in range(40)) for t in "12"}, tag)
        for tag in "ab"
    ]
    make.frozen(make.batch(campaign, runs, strategy="max-mean", parameters=HOW))
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def judge_all(assignment) -> None:
    """Grade what is left: the documents of run a are relevant."""
    left = assignment.entries.filter(judgment=None).values_list("item__key", flat=True)
    for docno in list(left):
        make.judgment(assignment, docno, 2 if docno[0] == "a" else 0)
    assignment.refresh_from_db()


def test_the_next_documents_come_from_the_run_that_did_best(assignment, campaign):
    assert assignment.n_entries == 4
    judge_all(assignment)
    begin_round(user=make.organizer_of(campaign), campaign=campaign)
    make.grown(campaign)
    assignment.refresh_from_db()
    pool, batch = Pool.objects.get(), Batch.objects.get(version=2)
    assert (pool.version, pool.n_entries) == (2, 8 + 10)
    assert (batch.topics, batch.state, batch.frozen_by.username) == (["1"], "frozen", "olga")
    told = AuditEvent.objects.filter(kind__startswith="pool.").order_by("pk")
    assert [each.kind for each in told] == ["pool.requested", "pool.frozen", "pool.grew"]
    assert batch.round == 1
    assert batch.judged == {"1": {"a00": 1, "a01": 1, "b00": 0, "b01": 0}}
    added = assignment.entries.filter(judgment=None).values_list("item__key", flat=True)
    assert len(added) == 10
    assert sum(docno[0] == "a" for docno in added) >= 8


def test_nothing_comes_while_much_is_left_and_nothing_twice(assignment, campaign):
    judge_all(assignment)
    for _ in range(2):
        make.grown(campaign)
    assert Pool.objects.get().version == 2


def test_a_topic_ends_at_the_cap_and_past_the_floor_without_a_relevant_document(
    assignment, campaign
):
    for expected in (14, 24, 30, 30):
        judge_all(assignment)
        make.grown(campaign)
        assert PoolEntry.objects.pooled().filter(topic=assignment.topic).count() == expected


def test_a_topic_for_which_it_was_not_chosen_does_not_grow(campaign, pat, ada):
    runs = [make.run(campaign, pat, {t: " ".join(f"a{n:02}" for n in range(40)) for t in "12"})]
    make.frozen(make.batch(campaign, runs, depth=2))
    make.frozen(make.batch(campaign, runs, strategy="max-mean", parameters=HOW, topics=["1"]))
    one, two = (make.assignment(campaign.topic_set.get(number=each), ada) for each in "12")
    judge_all(one)
    judge_all(two)
    pool = Pool.objects.get()
    assert [growing.may_grow(pool, each.topic) for each in (one, two)] == [True, False]
    for _ in range(2):
        make.grown(campaign)
        judge_all(one)
    assert [each.topics for each in Batch.objects.adaptive()] == [["1"]] * 3
    two.refresh_from_db()
    assert two.n_entries == 2


def test_runs_that_have_nothing_more_are_not_read_at_each_look(assignment, campaign, monkeypatch):
    Batch.objects.update(parameters={**HOW, "reading_depth": 2})
    judge_all(assignment)
    make.grown(campaign)
    monkeypatch.setattr(tasks, "build", None)
    make.grown(campaign)
    assert Pool.objects.get().growth_fault == ""
    assert Batch.objects.count() == 1


def test_below_the_floor_it_goes_on_whatever_was_found(assignment, campaign):
    for expected in (14, 14):
        for docno in list(assignment.entries.filter(judgment=None)):
            make.judgment(assignment, docno.docno, 0)
        make.grown(campaign)
        assert PoolEntry.objects.pooled().filter(topic=assignment.topic).count() == expected


def test_each_choice_can_be_made_again_from_what_is_stored(assignment, campaign):
    judge_all(assignment)
    make.grown(campaign)
    batch = Batch.objects.get(version=2)
    runs = list(Run.objects.filter(contributor__batch=batch))
    opened = {run.pk: open_runs([run])[run.tag] for run in runs}
    pooled = {
        topic: docnos
        - set(batch.entries.filter(standing="new").values_list("item__key", flat=True))
        for topic, docnos in docnos_by_topic(PoolEntry.objects.with_grades_in(campaign)).items()
    }
    before = Before(pooled, batch.judged, batch.base)
    [(_, entries)] = form(opened, facts_of(runs), batch.topics, batch.recipe, before)
    stored = batch.entries.order_by("position").values_list("item__key", "standing")
    assert [(each.docno, each.standing) for each in entries] == list(stored)


def test_a_shared_topic_grows_too(assignment, campaign, olga, ben):
    terms = {"n_wanted": 1, "lease_minutes": 9, "assessors": [ben]}
    topic = campaign.topic_set.get(number="2")
    [queue] = share(user=olga, campaign=campaign, topics=[topic], **terms)
    make.grown(campaign)  # four of topic 1, four of topic 2: few are left of both
    assert queue.documents.count() == 14


def test_a_step_that_was_taken_back_does_not_come_again_by_itself(assignment, campaign, olga):
    judge_all(assignment)
    make.grown(campaign)
    draft = make.taken_back(olga, Pool.objects.get())
    make.grown(campaign)
    assert Pool.objects.get().version == 1
    services.delete_batch(user=olga, batch=draft)
    make.grown(campaign)
    assert Pool.objects.get().version == 2


@pytest.mark.django_db(transaction=True)
def test_a_pool_grows_while_it_is_frozen_by_hand_and_nobody_waits_for_ever(
    assignment, campaign, olga
):
    judge_all(assignment)
    draft = make.batch(campaign, list(Run.objects.all()), depth=9)
    freeze = partial(services.freeze_batch, user=olga, batch=draft, sha256=draft.sha256)
    came = overtaken(partial(make.grown, campaign), freeze)
    assert "The pool has changed since" in str(came)


@pytest.mark.django_db(transaction=True)
def test_a_pool_whose_last_batch_is_being_taken_back_does_not_grow(assignment, campaign, olga, ben):
    judge_all(assignment)
    make.grown(campaign)
    make.assignment(campaign.topic_set.get(number="2"), ben)  # of which little is left
    overtaken(lambda: make.taken_back(olga, Pool.objects.get()), partial(make.grown, campaign))
    pool = Pool.objects.get()
    assert (pool.version, pool.growth_fault) == (1, "")


@pytest.fixture
def meanwhile(monkeypatch):
    """Has something done once, when the next batch is formed and not yet stored."""

    def have(act: Callable[[], object]) -> None:
        waiting = [act]

        def build(batch: Batch) -> object:
            formed = building.build(batch)
            for each in waiting[:]:
                waiting.remove(each)
                each()
            return formed

        monkeypatch.setattr(tasks, "build", build)

    return have


@pytest.mark.django_db(transaction=True)
def test_while_the_next_documents_are_chosen_nobody_waits(
    assignment, campaign, olga, pat, meanwhile
):
    """Runs are uploaded and checked, judgments given, qrels published, drafts asked for."""
    judge_all(assignment)
    other = make.assignment(campaign.topic_set.get(number="2"), assignment.assessor)
    done = []

    def act() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '3s'")
            make.run(campaign, pat, {"1": "a00 b00"}, "late")
            make.judgment(other, other.entries.first().docno, 1)
            publish_qrels(user=olga, campaign=campaign)
            make.batch(campaign, list(Run.objects.filter(tag="late")), depth=1)
            done.append("all")
        finally:
            connection.close()

    def at_once() -> None:
        thread = threading.Thread(target=act)
        thread.start()
        thread.join()

    meanwhile(at_once)
    make.grown(campaign)
    assert done == ["all"]
    assert Pool.objects.get().version == 2


def test_a_pool_that_was_taken_back_meanwhile_is_not_extended(
    assignment, campaign, olga, ben, meanwhile
):
    judge_all(assignment)
    make.grown(campaign)
    make.assignment(campaign.topic_set.get(number="2"), ben)  # of which little is left
    meanwhile(lambda: make.taken_back(olga, Pool.objects.get()))
    make.grown(campaign)
    pool, draft = Pool.objects.get(), Batch.objects.get(pool=None)
    assert (pool.version, pool.growth_fault, draft.base) == (1, "", 1)


def test_a_pool_that_grew_by_hand_meanwhile_grows_by_itself_at_the_next_look(
    assignment, campaign, meanwhile
):
    judge_all(assignment)
    by_hand = make.batch(campaign, list(Run.objects.all()), depth=3)
    meanwhile(lambda: make.frozen(by_hand))
    make.grown(campaign)
    assert list(Batch.objects.order_by("pk").values_list("version", flat=True)) == [1, 2]
    make.grown(campaign)
    pool = Pool.objects.get()
    assert (pool.version, pool.growth_fault, pool.last_batch.base) == (3, "", 2)


def test_runs_that_are_disqualified_meanwhile_bring_nothing(assignment, campaign, olga, meanwhile):
    judge_all(assignment)
    run = Run.objects.get(tag="a")
    meanwhile(lambda: disqualify_run(user=olga, run=run, reason="Not by this team."))
    make.grown(campaign)
    assert Batch.objects.count() == 1
    make.grown(campaign)
    second = Batch.objects.get(version=2)
    assert [each.run.tag for each in second.contributors.all()] == ["b"]


def test_a_campaign_is_archived_before_its_pool_grows_or_after_not_meanwhile(
    assignment, campaign, olga
):
    judge_all(assignment)
    growing.grow(campaign.pk)
    with pytest.raises(Refused, match="A job is still running"):
        archive_campaign(user=olga, campaign=campaign)
    services.delete_batch(user=olga, batch=Batch.objects.get(pool=None))
    archive_campaign(user=olga, campaign=campaign)
    make.grown(campaign)
    assert "archived" in Pool.objects.get().growth_fault
    restore_campaign(user=olga, campaign=campaign)
    make.grown(campaign)
    pool = Pool.objects.get()
    assert (pool.version, pool.growth_fault) == (2, "")


def test_a_draft_that_is_deleted_meanwhile_comes_again_at_the_next_look(
    assignment, campaign, olga, meanwhile
):
    judge_all(assignment)
    meanwhile(lambda: services.delete_batch(user=olga, batch=Batch.objects.get(pool=None)))
    make.grown(campaign)
    assert Pool.objects.get().version == 1
    make.grown(campaign)
    assert Pool.objects.get().version == 2


def test_while_a_step_is_being_built_no_other_is_asked_for(assignment, campaign):
    judge_all(assignment)
    for _ in range(2):
        growing.grow(campaign.pk)
    assert Job.objects.filter(kind="build_batch", state="waiting").count() == 1


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"?")])
def test_a_pool_that_cannot_grow_says_why_until_it_can(assignment, campaign, damage):
    judge_all(assignment)
    path = local_path(Run.objects.get(tag="a").columns)
    content = path.read_bytes()
    damage(path)
    make.grown(campaign)
    pool = Pool.objects.get()
    assert pool.growth_fault
    assert pool.growth_fault in Job.objects.get(kind="build_batch", state="failed").outcome
    assert pool.version == 1
    path.write_bytes(content)
    make.grown(campaign)
    pool.refresh_from_db()
    assert (pool.version, pool.growth_fault) == (2, "")


def test_every_pool_that_is_adaptive_is_looked_at_regularly(assignment, campaign, monkeypatch):
    scheduled = {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()}
    assert growing.grow_all.name in scheduled & set(current_app.tasks)
    asked = []
    monkeypatch.setattr(growing.broker, "send", lambda task, pk, **_: asked.append((task.name, pk)))
    growing.grow_all()
    assert asked == [("pooling.growing.grow", campaign.pk)]
    Campaign.objects.update(archived_at=campaign.created_at)
    growing.grow_all()
    assert len(asked) == 1


def test_a_pool_that_is_not_adaptive_or_gone_does_not_grow(campaign, pat, assignment, olga):
    make.taken_back(olga, Pool.objects.get())
    make.grown(campaign)
    assert not Pool.objects.exists()
    make.frozen_pool(campaign, list(Run.objects.all()), depth=2)
    make.assignment(campaign.topic_set.get(number="1"), assignment.assessor)
    make.grown(campaign)
    assert Pool.objects.get().version == 1


def test_a_pool_grows_past_documents_that_are_all_duplicates(campaign, pat, ada):
    Document.objects.filter(campaign=campaign, docno__regex="[ab](0[2-6])").update(
        title="", text="One text"
    )
    run = {t: " ".join(f"a{n:02}" for n in range(40)) for t in "12"}
    how = {"parameters": HOW, "joins_duplicates": True}
    runs = [make.run(campaign, pat, run, "a")]
    make.frozen(make.batch(campaign, runs, strategy="max-mean", **how))
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    judge_all(assignment)
    make.grown(campaign)
    second = Batch.objects.get(version=2)
    assert second.entries.filter(topic=assignment.topic, standing="duplicate").count() == 4
    assert second.n_entries == 6
