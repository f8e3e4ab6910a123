"""Runs in a campaign out of order: taken out and in again, by whom, for whom, until when."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from runs import checking
from runs.access.runs import Runs
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
    out = again(run)
    assert out.why_out.startswith(f"{state} on ")
    assert out.why_out.endswith(": no") == (state == "disqualified")
    with pytest.raises(Refused, match="only an organizer can reinstate it"):
        runs.reinstate_run(user=pat, run=out)
    runs.reinstate_run(user=olga, run=out)
    now = again(run)
    assert (now.state, now.out_at, now.out_by, now.out_reason) == (before, None, None, "")
    with pytest.raises(Refused, match="neither withdrawn nor disqualified"):
        runs.reinstate_run(user=olga, run=now)
    runs.withdraw_run(user=pat, run=now)
    stale = again(run)
    runs.reinstate_run(user=pat, run=again(run))
    with pytest.raises(Refused, match="has just changed state"):
        runs.reinstate_run(user=olga, run=stale)


def test_a_run_that_was_never_checked_comes_back_to_its_check(campaign, pat):
    run = make.submitted(campaign, pat, make.run_text(RANKING, "one"), "one")
    runs.withdraw_run(user=pat, run=run)
    do(checking.check_run, run.pk)
    assert again(run).state == Run.State.WITHDRAWN
    runs.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.WAITING
    do(checking.check_run, run.pk)
    assert again(run).state == Run.State.VALID


@pytest.mark.parametrize("tag", ["one", "ONE"])
def test_a_run_whose_tag_was_used_again_does_not_come_back(campaign, pat, tag, monkeypatch):
    run = make.run(campaign, pat, RANKING)
    runs.withdraw_run(user=pat, run=run)
    newer = make.run(campaign, pat, RANKING, tag)
    with pytest.raises(Refused, match=f"The tag one is taken: run {tag} of this team has it"):
        runs.reinstate_run(user=pat, run=again(run))
    with monkeypatch.context() as patch:  # it was looked for before the other came
        patch.setattr(Runs.reinstate, "rules", ())
        with pytest.raises(Refused, match="has just been given the tag one"):
            runs.reinstate_run(user=pat, run=again(run))
    runs.withdraw_run(user=pat, run=newer)
    runs.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.VALID


# By whom, for whom, until when


def uploaded(user, campaign, team) -> Run:
    file = ContentFile(make.run_text(RANKING, "one").encode(), name="one")
    return runs.submit_run(user=user, campaign=campaign, tag="one", file=file, team=team)


def test_an_organizer_uploads_for_a_team_and_baselines(campaign, olga, sam):
    team = campaign.team_set.get(name="Aldgate")
    run = uploaded(olga, campaign, team)
    assert (run.team, run.submitted_by, run.is_baseline) == (team, olga, False)
    assert AuditEvent.objects.first().detail == {"team": "Aldgate"}
    baselines = [make.submitted(campaign, olga, "x", tag) for tag in ("bm25", "ql")]
    assert all(run.is_baseline for run in baselines)
    assert Team.objects.get(is_baseline=True).name == "baselines"
    other = Team.objects.create(campaign=make.campaign(sam), name="Elsewhere")
    with pytest.raises(Refused, match="not in this campaign"):
        uploaded(olga, campaign, other)


def test_the_name_of_the_baselines_is_no_teams(campaign, olga):
    Team.objects.create(campaign=campaign, name="Baselines")
    assert make.submitted(campaign, olga, "x", "bm25").team.name == "baselines 2"


def test_a_participant_uploads_for_no_other_team(campaign, pat, quinn):
    assert uploaded(pat, campaign, Team.objects.get(name="Barbican")).team.name == "Aldgate"


def test_after_the_deadline_only_organizers_upload_late_and_take_runs_out_and_in(
    campaign, pat, olga
):
    run = make.run(campaign, pat, RANKING)
    assert not run.is_late
    closed(campaign)
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, pat, "x", "late")
    assert make.submitted(campaign, olga, "x", "late").is_late
    with pytest.raises(Refused, match="Submission closed on"):
        runs.withdraw_run(user=pat, run=again(run))
    runs.withdraw_run(user=olga, run=again(run))
    with pytest.raises(Refused, match="Submission closed on"):
        runs.reinstate_run(user=pat, run=again(run))
    runs.reinstate_run(user=olga, run=again(run))


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


def test_a_description_is_changed_on_record(campaign, pat, quinn):
    run = make.run(campaign, pat, RANKING)
    runs.describe_run(user=pat, run=run, changes={"description": "BM25", "is_manual": True})
    assert (again(run).description, again(run).is_manual) == ("BM25", True)
    event = AuditEvent.objects.first()
    before, after = (
        {"description": "", "is_manual": None},
        {"description": "BM25", "is_manual": True},
    )
    assert event.detail == {"run": run.pk, "before": before, "after": after}
    with pytest.raises(NotThere):
        runs.describe_run(user=quinn, run=run, changes={"description": "x"})


def test_a_participant_removed_while_submitting_is_refused(campaign, sam, monkeypatch):
    monkeypatch.setattr(Runs.submit, "rules", ())
    with pytest.raises(NotYours, match="Only participants"):
        make.submitted(campaign, sam, "x", "one")


SAID = {
    "description": "BM25 by hand",
    "is_manual": True,
    "priority": 3,
    "latency_p50_ms": 12.0,
    "hardware": "a laptop",
}
WRONG, FREE = {"7": "d1"}, {"state": "invalid"}


def sent_again(user, campaign, **said) -> dict[str, object]:
    file = ContentFile(make.run_text(RANKING, "one").encode(), name="one.txt")
    run = runs.submit_run(user=user, campaign=campaign, tag="ONE", file=file, **said)
    return {name: getattr(again(run), name) for name in SAID}


def test_a_run_sent_again_keeps_what_its_team_said_of_it(campaign, pat, olga):
    Run.objects.filter(pk=make.run(campaign, pat, WRONG).pk).update(**SAID)
    assert sent_again(pat, campaign) == SAID
    Run.objects.update(**FREE)
    changed = {"description": "BM25, tuned", "priority": 1}
    team = Team.objects.get(name="Aldgate")
    assert sent_again(olga, campaign, team=team, **changed) == SAID | changed
    Run.objects.update(**FREE)
    assert sent_again(olga, campaign)["description"] == "", "a baseline is another team's"


def test_figures_that_contradict_earlier_ones_replace_them_all(campaign, pat):
    Run.objects.filter(pk=make.run(campaign, pat, WRONG).pk).update(**SAID)
    now = sent_again(pat, campaign, latency_p95_ms=5.0)
    assert now == SAID | {"latency_p50_ms": None, "hardware": ""}
