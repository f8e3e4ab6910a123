"""Pools: what they hold, which may be frozen, and what unfreezing takes back."""

from dataclasses import replace

import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from campaigns.models.trail import AuditEvent
from collection.models.texts import Document
from jobs.models import Job
from pooling import access, services, tasks
from pooling.core.strategies import DEPTH, STRATEGIES, depth_pool
from pooling.from_above import dependents_of
from pooling.models.batches import shares_of
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool
from runs.models import Run
from tests import make
from tests.db.judging import undo
from tests.db.races import overtaken
from tests.worlds import once
from trec.versions import version

ONE = {"1": "d1 d2 d3", "2": "d4"}
TWO = {"1": "d3 d1 d6"}


@pytest.fixture
@once
def runs(campaign, pat):
    return [make.run(campaign, pat, ONE, "one"), make.run(campaign, pat, TWO, "two")]


def test_a_pool_keeps_which_run_had_a_document_at_which_rank(campaign, runs):
    pool = make.batch(campaign, runs, depth=2)
    one, two = (run.pk for run in runs)
    found = {
        (e.topic.number, e.docno): (e.run_ids, e.ranks)
        for e in pool.entries.select_related("topic")
    }
    assert found == {
        ("1", "d1"): ([one, two], [1, 2]),
        ("1", "d2"): ([one], [2]),
        ("1", "d3"): ([two], [1]),
        ("2", "d4"): ([one], [1]),
    }
    assert (pool.n_entries, pool.state) == (4, "built")
    shares = pool.contributors.values_list("run__tag", "n_contributed", "n_unique", "shared")
    assert list(shares) == [("one", 3, 2, {str(two): 1}), ("two", 2, 1, {str(one): 1})]
    first, second = pool.contributors.all()
    assert shares_of([first, second]).tolist() == [[1, 0.5], [0.5, 1]]


def test_the_same_inputs_give_the_same_pool_whatever_the_order_of_upload(campaign, runs):
    first = make.batch(campaign, runs, depth=2).sha256
    assert make.batch(campaign, runs[::-1], depth=2).sha256 == first
    assert make.batch(campaign, runs, depth=1).sha256 != first
    assert make.batch(campaign, runs[:1], depth=2).sha256 != first


def freeze(pool, **given) -> Pool:
    values = {"user": pool.created_by, "pool": pool, "sha256": pool.sha256}
    return services.freeze_batch(**values | given)


def not_frozen(pool, sentence: str, **given) -> None:
    with pytest.raises(Refused, match=sentence):
        freeze(pool, **given)


def test_a_frozen_pool_is_never_built_again(campaign, runs, olga):
    pool = make.frozen_pool(campaign, runs)
    with pytest.raises(Refused, match="is frozen"):
        services.request_batch(user=olga, campaign=campaign, runs=runs, depth=3)
    not_frozen(pool, "is frozen")


@pytest.mark.parametrize(
    ("state", "sentence"), [("building", "still being built"), ("failed", "could not be built")]
)
def test_a_pool_that_was_not_built_cannot_be_frozen(campaign, runs, olga, state, sentence):
    pool = services.request_batch(user=olga, campaign=campaign, runs=runs, depth=2)
    pool.state = state
    pool.save()
    not_frozen(pool, sentence)


def test_the_pool_that_is_frozen_is_the_one_that_was_looked_at(campaign, runs, olga):
    looked_at = make.batch(campaign, runs, depth=1)
    rebuilt = make.batch(campaign, runs, depth=2)
    assert Pool.objects.get() == rebuilt
    not_frozen(rebuilt, "has just been rebuilt", sha256=looked_at.sha256)
    not_frozen(looked_at, "deleted or replaced meanwhile")
    frozen = freeze(rebuilt)
    assert (frozen.state, frozen.frozen_by) == ("frozen", olga)


def test_a_pool_that_lost_its_topics_is_not_frozen(campaign, runs):
    pool = make.batch(campaign, runs)
    campaign.topic_set.get(number="2").delete()
    not_frozen(pool, "Topics have been deleted since")
    campaign.topic_set.all().delete()
    not_frozen(make.batch(campaign, runs), "The pool is empty")


@pytest.mark.parametrize("state", ["withdrawn", "disqualified", "invalid"])
def test_a_pool_whose_run_is_no_longer_valid_is_not_frozen(campaign, runs, state, monkeypatch):
    pool = make.batch(campaign, runs)
    Run.objects.filter(pk=runs[0].pk).update(state=state)
    not_frozen(pool, r"no longer valid \(one\): build it again")
    # It was looked at before the run was taken out.
    monkeypatch.setattr(access, "_check_is_up_to_date", lambda _: None)
    not_frozen(pool, "no longer valid")
    pool.refresh_from_db()
    assert pool.state == "built"
    assert not Run.objects.filter(is_pooled=True).exists()


