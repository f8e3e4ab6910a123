"""Frozen batches: what they add to judging, and what taking one back undoes."""

import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.services.sharing import share
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version
from pooling import services
from pooling.from_above import dependents_of
from pooling.models.batches import Batch
from pooling.models.pools import Pool
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make
from tests.db.judging import undo
from tests.db.races import overtaken
from tests.worlds import once


@pytest.fixture
@once
def judging(campaign, runs, ada, ben) -> Assignment:
    """Ada has topic 1 of a pool of two documents, and has judged one; Ben has half of it."""
    make.frozen_pool(campaign, runs[:1], depth=2)
    topic = campaign.topic_set.get(number="1")
    make.assignment(topic, ben, "second", share=0.5)
    assignment = make.assignment(topic, ada)
    make.judgment(assignment, "d1", 2)
    return assignment


def order_of(assignment) -> list[str]:
    entries = assignment.entries.order_by("position")
    return list(entries.values_list("item__key", flat=True))


def test_what_is_added_is_served_behind_what_people_have(judging, campaign, runs, ben):
    before = order_of(judging)
    make.frozen(make.batch(campaign, runs, depth=3))
    judging.refresh_from_db()
    assert order_of(judging)[:2] == before
    assert sorted(order_of(judging)[2:]) == ["d3", "d6"]
    assert (judging.n_entries, judging.n_judged) == (4, 1)
    second = Assignment.objects.get(assessor=ben)
    assert (second.n_entries, len(order_of(second))) == (2, 2)
    other = make.assignment(campaign.topic_set.get(number="2"), ben)
    assert order_of(other) == ["d4"]


def test_what_is_added_to_a_shared_topic_comes_last(campaign, runs, olga, ada, ben):
    make.frozen_pool(campaign, runs[:1], depth=2)
    topic = campaign.topic_set.get(number="1")
    terms = {"assessors": [ada, ben], "n_wanted": 1, "lease_minutes": 9}
    [queue] = share(user=olga, campaign=campaign, topics=[topic], **terms)
    make.frozen(make.batch(campaign, runs, depth=3))
    shared = queue.documents.order_by("position").values_list("item__key", flat=True)
    assert (sorted(shared[:2]), sorted(shared[2:])) == (["d1", "d2"], ["d3", "d6"])
    make.taken_back(olga, Pool.objects.get())
    assert sorted(shared) == ["d1", "d2"]


def test_taking_the_first_batch_back_undoes_all_that_freezing_did(campaign, runs, olga, ada, ben):
    batch = make.frozen_pool(campaign, runs[:1]).last_batch
    is_pooled = dict(Run.objects.values_list("tag", "is_pooled"))
    assert is_pooled == {"one": True, "two": False}
    topic = campaign.topic_set.get(number="1")
    make.assignment(topic, ada)
    make.assignment(topic, ben, "second", share=0.5)
    going = "2 assignments to 2 assessors, with 3 documents to judge"
    assert dependents_of(batch) == [going]
    draft = services.take_back_batch(user=olga, batch=batch, seen=version([going]))
    assert (draft.state, draft.frozen_at, draft.frozen_by, draft.pool) == ("built", *[None] * 3)
    assert not Assignment.objects.exists()
    assert not Pool.objects.exists()
    assert not Run.objects.filter(is_pooled=True).exists()
    with pytest.raises(Refused, match="The batch is not frozen"):
        services.take_back_batch(user=olga, batch=draft)
    assert AuditEvent.objects.get(kind="pool.unfrozen").detail["removed"] == [going]
    make.frozen(draft)
    draft.refresh_from_db()
    assert services.take_back_batch(user=olga, batch=draft, seen=version([])).state == "built"


