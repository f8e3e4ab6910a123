"""Runs that are checked again: topics, documents or the depth have changed."""

import pytest

from accounts.access import Refused
from campaigns.services import campaign as campaign_services
from collection.models.texts import Topic
from jobs.models import Job
from runs import checking
from runs.models import Run
from runs.services import runs
from tests import make
from tests.db.uploading import RANKING, again, do


def rechecked(user, run) -> Run:
    """What a second check makes of it."""
    runs.recheck_run(user=user, run=again(run))
    do(checking.recheck_run, run.pk)
    return again(run)


def test_a_report_follows_the_topics_and_documents(campaign, pat, olga):
    campaign.has_whole_collection = True
    campaign.save()
    run = make.run(campaign, pat, {"1": "d1 new", "2": "d3"})
    assert run.report["warnings"] == ["1 document not in the collection: new."]
    make.documents(campaign, ["new"])
    Topic.objects.create(campaign=campaign, number="3", title="three")
    runs.recheck_run(user=olga, run=run)
    assert (again(run).state, again(run).report) == ("valid", run.report), "until it was checked"
    job = checking.request_recheck(campaign, olga)
    assert checking.request_recheck(campaign, olga) == job, "once for several imports"
    done = do(checking.recheck_runs, campaign.pk)
    assert done.outcome == "1 run checked again: none became valid or invalid."
    assert again(run).report["warnings"] == ["1 topic of the campaign missing from the run: 3."]
    assert again(run).checked_at > run.checked_at
    assert checking.request_recheck(campaign, olga) != job


def test_a_run_becomes_valid_when_its_topics_are_imported_and_invalid_when_they_go(
    campaign, pat, olga
):
    run = make.run(campaign, pat, {"3": "d1"})
    Topic.objects.create(campaign=campaign, number="3", title="three")
    for state, said in (
        ("valid", "one is now valid."),
        ("invalid", "one is now invalid."),
        ("invalid", "one is invalid, as before."),
    ):
        assert rechecked(pat, run).state == state
        assert Job.objects.about("recheck_run", run.pk).outcome == said
        campaign.topic_set.filter(number="3").delete()


def test_a_pooled_run_stays_valid_whatever_a_check_finds(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    make.frozen_pool(campaign, [run])
    campaign.run_depth = 1
    campaign.save()
    now = rechecked(olga, run)
    assert (now.state, now.report["n_errors"], now.columns) == ("valid", 1, run.columns)
    runs.withdraw_run(user=olga, run=now)
    runs.reinstate_run(user=olga, run=again(run))
    assert again(run).state == Run.State.VALID


def test_a_run_whose_tag_has_gone_to_a_newer_one_does_not_become_valid(campaign, pat, olga):
    run = make.run(campaign, pat, {"3": "d1"})
    make.run(campaign, pat, RANKING)
    Topic.objects.create(campaign=campaign, number="3", title="three")
    old = rechecked(olga, run)
    assert old.state == Run.State.INVALID
    assert old.report["errors"][0]["message"] == "The tag one was given to another run."
    with checking.errors_csv(old) as file:
        rows = file.read().decode().splitlines()
    assert rows.count(",Other faults,The tag one was given to another run.") == 1


def test_a_run_withdrawn_during_its_second_check_stays_as_it_was(campaign, pat, monkeypatch):
    run = make.run(campaign, pat, RANKING)
    real = checking.check.check_run

    def check_run(*arguments, **options):
        runs.withdraw_run(user=pat, run=again(run))
        return real(*arguments, **options)

    monkeypatch.setattr(checking.check, "check_run", check_run)
    now = rechecked(pat, run)
    assert (now.state, now.checked_at) == ("withdrawn", run.checked_at)
    with pytest.raises(Refused, match="it is checked again once it is reinstated"):
        runs.recheck_run(user=pat, run=now)


def test_another_depth_has_the_runs_checked_again(campaign, pat, olga):
    assert checking.request_recheck(campaign, olga) is None
    run = make.run(campaign, pat, RANKING)
    campaign_services.change_campaign(user=olga, campaign=campaign, changes={"notice": "x"})
    assert Job.objects.about("recheck_runs", campaign.pk) is None
    campaign_services.change_campaign(user=olga, campaign=campaign, changes={"run_depth": 1})
    done = do(checking.recheck_runs, campaign.pk)
    assert done.outcome == "1 run checked again: one is now invalid."
    assert again(run).state == Run.State.INVALID
