"""Batches of a pool: what they hold, how they are built, and which may be frozen."""

from dataclasses import replace

import pytest

from accounts.access import Refused
from cleverdon.pools.strategy.depths import DEPTH
from cleverdon.pools.strategy.table import STRATEGIES
from collection import importing
from collection.services import imports
from jobs.models import Job
from jobs.work import CannotFinish
from pooling import access, services, tasks
from pooling.access import Batches
from pooling.building import build
from pooling.models.batches import Batch
from pooling.models.contributors import in_common, shares_of
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool
from runs.models import Run
from tests import make
from tests.db.races import overtaken


def test_a_pool_keeps_which_run_had_a_document_at_which_rank(campaign, runs):
    pool = make.batch(campaign, runs, depth=2)
    one, two = (run.pk for run in runs)
    found = {
        f"{e.topic.number} {e.docno}": dict(zip(e.run_ids, e.ranks, strict=True))
        for e in pool.entries.select_related("topic")
    }
    of_one = {"1 d1": {one: 1, two: 2}, "1 d2": {one: 2}, "2 d4": {one: 1}}
    assert found == {**of_one, "1 d3": {two: 1}}
    assert (pool.n_entries, pool.state) == (4, "built")
    first, second = pool.contributors.all()
    assert (first.run.tag, first.n_contributed, first.n_unique) == ("one", 3, 2)
    assert (second.run.tag, second.n_contributed, second.n_unique) == ("two", 2, 1)
    assert [in_common(each.shared).tolist() for each in (first, second)] == [[3, 1], [1, 2]]
    assert shares_of([first, second]).tolist() == [[1, 0.5], [0.5, 1]]


def test_the_same_inputs_give_the_same_pool_whatever_the_order_of_upload(campaign, runs):
    first = make.batch(campaign, runs, depth=2).sha256
    assert make.batch(campaign, runs[::-1], depth=2).sha256 == first
    assert make.batch(campaign, runs, depth=1).sha256 != first
    assert make.batch(campaign, runs[:1], depth=2).sha256 != first


def request(olga, campaign, runs, depth: int = 2) -> Batch:
    how = {"strategy": "depth", "parameters": {"depth": depth}, "runs": runs}
    return services.request_batch(user=olga, campaign=campaign, **how)


def freeze(draft, **given) -> Batch:
    values = {"user": draft.created_by, "batch": draft, "sha256": draft.sha256}
    return services.freeze_batch(**values | given)


def not_frozen(draft, sentence: str, **given) -> None:
    with pytest.raises(Refused, match=sentence):
        freeze(draft, **given)


def test_drafts_stand_side_by_side_up_to_a_number(campaign, runs, olga, monkeypatch):
    drafts = [make.batch(campaign, runs, depth) for depth in (1, 2)]
    assert list(Batch.objects.drafts_of(campaign)) == drafts[::-1]
    monkeypatch.setattr(access, "MAX_DRAFTS", 2)
    with pytest.raises(Refused, match="There are 2 drafts"):
        request(olga, campaign, runs)


@pytest.mark.parametrize(
    ("state", "sentence"), [("building", "still being built"), ("failed", "could not be built")]
)
def test_a_pool_that_was_not_built_cannot_be_frozen(campaign, runs, olga, state, sentence):
    draft = request(olga, campaign, runs)
    draft.state = state
    draft.save()
    not_frozen(draft, sentence)


def test_the_draft_that_is_frozen_is_the_one_that_was_looked_at(campaign, runs, olga):
    draft = make.batch(campaign, runs, depth=1)
    not_frozen(draft, "has another SHA-256 now", sha256="0" * 64)
    assert not Pool.objects.exists()
    frozen = freeze(draft)
    assert (frozen.state, frozen.frozen_by, frozen.version) == ("frozen", olga, 1)
    not_frozen(frozen, "is frozen already")
    other = make.batch(campaign, runs, depth=2)
    services.delete_batch(user=olga, batch=other)
    not_frozen(other, "deleted meanwhile")


def test_a_pool_that_lost_its_topics_is_not_frozen(campaign, runs):
    pool = make.batch(campaign, runs)
    campaign.topic_set.get(number="2").delete()
    not_frozen(pool, "Topics have been deleted since")
    campaign.topic_set.all().delete()
    not_frozen(make.batch(campaign, runs), "The draft is empty")


