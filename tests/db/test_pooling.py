import pytest
from django.db import IntegrityError

from accounts.access import Refused
from campaigns.models import Document, Job, Run
from pooling import services, tasks
from pooling.core.strategies import depth_pool
from pooling.forecast import forecast
from pooling.models import Pool, PoolEntry
from tests import make

ONE = {"1": "d1 d2 d3", "2": "d4"}
TWO = {"1": "d3 d1 d6"}


@pytest.fixture
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
    shares = pool.contributors.values_list("run__tag", "n_contributed", "n_unique")
    assert list(shares) == [("one", 3, 2), ("two", 2, 1)]


def test_the_same_inputs_give_the_same_pool_whatever_the_order_of_upload(
    campaign, runs
):
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
        Pool.objects.create(
            campaign=campaign, depth=1, seed=1, state="frozen", created_by=olga
        )


@pytest.mark.parametrize(("state", "sentence"), [("building", "still being built"), ("failed", "could not be built")])  # fmt: skip
def test_a_pool_that_was_not_built_cannot_be_frozen(campaign, runs, olga, state, sentence):  # fmt: skip
    pool = services.request_pool(user=olga, campaign=campaign, runs=runs, depth=2)
    pool.state = state
    pool.save()
    with pytest.raises(Refused, match=sentence):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def test_the_pool_that_is_frozen_is_the_one_that_was_looked_at(
    campaign, runs, olga, client
):
    looked_at = make.pool(campaign, runs, depth=1)
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/pool/").content.decode()
    assert f'name="sha256" value="{looked_at.sha256}"' in page
    rebuilt = make.pool(campaign, runs, depth=2)
    address = f"/campaigns/{campaign.slug}/pool/freeze/"
    response = client.post(address, {"sha256": looked_at.sha256})
    assert response.status_code == 409
    assert "The pool has just been rebuilt." in response.content.decode()
    rebuilt.refresh_from_db()
    assert rebuilt.state == Pool.State.BUILT
    assert client.post(address, {"sha256": rebuilt.sha256}).status_code == 302


def test_a_pool_without_a_document_cannot_be_frozen(campaign, olga, pat):
    run = make.run(campaign, pat, {"1": "d1"})
    campaign.topic_set.all().delete()
    pool = make.pool(campaign, [run])
    with pytest.raises(Refused, match="The pool is empty"):
        services.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def test_a_pool_discarded_while_it_is_built_gets_no_entries(
    campaign, runs, olga, monkeypatch
):
    def discarded(*args):
        Pool.objects.all().delete()
        return depth_pool(*args)

    monkeypatch.setattr(tasks, "depth_pool", discarded)
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


def test_the_forecast_is_the_size_of_the_pool_that_would_be_built(campaign, runs):
    for depth in (1, 2, 3):
        sizes = forecast(runs, ["1", "2"])
        assert sizes.at(depth) == make.pool(campaign, runs, depth).n_entries


def test_entries_without_a_document_are_known(campaign, runs):
    pool = make.pool(campaign, runs, depth=2)
    Document.objects.filter(docno="d2").delete()
    assert [entry.docno for entry in pool.entries.without_document()] == ["d2"]


def test_freezing_gives_each_pooled_run_its_tag_for_good(campaign, runs, pat):
    one, two = runs
    make.frozen_pool(campaign, [one])
    for run, is_pooled in ((one, True), (two, False)):
        run.refresh_from_db()
        assert run.is_pooled == is_pooled
        run.state = Run.State.WITHDRAWN
        run.save()
    Run.objects.create(campaign=campaign, team=two.team, submitted_by=pat, tag=two.tag, n_bytes=0)  # fmt: skip
    with pytest.raises(IntegrityError, match="one_live_run_per_tag"):
        Run.objects.create(campaign=campaign, team=one.team, submitted_by=pat, tag=one.tag, n_bytes=0)  # fmt: skip


@pytest.mark.parametrize("state", ["withdrawn", "disqualified", "invalid"])
def test_a_pool_whose_run_is_no_longer_valid_is_not_frozen(campaign, runs, state):
    pool = make.pool(campaign, runs)
    Run.objects.filter(pk=runs[0].pk).update(state=state)
    with pytest.raises(Refused, match=r"no longer valid \(one\): build it again"):
        services.freeze_pool(user=pool.created_by, pool=pool, sha256=pool.sha256)
    pool.refresh_from_db()
    assert pool.state == "built"
    assert not Run.objects.filter(is_pooled=True).exists()
