"""A run moves to another team until the pool or a board names it."""

import pytest

from accounts.access import Refused
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from evaluation import services as scoring
from runs.models import Run
from runs.services import runs, teams
from runs.services.runs import move_run
from tests import make
from tests.db.races import overtaken
from tests.db.uploading import RANKING, again, closed, imported_qrels, scored


@pytest.fixture
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
    with pytest.raises(
        Refused, match="Run one is in the frozen pool, so it stays with team Aldgate"
    ):
        move_run(user=olga, run=again(run), team=barbican)
    make.unfrozen(olga, pool)
    scored(olga, campaign)
    with pytest.raises(Refused, match="Run one is on a leaderboard, so it stays with team Aldgate"):
        move_run(user=olga, run=run, team=barbican)  # as it was when the page was opened


def test_a_run_is_not_moved_twice_nor_from_a_page_of_before(campaign, olga, run, barbican):
    seen = run.team_id
    move_run(user=olga, run=run, team=barbican, seen=seen)
    with pytest.raises(Refused, match="has been moved to team Barbican meanwhile"):
        move_run(user=olga, run=run, team=None, seen=seen)
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
    qrels = imported_qrels(olga, campaign)
    outcome = overtaken(
        lambda: scoring.request_evaluation(user=olga, qrels=qrels),
        lambda: move_run(user=olga, run=run, team=barbican),
    )
    assert str(outcome) == "Run one is on a leaderboard, so it stays with team Aldgate."


@pytest.mark.django_db(transaction=True)
def test_a_run_is_withdrawn_or_scored_but_not_both_at_once(campaign, olga, run, queued):
    qrels = imported_qrels(olga, campaign)
    outcome = overtaken(
        lambda: runs.withdraw_run(user=olga, run=run),
        lambda: scoring.request_evaluation(user=olga, qrels=qrels),
    )
    assert "has just been withdrawn" in str(outcome)
