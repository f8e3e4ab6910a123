"""Tags and teams of runs: free until the pool or a board names a run, and then its own for good."""

import pytest
from django.db import IntegrityError, transaction

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from evaluation import services as scoring
from runs import checking
from runs.models import Run
from runs.services import runs, teams
from runs.services.runs import move_run
from tests import make
from tests.db.races import overtaken
from tests.db.uploading import BOTH, OUT, QRELS, RANKING, again, closed, scored
from tests.worlds import once

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
    said = "The tag one is taken: run one of this team has it on a leaderboard"
    with pytest.raises(Refused, match=said):
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

    def meanwhile(run: Run) -> Campaign:
        monkeypatch.setattr(checking, "_lock_tags", lock)
        make.submitted(campaign, quinn, "x", "one")
        return lock(run)

    monkeypatch.setattr(checking, "_lock_tags", meanwhile)
    with pytest.raises(Refused, match="another team of this campaign has it"):
        make.submitted(campaign, pat, "x", "one")
    make.submitted(campaign, quinn, "x", "one")
    monkeypatch.setattr(checking, "_lock_tags", lambda _: pytest.fail("It is stored."))
    with pytest.raises(Refused, match="another team of this campaign has it"):
        make.submitted(campaign, pat, "x", "one")


@pytest.fixture
@once
def run(campaign, pat) -> Run:
    return make.run(campaign, pat, RANKING)


@pytest.fixture
def barbican(campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Barbican")


def test_a_run_moves_to_another_team_and_stays_what_it_was(campaign, olga, run, barbican):
    before = vars(again(run))
    move_run(user=olga, run=run, team=barbican)
    after = vars(again(run))
    changed = {name for name in before if name[0] != "_" and before[name] != after[name]}
    assert (changed, after["team_id"]) == ({"team_id"}, barbican.pk)
    event = AuditEvent.objects.first()
    assert event.subject == "one from Aldgate to Barbican"
    assert event.detail == {"run": run.pk, "from": run.team_id, "to": barbican.pk}


def test_after_the_deadline_a_late_run_becomes_a_baseline_and_a_teams_and_stays_late(
    campaign, olga, run
):
    Run.objects.update(is_late=True)
    closed(campaign)
    aldgate = run.team
    assert move_run(user=olga, run=again(run), team=None).is_baseline
    move_run(user=olga, run=again(run), team=aldgate)
    assert (again(run).team, again(run).is_late) == (aldgate, True)


def test_what_the_pool_or_a_board_names_stays_with_its_team(campaign, olga, run, barbican):
    pool = make.frozen_pool(campaign, [run])
    said = "Run one is in the frozen pool, so it stays with team Aldgate"
    with pytest.raises(Refused, match=said):
        move_run(user=olga, run=again(run), team=barbican)
    make.taken_back(olga, pool)
    scored(olga, campaign)
    with pytest.raises(Refused, match="Run one is on a leaderboard, so it stays with team Aldgate"):
        move_run(user=olga, run=run, team=barbican)  # as it was when the page was opened


def test_a_run_is_not_moved_twice(olga, run, barbican):
    move_run(user=olga, run=run, team=barbican)
    with pytest.raises(Refused, match="is already with team Barbican"):
        move_run(user=olga, run=run, team=barbican)


def test_a_run_does_not_move_to_a_team_of_another_campaign_or_one_that_is_gone(olga, run, barbican):
    other = make.campaign(olga)
    with pytest.raises(Refused, match="not in this campaign"):
        move_run(user=olga, run=run, team=Team.objects.create(campaign=other, name="Zoe"))
    teams.delete_team(user=olga, team=barbican)
    with pytest.raises(Refused, match="no longer there"):
        move_run(user=olga, run=run, team=Team(pk=10**9, campaign=run.campaign, name="Gone"))


@pytest.mark.django_db(transaction=True)
def test_a_run_is_moved_or_scored_but_not_both_at_once(campaign, olga, run, barbican, queued):
    qrels = make.imported_qrels(campaign, QRELS)
    outcome = overtaken(
        lambda: scoring.request_evaluation(user=olga, **make.scope(qrels)),
        lambda: move_run(user=olga, run=run, team=barbican),
    )
    assert str(outcome) == "Run one is on a leaderboard, so it stays with team Aldgate."


@pytest.mark.django_db(transaction=True)
def test_a_run_is_withdrawn_or_scored_but_not_both_at_once(campaign, olga, run, queued):
    qrels = make.imported_qrels(campaign, QRELS)
    outcome = overtaken(
        lambda: runs.withdraw_run(user=olga, run=run),
        lambda: scoring.request_evaluation(user=olga, **make.scope(qrels)),
    )
    assert "has just been withdrawn" in str(outcome)
