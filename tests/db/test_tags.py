"""Tags: whose they are, and for how long."""

import pytest
from django.db import IntegrityError, transaction

from accounts.access import Refused
from runs import checking
from runs.models import Run
from runs.services import runs
from tests import make
from tests.db.uploading import BOTH, OUT, RANKING, again, scored

HIDDEN = "The tag {} is taken: another team of this campaign has it. Capitals make no difference.$"


def test_another_team_has_a_tag_and_its_rivals_are_not_told_which(campaign, pat, quinn, olga):
    make.run(campaign, pat, RANKING)
    for tag in ("one", "ONE"):  # who has it, and how it is written, is not told
        with pytest.raises(Refused, match=HIDDEN.format(tag)):
            make.submitted(campaign, quinn, "x", tag)
    with pytest.raises(Refused, match="The tag One is taken: run one of team Aldgate has it"):
        make.submitted(campaign, olga, "x", "One")


@BOTH
def test_a_tag_that_neither_pool_nor_board_names_is_free_for_any_team(
    campaign, pat, quinn, olga, state
):
    run = make.run(campaign, pat, RANKING)
    OUT[state](olga, run)
    assert make.run(campaign, quinn, RANKING).state == Run.State.VALID
    with pytest.raises(Refused, match=HIDDEN.format("one")):
        make.submitted(campaign, pat, "x", "one")
    with pytest.raises(Refused, match="The tag one is taken: run one of team Barbican has it"):
        runs.reinstate_run(user=olga, run=again(run))


def test_the_tag_of_an_invalid_run_is_free_for_any_team(campaign, pat, quinn):
    invalid = make.run(campaign, pat, {"7": "d1"})
    assert make.run(campaign, quinn, RANKING).state == Run.State.VALID
    campaign.topic_set.create(number="7", title="seven")
    runs.recheck_run(user=pat, run=invalid)
    make.worked("recheck_run", invalid.pk)
    invalid.refresh_from_db()
    assert invalid.state == Run.State.INVALID
    assert invalid.report["errors"][0]["message"] == "The tag one was given to another run."


@BOTH
def test_a_run_on_a_board_keeps_its_tag_for_good(campaign, pat, quinn, olga, state):
    run = make.run(campaign, pat, RANKING)
    scored(olga, campaign)
    OUT[state](olga, again(run))
    with pytest.raises(
        Refused, match="The tag one is taken: run one of this team has it on a leaderboard"
    ):
        make.submitted(campaign, pat, "x", "one")
    with pytest.raises(Refused, match=HIDDEN.format("one")):
        make.submitted(campaign, quinn, "x", "one")
    with pytest.raises(IntegrityError, match="one_live_run_per_tag"), transaction.atomic():
        Run.objects.create(campaign=campaign, team=run.team, submitted_by=pat, tag="ONE", n_bytes=1)


@BOTH
def test_a_pooled_run_keeps_its_tag_for_good(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    make.frozen_pool(campaign, [run])
    OUT[state](olga, again(run))
    for tag in ("one", "ONE"):
        with pytest.raises(
            Refused, match="is taken: run one of this team has it in the frozen pool"
        ):
            make.submitted(campaign, pat, "x", tag)


def test_capitals_make_no_other_tag(campaign, pat):
    run = make.run(campaign, pat, RANKING, "BM25")
    with pytest.raises(Refused, match="The tag bm25 is taken: run BM25 of this team has it"):
        make.submitted(campaign, pat, "x", "bm25")
    with pytest.raises(IntegrityError, match="one_live_run_per_tag"), transaction.atomic():
        Run.objects.create(
            campaign=campaign, team=run.team, submitted_by=pat, tag="bm25", n_bytes=1
        )


def test_a_refused_file_is_not_kept(campaign, pat, quinn, tmp_path):
    make.run(campaign, pat, RANKING)
    before = sorted(tmp_path.rglob("*"))
    for person in (pat, quinn):
        with pytest.raises(Refused):
            make.submitted(campaign, person, "x", "one")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_tag_that_the_pool_names_does_not_come_back_with_another_run(campaign, pat, olga):
    first = make.run(campaign, pat, RANKING)
    runs.withdraw_run(user=pat, run=first)
    second = make.run(campaign, pat, RANKING, "One")
    make.frozen_pool(campaign, [second])
    runs.withdraw_run(user=pat, run=again(second), is_pooled=True)
    with pytest.raises(Refused, match="run One of this team has it in the frozen pool"):
        runs.reinstate_run(user=olga, run=again(first))


def test_a_tag_is_looked_for_before_the_file_is_stored_and_again_under_the_lock(
    campaign, pat, quinn, monkeypatch
):
    """Two runs come at once: the second has been looked for before the first was there."""
    lock = checking._lock_tags  # noqa: SLF001

    def meanwhile(run: Run) -> None:
        monkeypatch.setattr(checking, "_lock_tags", lock)
        make.submitted(campaign, quinn, "x", "one")
        lock(run)

    monkeypatch.setattr(checking, "_lock_tags", meanwhile)
    with pytest.raises(Refused, match="another team of this campaign has it"):
        make.submitted(campaign, pat, "x", "one")
    make.submitted(campaign, quinn, "x", "one")
    monkeypatch.setattr(checking, "_lock_tags", lambda _: pytest.fail("It is stored."))
    with pytest.raises(Refused, match="another team of this campaign has it"):
        make.submitted(campaign, pat, "x", "one")
