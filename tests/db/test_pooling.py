from dataclasses import replace

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from accounts.access import Refused
from assess.models.assigning import Assignment
from campaigns.models.trail import AuditEvent
from collection.models.texts import Document
from jobs.models import Job
from pooling import access, services, tasks
from pooling.core.strategies import DEPTH, STRATEGIES, depth_pool
from pooling.from_above import dependents_of
from pooling.models import Pool, PoolEntry, shares_of
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
    pool = make.pool(campaign, runs, depth=2)
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
    first = make.pool(campaign, runs, depth=2).sha256
    assert make.pool(campaign, runs[::-1], depth=2).sha256 == first
    assert make.pool(campaign, runs, depth=1).sha256 != first
    assert make.pool(campaign, runs[:1], depth=2).sha256 != first


def test_a_new_pool_takes_the_place_of_one_that_was_not_frozen(campaign, runs):
    make.pool(campaign, runs, depth=1)
    pool = make.pool(campaign, runs, depth=2)
    assert list(Pool.objects.filter(campaign=campaign)) == [pool]


def test_a_frozen_pool_is_never_built_again(campaign, runs, olga):
    pool = make.frozen_pool(campaign, runs)
    with pytest.raises(Refused, match="is frozen"):
        services.request_pool(user=olga, campaign=campaign, runs=runs, depth=3)
    with pytest.raises(Refused, match="is frozen"):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def test_there_is_one_frozen_pool(campaign, runs, olga):
    make.frozen_pool(campaign, runs)
    with pytest.raises(IntegrityError, match="one_frozen_pool"):
        Pool.objects.create(campaign=campaign, seed=1, state="frozen", created_by=olga)


@pytest.mark.parametrize(
    ("state", "sentence"), [("building", "still being built"), ("failed", "could not be built")]
)
def test_a_pool_that_was_not_built_cannot_be_frozen(campaign, runs, olga, state, sentence):
    pool = services.request_pool(user=olga, campaign=campaign, runs=runs, depth=2)
    pool.state = state
    pool.save()
    with pytest.raises(Refused, match=sentence):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def test_the_pool_that_is_frozen_is_the_one_that_was_looked_at(campaign, runs, olga):
    looked_at = make.pool(campaign, runs, depth=1)
    rebuilt = make.pool(campaign, runs, depth=2)
    with pytest.raises(Refused, match="has just been rebuilt"):
        services.freeze_pool(user=olga, pool=rebuilt, sha256=looked_at.sha256)
    with pytest.raises(Refused, match="deleted or replaced meanwhile"):
        services.freeze_pool(user=olga, pool=looked_at, sha256=looked_at.sha256)
    frozen = services.freeze_pool(user=olga, pool=rebuilt, sha256=rebuilt.sha256)
    assert (frozen.state, frozen.frozen_by) == ("frozen", olga)


def test_a_pool_without_a_document_cannot_be_frozen(campaign, olga, pat):
    run = make.run(campaign, pat, {"1": "d1"})
    campaign.topic_set.all().delete()
    pool = make.pool(campaign, [run])
    with pytest.raises(Refused, match="The pool is empty"):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def test_a_pool_discarded_while_it_is_built_gets_no_entries(campaign, runs, olga, monkeypatch):
    def discarded(*args, **parameters):
        Pool.objects.all().delete()
        return depth_pool(*args, **parameters)

    monkeypatch.setitem(STRATEGIES, "depth", replace(DEPTH, pool=discarded))
    pool = services.request_pool(user=olga, campaign=campaign, runs=runs, depth=2)
    job = Job.objects.get(kind="build_pool", subject_id=pool.pk)
    tasks.build_pool(job.pk)
    job.refresh_from_db()
    assert job.outcome == "Another pool was requested while this one was being built."
    assert not PoolEntry.objects.exists()


def test_only_valid_runs_of_the_campaign_contribute(campaign, olga, pat):
    bad = make.run(campaign, pat, {"9": "d1"}, "bad")
    for runs in ([], [bad]):
        with pytest.raises(Refused, match="choose at least one"):
            services.request_pool(user=olga, campaign=campaign, runs=runs, depth=2)
        with pytest.raises(Refused, match="choose at least one"):
            services.request_forecast(user=olga, campaign=campaign, runs=runs)


def test_entries_without_a_document_are_known(campaign, runs):
    pool = make.pool(campaign, runs, depth=2)
    Document.objects.filter(docno="d2").delete()
    assert [entry.docno for entry in pool.entries.without_document()] == ["d2"]


def test_a_document_pooled_for_two_topics_is_one(campaign, pat):
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d2"})
    entries = make.pool(campaign, [run], depth=2).entries.all()
    assert (entries.count(), entries.n_docnos()) == (3, 2)


def test_freezing_gives_each_pooled_run_its_tag_for_good(campaign, runs, pat):
    one, two = runs
    make.frozen_pool(campaign, [one])
    for run, is_pooled in ((one, True), (two, False)):
        run.refresh_from_db()
        assert run.is_pooled == is_pooled
        run.state = Run.State.WITHDRAWN
        run.save()
    Run.objects.create(campaign=campaign, team=two.team, submitted_by=pat, tag=two.tag, n_bytes=0)
    with pytest.raises(IntegrityError, match="one_live_run_per_tag"):
        Run.objects.create(
            campaign=campaign, team=one.team, submitted_by=pat, tag=one.tag, n_bytes=0
        )