def test_a_run_that_the_strategy_does_not_read_is_not_pooled(campaign, runs, olga):
    how = {"strategy": "depth-by-run", "parameters": {"depths": {"one": 2, "two": 0}}}
    draft = make.batch(campaign, runs, **how)
    assert dict(draft.contributors.values_list("run__tag", "is_read")) == {
        "one": True,
        "two": False,
    }
    assert Batch.objects.for_list().get(pk=draft.pk).n_runs == 1
    pool = make.frozen(draft)
    pooled = Run.objects.filter(is_pooled=True).values_list("tag", flat=True)
    assert list(pooled) == ["one"]
    make.frozen(make.batch(campaign, runs, depth=3))
    assert set(pooled.all()) == {"one", "two"}
    pool.refresh_from_db()
    make.taken_back(olga, pool)
    assert list(pooled.all()) == ["one"]


def test_taking_a_later_batch_back_leaves_what_was_before(judging, campaign, runs, olga, ben):
    pool = Pool.objects.get()
    before = (pool.version, pool.n_entries, pool.sha256), order_of(judging)
    batch = make.frozen(make.batch(campaign, runs, depth=3)).last_batch
    make.assignment(campaign.topic_set.get(number="2"), ben)
    assert dependents_of(batch) == [
        "1 assignment to 1 assessor, with 1 document to judge",
        "3 documents that were added to earlier assignments",
    ]
    with pytest.raises(Refused, match="Only the last batch"):
        services.take_back_batch(user=olga, batch=Batch.objects.get(version=1))
    make.taken_back(olga, Pool.objects.get())
    pool.refresh_from_db()
    judging.refresh_from_db()
    assert ((pool.version, pool.n_entries, pool.sha256), order_of(judging)) == before
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d1": 2}}, "judged before the batch"
    assert (judging.n_entries, judging.n_judged) == (2, 1)
    is_pooled = dict(Run.objects.values_list("tag", "is_pooled"))
    assert is_pooled == {"one": True, "two": False}
    assert Assignment.objects.count() == 2


def test_a_batch_of_which_something_is_judged_stays(judging, campaign, runs, olga, ada):
    with pytest.raises(Refused, match="begun, so the batch can no longer"):
        make.taken_back(olga, Pool.objects.get())
    make.frozen(make.batch(campaign, runs, depth=3))
    make.judgment(judging, "d6", 2)
    undo(assessor=ada, assignment=judging)
    with pytest.raises(Refused, match="begun, so the batch can no longer"):
        make.taken_back(olga, Pool.objects.get())
    assert Pool.objects.get().version == 2


def test_a_batch_that_published_qrels_rest_on_stays(judging, campaign, runs, olga):
    qrels = publish_qrels(user=olga, campaign=campaign)
    pool = make.frozen(make.batch(campaign, runs, depth=3))
    assert (qrels.pool_version, qrels.n_unjudged, qrels.pooled.count()) == (1, 2, 3)
    make.taken_back(olga, pool)
    make.frozen(make.batch(campaign, runs, depth=3))
    make.judgment(judging, "d2", 0)
    publish_qrels(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="Qrels v2 rest on version 2 of the pool"):
        make.taken_back(olga, Pool.objects.get())


@pytest.mark.django_db(transaction=True)
def test_who_judges_at_the_moment_keeps_the_batch(campaign, runs, olga, ada):
    campaign.has_fixed_scale = True  # or the first grade would lock the campaign
    campaign.save()
    pool = make.frozen_pool(campaign, runs)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    came = overtaken(
        lambda: make.judgment(assignment, "d1", 2), lambda: make.taken_back(olga, pool)
    )
    assert "so the batch can no longer be taken back" in str(came)
    assert assignment.judgments.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_drafts_frozen_at_once_one_reads_that_the_pool_has_changed(campaign, runs, olga):
    first, second = (make.batch(campaign, runs, depth) for depth in (1, 2))
    came = overtaken(lambda: make.frozen(first), lambda: make.frozen(second))
    assert "The pool has changed since" in str(came)
    assert Pool.objects.get().version == 1