@pytest.mark.parametrize("state", ["withdrawn", "disqualified", "invalid"])
def test_a_pool_whose_run_is_no_longer_valid_is_not_frozen(campaign, runs, state, monkeypatch):
    pool = make.batch(campaign, runs)
    Run.objects.filter(pk=runs[0].pk).update(state=state)
    not_frozen(pool, r"no longer valid \(one\): build it again")
    # It was looked at before the run was taken out.
    monkeypatch.setattr(Batches.freeze, "rules", ())
    not_frozen(pool, "no longer valid")
    pool.refresh_from_db()
    assert pool.state == "built"
    assert not Run.objects.filter(is_pooled=True).exists()


def test_a_draft_deleted_while_it_is_built_gets_no_entries(campaign, runs, olga, monkeypatch):
    def deleted(*arguments, **parameters):
        Batch.objects.all().delete()
        return DEPTH.choose(*arguments, **parameters)

    monkeypatch.setitem(STRATEGIES, "depth", replace(DEPTH, choose=deleted))
    draft = request(olga, campaign, runs)
    job = make.worked("build_batch", draft.pk)
    assert job.outcome == "The draft was deleted while it was being built."
    assert not PoolEntry.objects.exists()


def test_only_valid_runs_of_the_campaign_contribute_and_parameters_fit_them(
    campaign, runs, olga, pat
):
    how = {"strategy": "depth-by-run", "parameters": {"depths": {"nobody": 3}}, "runs": runs}
    with pytest.raises(Refused, match="No contributing run has the tag 'nobody'"):
        services.request_batch(user=olga, campaign=campaign, **how)
    bad = make.run(campaign, pat, {"9": "d1"}, "bad")
    for none in ([], [bad]):
        with pytest.raises(Refused, match="choose at least one"):
            request(olga, campaign, none)


def test_a_batch_knows_how_many_of_its_documents_are_not_imported(campaign, pat):
    run = make.run(campaign, pat, {"1": "d1 d8", "2": "d9"})
    first = make.batch(campaign, [run], depth=1)
    draft = make.batch(campaign, [run], depth=2)
    assert (first.n_missing, draft.n_missing) == (1, 2)
    assert {entry.docno for entry in draft.entries.without_document()} == {"d8", "d9"}
    row = make.imported(campaign, "documents", b'{"docno": "d9", "text": "Late."}\n')
    for batch, n in ((first, 0), (draft, 1)):
        batch.refresh_from_db()
        assert batch.n_missing == n
    make.undone(row)
    draft.refresh_from_db()
    assert draft.n_missing == 2


def test_topics_that_go_while_a_draft_is_built_end_it(campaign, runs, olga, monkeypatch):
    draft = request(olga, campaign, runs)

    def built(batch):
        found = build(batch)
        campaign.topic_set.filter(number="2").delete()
        return found

    monkeypatch.setattr(tasks, "build", built)
    job = make.worked("build_batch", draft.pk)
    assert job.outcome == "Topics were deleted while the draft was built: build it again."
    draft.refresh_from_db()
    assert (draft.state, draft.entries.count()) == ("failed", 0)


def test_what_an_interrupted_import_wrote_is_counted(campaign, pat, olga, monkeypatch):
    draft = make.batch(campaign, [make.run(campaign, pat, {"1": "d8 d9"})])
    row = make.uploaded(campaign, "documents", b'{"docno": "d9", "text": "Late."}\n')
    imports.confirm_import(user=olga, row=row)

    def broken(_):
        raise CannotFinish("The disk is full.")

    monkeypatch.setattr(importing, "_finish", broken)
    assert make.worked("write_import", row.pk).state == "failed"
    draft.refresh_from_db()
    assert draft.n_missing == 1


@pytest.mark.django_db(transaction=True)
def test_a_batch_is_built_in_turn_with_an_import(campaign, pat, olga):
    run = make.run(campaign, pat, {"1": "d9"})
    row = make.uploaded(campaign, "documents", b'{"docno": "d9", "text": "Late."}\n')
    imports.confirm_import(user=olga, row=row)
    draft = request(olga, campaign, [run])
    overtaken(
        lambda: make.worked("write_import", row.pk), lambda: make.worked("build_batch", draft.pk)
    )
    draft.refresh_from_db()
    assert (draft.state, draft.n_missing) == ("built", 0)