def test_a_pool_discarded_while_it_is_built_gets_no_entries(campaign, runs, olga, monkeypatch):
    def discarded(*args, **parameters):
        Pool.objects.all().delete()
        return depth_pool(*args, **parameters)

    monkeypatch.setitem(STRATEGIES, "depth", replace(DEPTH, pool=discarded))
    pool = services.request_batch(user=olga, campaign=campaign, runs=runs, depth=2)
    job = Job.objects.get(kind="build_batch", subject_id=pool.pk)
    tasks.build_batch(job.pk)
    job.refresh_from_db()
    assert job.outcome == "Another pool was requested while this one was being built."
    assert not PoolEntry.objects.exists()


def test_only_valid_runs_of_the_campaign_contribute(campaign, olga, pat):
    bad = make.run(campaign, pat, {"9": "d1"}, "bad")
    for runs in ([], [bad]):
        with pytest.raises(Refused, match="choose at least one"):
            services.request_batch(user=olga, campaign=campaign, runs=runs, depth=2)
        with pytest.raises(Refused, match="choose at least one"):
            services.request_forecast(user=olga, campaign=campaign, runs=runs)


def test_entries_are_counted_by_document_and_known_without_one(campaign, pat):
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d2"})
    entries = make.batch(campaign, [run], depth=2).entries
    assert (entries.count(), entries.all().n_docnos()) == (3, 2)
    Document.objects.filter(docno="d1").delete()
    assert [entry.docno for entry in entries.without_document()] == ["d1"]


def test_a_pool_can_be_deleted_until_it_is_frozen(campaign, runs, olga):
    pool = services.request_batch(user=olga, campaign=campaign, runs=runs, depth=1)
    services.delete_batch(user=olga, pool=pool)
    job = Job.objects.get(kind="build_batch")
    assert (job.state, job.outcome) == ("failed", "The pool was deleted.")
    assert not Pool.objects.exists()
    with pytest.raises(Refused, match="deleted or replaced meanwhile"):
        services.delete_batch(user=olga, pool=pool)
    with pytest.raises(Refused, match="unfreeze it first"):
        services.delete_batch(user=olga, pool=make.frozen_pool(campaign, runs))


# Undoing the freezing


def test_unfreezing_takes_back_all_that_freezing_did(campaign, runs, olga, ada, ben):
    pool = make.frozen_pool(campaign, runs[:1])
    is_pooled = dict(Run.objects.values_list("tag", "is_pooled"))
    assert is_pooled == {"one": True, "two": False}
    topic = campaign.topic_set.get(number="1")
    make.assignment(topic, ada)
    make.assignment(topic, ben, "second", share=0.5)
    going = "2 assignments to 2 assessors, with 3 documents to judge"
    assert dependents_of(pool) == [going]
    pool = services.take_back_batch(user=olga, pool=pool, seen=version([going]))
    assert (pool.state, pool.frozen_at, pool.frozen_by) == ("built", None, None)
    assert not Assignment.objects.exists()
    assert not Run.objects.filter(is_pooled=True).exists()
    with pytest.raises(Refused, match="The pool is not frozen"):
        services.take_back_batch(user=olga, pool=pool)
    assert AuditEvent.objects.get(kind="pool.unfrozen").detail["removed"] == [going]
    again = freeze(pool)
    assert services.take_back_batch(user=olga, pool=again, seen=version([])).state == "built"
    make.batch(campaign, runs[:1])


def test_a_pool_is_not_unfrozen_once_anything_has_been_judged(campaign, runs, olga, ada):
    pool = make.frozen_pool(campaign, runs)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgment(assignment, "d1", 2)
    undo(assessor=ada, assignment=assignment)
    with pytest.raises(Refused, match="so the pool can no longer be unfrozen"):
        services.take_back_batch(user=olga, pool=pool)
    pool.refresh_from_db()
    assert (pool.state, pool.entries.count()) == ("frozen", pool.n_entries)


@pytest.mark.django_db(transaction=True)
def test_a_pool_stays_frozen_if_somebody_is_judging_at_the_moment(campaign, runs, olga, ada):
    pool = make.frozen_pool(campaign, runs)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    came = overtaken(
        lambda: make.judgment(assignment, "d1", 2),
        lambda: services.take_back_batch(user=olga, pool=pool),
    )
    assert "so the pool can no longer be unfrozen" in str(came)
    assert assignment.judgments.exists()


@pytest.mark.django_db(transaction=True)
def test_a_judgment_that_comes_first_keeps_the_pool_frozen(campaign, runs, olga, ada):
    pool = make.frozen_pool(campaign, runs)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    refusal = overtaken(
        lambda: make.judgment(assignment, "d1", 1),
        lambda: services.take_back_batch(user=olga, pool=pool),
    )
    assert "can no longer be unfrozen" in str(refusal)
    assert Assignment.objects.get() == assignment
