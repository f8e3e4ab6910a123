"""Runs in a campaign out of order: taken out and in again, by whom, for whom, until when."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from runs import checking
from runs.access import runs as access
from runs.models import Run
from runs.services import runs, teams
from tests import make
from tests.db.uploading import BOTH, OUT, RANKING, again, closed, do


@BOTH
def test_a_run_is_taken_out_once(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    stale = again(run)
    OUT[state](olga, run)
    for act in OUT.values():
        with pytest.raises(Refused, match=f"Run one is {state} already"):
            act(olga, again(run))
        with pytest.raises(Refused, match="has just changed state"):
            act(olga, stale)


@BOTH
@pytest.mark.parametrize("ranking", [RANKING, {"7": "d1"}])
def test_a_run_comes_back_as_what_its_check_found(campaign, pat, olga, state, ranking):
    run = make.run(campaign, pat, ranking)
    before = run.state
    OUT[state](olga, run)
    assert again(run).why_out.startswith(f"{state} on ")
    runs.reinstate_run(user=olga, run=again(run))
    now = again(run)
    assert (now.state, now.out_at, now.out_by, now.out_reason) == (before, None, None, "")
    with pytest.raises(Refused, match="neither withdrawn nor disqualified"):
        runs.reinstate_run(user=olga, run=now)


def test_a_run_that_was_never_checked_comes_back_to_its_check(campaign, pat):
    run = make.submitted(campaign, pat, make.run_text(RANKING, "one"), "one")
    runs.withdraw_run(user=pat, run=run)
    runs.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.WAITING
    do(checking.check_run, run.pk)
    assert again(run).state == Run.State.VALID


@pytest.mark.parametrize("tag", ["one", "ONE"])
def test_a_run_whose_tag_was_used_again_does_not_come_back(campaign, pat, tag):
    run = make.run(campaign, pat, RANKING)
    runs.withdraw_run(user=pat, run=run)
    newer = make.run(campaign, pat, RANKING, tag)
    with pytest.raises(Refused, match=f"The tag one is taken: run {tag} of this team has it"):
        runs.reinstate_run(user=pat, run=again(run))
    runs.withdraw_run(user=pat, run=newer)
    runs.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.VALID


@BOTH
def test_a_team_takes_back_only_what_it_withdrew_itself(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    OUT[state](olga, run)
    with pytest.raises(Refused, match="only an organizer can reinstate it"):
        runs.reinstate_run(user=pat, run=again(run))
    runs.reinstate_run(user=olga, run=again(run))
    runs.withdraw_run(user=pat, run=again(run))
    runs.reinstate_run(user=pat, run=again(run))


def test_after_the_deadline_organizers_take_runs_out_and_in_and_teams_do_not(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    closed(campaign)
    with pytest.raises(Refused, match="Submission closed on"):
        runs.withdraw_run(user=pat, run=again(run))
    runs.withdraw_run(user=olga, run=again(run))
    with pytest.raises(Refused, match="Submission closed on"):
        runs.reinstate_run(user=pat, run=again(run))
    runs.reinstate_run(user=olga, run=again(run))


def test_a_disqualification_says_why_to_team_and_audit_trail(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    runs.disqualify_run(user=olga, run=run, reason="trained on the qrels")
    assert again(run).why_out.endswith(": trained on the qrels")
    event = AuditEvent.objects.first()
    assert (event.kind, event.detail) == ("run.disqualified", {"reason": "trained on the qrels"})


# By whom, for whom, until when


def test_an_organizer_uploads_for_a_team_and_baselines_of_their_own(campaign, olga):
    file = ContentFile(make.run_text(RANKING, "one").encode(), name="one")
    team = campaign.team_set.get(name="Aldgate")
    run = runs.submit_run(user=olga, campaign=campaign, tag="one", file=file, team=team)
    assert (run.team, run.submitted_by, run.is_baseline) == (team, olga, False)
    assert AuditEvent.objects.first().detail == {"team": "Aldgate"}
    baselines = [make.submitted(campaign, olga, "x", tag) for tag in ("bm25", "ql")]
    assert all(run.is_baseline for run in baselines)
    assert Team.objects.get(is_baseline=True).name == "baselines"


def test_the_name_of_the_baselines_is_no_teams(campaign, olga):
    Team.objects.create(campaign=campaign, name="Baselines")
    assert make.submitted(campaign, olga, "x", "bm25").team.name == "baselines 2"


def test_an_organizer_does_not_upload_for_a_team_of_another_campaign(campaign, olga):
    other = make.campaign(olga, participants={"Elsewhere": []})
    team = Team.objects.create(campaign=other, name="Elsewhere 2")
    with pytest.raises(Refused, match="not in this campaign"):
        runs.submit_run(
            user=olga, campaign=campaign, tag="x", file=ContentFile(b"x", name="x"), team=team
        )


def test_a_participant_uploads_for_no_other_team(campaign, pat, quinn):
    other = Team.objects.get(name="Barbican")
    run = runs.submit_run(
        user=pat, campaign=campaign, tag="x", file=ContentFile(b"x", name="x"), team=other
    )
    assert run.team.name == "Aldgate"


def test_after_the_deadline_only_an_organizer_uploads_and_the_run_is_late(campaign, pat, olga):
    assert not make.submitted(campaign, pat, "x", "early").is_late
    closed(campaign)
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, pat, "x", "late")
    assert make.submitted(campaign, olga, "x", "late").is_late


def test_an_extension_is_for_one_team_and_its_runs_are_late(campaign, pat, quinn, olga):
    closed(campaign)
    team = campaign.team_set.get(name="Aldgate")
    later = timezone.now() + timedelta(days=1)
    teams.extend_deadline(user=olga, team=team, closes_at=later)
    run = make.submitted(campaign, pat, "x", "late")
    assert run.is_late
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, quinn, "x", "other")
    runs.withdraw_run(user=pat, run=again(run))
    teams.extend_deadline(user=olga, team=Team.objects.get(pk=team.pk), closes_at=None)
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, pat, "x", "later")


def test_an_extension_is_later_than_the_deadline_and_never_shortens_it(campaign, pat, olga):
    team = campaign.team_set.get(name="Aldgate")
    tomorrow = timezone.now() + timedelta(days=1)
    with pytest.raises(Refused, match="has no deadline"):
        teams.extend_deadline(user=olga, team=team, closes_at=tomorrow)
    campaign.submission_closes_at = tomorrow
    campaign.save()
    team = campaign.team_set.get(name="Aldgate")
    with pytest.raises(Refused, match="must be after the deadline of all"):
        teams.extend_deadline(user=olga, team=team, closes_at=tomorrow)
    # The deadline of all is moved past an extension.
    Team.objects.update(submission_closes_at=timezone.now() - timedelta(days=1))
    make.submitted(campaign, pat, "x", "one")


# Descriptions


def test_a_description_is_changed_on_record(campaign, pat, quinn):
    run = make.run(campaign, pat, RANKING)
    runs.describe_run(user=pat, run=run, changes={"description": "BM25", "is_manual": True})
    assert (again(run).description, again(run).is_manual) == ("BM25", True)
    event = AuditEvent.objects.first()
    before = {"description": "", "is_manual": False}
    after = {"description": "BM25", "is_manual": True}
    assert event.detail == {"run": run.pk, "before": before, "after": after}
    with pytest.raises(NotThere):
        runs.describe_run(user=quinn, run=run, changes={"description": "x"})


def test_two_who_take_a_run_back_in_at_once_do_so_once(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    runs.withdraw_run(user=pat, run=run)
    stale = again(run)
    runs.reinstate_run(user=pat, run=again(run))
    with pytest.raises(Refused, match="has just changed state"):
        runs.reinstate_run(user=olga, run=stale)


def test_a_run_does_not_come_back_while_another_is_given_its_tag(campaign, pat, monkeypatch):
    run = make.run(campaign, pat, RANKING)
    runs.withdraw_run(user=pat, run=run)
    make.submitted(campaign, pat, "x", "one")
    # It was looked for before the other came.
    monkeypatch.setattr(access, "check_tag_is_free", lambda *_: None)
    with pytest.raises(Refused, match="has just been given the tag one"):
        runs.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.WITHDRAWN


def test_whoever_is_removed_while_they_submit_is_refused(campaign, sam, monkeypatch):
    monkeypatch.setattr("runs.services.runs.check_can_submit", lambda *_: None)
    with pytest.raises(NotYours, match="Only participants"):
        make.submitted(campaign, sam, "x", "one")