def test_a_draft_can_be_deleted(campaign, runs, olga):
    draft = request(olga, campaign, runs)
    services.delete_batch(user=olga, batch=draft)
    job = Job.objects.get(kind="build_batch")
    assert (job.state, job.outcome) == ("failed", "The draft was deleted.")
    assert not Batch.objects.exists()
    with pytest.raises(Refused, match="deleted meanwhile"):
        services.delete_batch(user=olga, batch=draft)
    with pytest.raises(Refused, match="take it back first"):
        services.delete_batch(user=olga, batch=make.frozen_pool(campaign, runs).last_batch)


def test_a_draft_is_built_again_once_and_among_as_many_drafts_as_there_may_be(campaign, runs, olga):
    [draft, *_] = [request(olga, campaign, runs) for _ in range(access.MAX_DRAFTS)]
    again = services.build_again(user=olga, batch=draft)
    with pytest.raises(Refused, match="deleted meanwhile"):
        services.build_again(user=olga, batch=draft)
    drafts = Batch.objects.drafts_of(campaign)
    assert (drafts.count(), drafts.first()) == (access.MAX_DRAFTS, again)


def test_a_batch_is_of_the_topics_chosen(campaign, runs):
    draft = make.batch(campaign, runs, topics=["2"])
    assert {entry.topic.number for entry in draft.entries.select_related("topic")} == {"2"}


def test_other_order_rules_are_told_apart_by_what_they_would_bring_in(campaign, pat):
    text = "1 Q0 d1 3 1 one\n1 Q0 d2 1 1 one\n1 Q0 d3 2 1 one\n"
    run = make.submitted(campaign, pat, text, "one")
    make.worked("check_run", run.pk)
    run.refresh_from_db()
    draft = make.batch(campaign, [run], depth=1)
    assert [entry.docno for entry in draft.entries.select_related("item")] == ["d3"]
    assert draft.n_swapped == {"docno-ascending": 1, "file-rank": 1}
    for rule, docno in (("docno-ascending", "d1"), ("file-rank", "d2")):
        other = make.batch(campaign, [run], depth=1, order_rule=rule)
        assert [entry.docno for entry in other.entries.select_related("item")] == [docno]


def test_what_the_pool_has_is_brought_in_by_no_rule(campaign, pat):
    run = make.run(campaign, pat, {"1": "d1 d2 d3"})
    tied = b"1 Q0 d1 1 1 tied\n1 Q0 d2 2 1 tied\n"
    other = make.submitted(campaign, pat, tied, "tied")
    make.worked("check_run", other.pk)
    other.refresh_from_db()
    make.frozen_pool(campaign, [run], depth=1)
    draft = make.batch(campaign, [other], depth=1)
    assert [entry.docno for entry in draft.entries.select_related("item")] == ["d2"]
    assert draft.n_swapped == {"docno-ascending": 0, "file-rank": 0}


# Growing


def test_a_batch_adds_what_the_pool_lacks_and_keeps_who_has_the_rest(campaign, runs):
    pool = make.frozen_pool(campaign, runs[:1], depth=2)
    draft = make.batch(campaign, runs, depth=3)
    two = runs[1].pk
    found = {
        (each.topic.number, each.docno): (str(each.standing), two in each.run_ids)
        for each in draft.entries.select_related("topic", "item")
    }
    of_two = {("1", "d1"): ("pooled", True), ("1", "d3"): ("new", True), ("1", "d6"): ("new", True)}
    assert found == of_two | dict.fromkeys([("1", "d2"), ("2", "d4")], ("pooled", False))
    assert (draft.base, draft.n_entries) == (1, 2)
    one, two = (str(pk) for pk in campaign.topic_set.values_list("pk", flat=True))
    assert draft.counts == {"new": {one: 2}, "pooled": {one: 2, two: 1}}
    assert [draft.reasons[each.reason] for each in draft.entries.filter(standing="pooled")] == [
        "in the pool before"
    ] * 3
    before = pool.sha256
    grown = make.frozen(draft)
    assert (grown.version, grown.n_entries) == (2, 5)
    assert PoolEntry.objects.in_pool(grown).count() == 5
    assert grown.sha256 not in {before, draft.sha256}
    assert grown.sha256 == draft.pool_sha256(before)


def test_a_draft_rests_on_the_pool_as_it_was_built(campaign, runs, olga):
    first, second = (make.batch(campaign, runs, depth) for depth in (1, 2))
    pool = make.frozen(first)
    not_frozen(second, "The pool has changed since the draft was built")
    same = make.batch(campaign, runs, depth=1)
    assert same.n_entries == 0
    not_frozen(same, "the pool has all its documents already")
    make.taken_back(olga, pool)
    not_frozen(same, "The pool has changed since the draft was built")
