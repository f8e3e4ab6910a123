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


def test_another_team_has_a_tag_and_its_rivals_are_not_told_which(
    campaign, pat, quinn, olga, tmp_path
):
    make.run(campaign, pat, RANKING)
    before = sorted(tmp_path.rglob("*"))
    for tag in ("one", "ONE"):  # who has it, and how it is written, is not told
        with pytest.raises(Refused, match=HIDDEN.format(tag)):
            make.submitted(campaign, quinn, "x", tag)
    with pytest.raises(Refused, match="The tag One is taken: run one of team Aldgate has it"):
        make.submitted(campaign, olga, "x", "One")
    with pytest.raises(Refused, match="The tag ONE is taken: run one of this team has it"):
        make.submitted(campaign, pat, "x", "ONE")
    assert sorted(tmp_path.rglob("*")) == before, "a refused file is not kept"


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
    first = make.run(campaign, pat, RANKING)
    runs.withdraw_run(user=pat, run=first)
    second = make.run(campaign, pat, RANKING, "One")
    make.frozen_pool(campaign, [second])
    OUT[state](olga, again(second))
    has_it = "run One of this team has it in the frozen pool"
    for tag in ("one", "ONE"):
        with pytest.raises(Refused, match=has_it):
            make.submitted(campaign, pat, "x", tag)
    with pytest.raises(Refused, match=has_it):
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