@pytest.mark.parametrize("state", ["withdrawn", "disqualified", "invalid"])
def test_a_pool_whose_run_is_no_longer_valid_is_not_frozen(campaign, runs, state):
    pool = make.pool(campaign, runs)
    Run.objects.filter(pk=runs[0].pk).update(state=state)
    with pytest.raises(Refused, match=r"no longer valid \(one\): build it again"):
        services.freeze_pool(user=pool.created_by, pool=pool, sha256=pool.sha256)
    pool.refresh_from_db()
    assert pool.state == "built"
    assert not Run.objects.filter(is_pooled=True).exists()


def test_a_pool_that_lost_a_topic_is_not_frozen(campaign, runs, olga):
    pool = make.pool(campaign, runs)
    campaign.topic_set.get(number="2").delete()
    with pytest.raises(Refused, match="Topics have been deleted since"):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def test_a_pool_can_be_deleted_until_it_is_frozen(campaign, runs, olga):
    pool = services.request_pool(user=olga, campaign=campaign, runs=runs, depth=1)
    services.delete_pool(user=olga, pool=pool)
    job = Job.objects.get(kind="build_pool")
    assert (job.state, job.outcome) == ("failed", "The pool was deleted.")
    assert not Pool.objects.exists()
    with pytest.raises(Refused, match="deleted or replaced meanwhile"):
        services.delete_pool(user=olga, pool=pool)
    with pytest.raises(Refused, match="unfreeze it first"):
        services.delete_pool(user=olga, pool=make.frozen_pool(campaign, runs))


# Undoing the freezing


def test_unfreezing_takes_back_all_that_freezing_did(campaign, runs, olga, ada, ben):
    pool = make.frozen_pool(campaign, runs)
    topic = campaign.topic_set.get(number="1")
    make.assignment(topic, ada)
    make.assignment(topic, ben, "second", share=0.5)
    going = "2 assignments to 2 assessors, with 5 documents to judge"
    assert dependents_of(pool) == [going]
    pool = services.unfreeze_pool(user=olga, pool=pool, seen=version([going]))
    assert (pool.state, pool.frozen_at, pool.frozen_by) == ("built", None, None)
    assert not Assignment.objects.exists()
    assert not Run.objects.filter(is_pooled=True).exists()
    assert AuditEvent.objects.get(kind="pool.unfrozen").detail["removed"] == [going]
    again = services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)
    assert services.unfreeze_pool(user=olga, pool=again, seen=version([])).state == "built"
    make.pool(campaign, runs[:1])


def test_a_pool_is_not_unfrozen_once_anything_has_been_judged(campaign, runs, olga, ada):
    pool = make.frozen_pool(campaign, runs)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgment(assignment, "d1", 2)
    undo(assessor=ada, assignment=assignment)
    with pytest.raises(Refused, match="so the pool can no longer be unfrozen"):
        services.unfreeze_pool(user=olga, pool=pool)
    pool.refresh_from_db()
    assert (pool.state, pool.entries.count()) == ("frozen", pool.n_entries)


@pytest.mark.django_db(transaction=True)
def test_a_pool_stays_frozen_if_somebody_is_judging_at_the_moment(campaign, runs, olga, ada):
    pool = make.frozen_pool(campaign, runs)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    came = overtaken(
        lambda: make.judgment(assignment, "d1", 2),
        lambda: services.unfreeze_pool(user=olga, pool=pool),
    )
    assert "so the pool can no longer be unfrozen" in str(came)
    assert assignment.judgments.exists()


def test_a_pool_is_unfrozen_once(campaign, runs, olga):
    pool = services.unfreeze_pool(user=olga, pool=make.frozen_pool(campaign, runs))
    with pytest.raises(Refused, match="The pool is not frozen"):
        services.unfreeze_pool(user=olga, pool=pool)


def test_who_is_about_to_judge_comes_first_or_finds_nothing(campaign, runs, olga, ada):
    pool = make.frozen_pool(campaign, runs)
    make.assignment(campaign.topic_set.get(number="1"), ada)
    with CaptureQueriesContext(connection) as captured:
        services.unfreeze_pool(user=olga, pool=pool)
    texts = [query["sql"] for query in captured]
    pool_held, held = (
        next(n for n, text in enumerate(texts) if f'FROM "{table}"' in text and "UPDATE" in text)
        for table in ("pooling_pool", "assess_assignment")
    )
    # Whoever assigns holds the pool before an assignment too: neither waits for the other for ever.
    assert pool_held < held
    assert any("assess_judgmentevent" in text for text in texts[held:])


def test_a_pool_is_not_frozen_while_one_of_its_runs_is_taken_out(campaign, runs, olga, monkeypatch):
    pool = make.pool(campaign, runs)
    # It was looked at before the run was withdrawn.
    monkeypatch.setattr(access, "_check_is_up_to_date", lambda _: None)
    Run.objects.filter(pk=runs[0].pk).update(state=Run.State.WITHDRAWN)
    with pytest.raises(Refused, match="no longer valid"):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)
    assert not Run.objects.filter(is_pooled=True).exists()
