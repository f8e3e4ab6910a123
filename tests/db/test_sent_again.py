"""The same file sent again is the run that is there; a check that stopped is begun anew."""

import gzip

import pytest
from django.db.models.functions import Now

from accounts.access import Refused
from campaigns.models.trail import AuditEvent
from jobs.models import Job
from jobs.tasks import LOST_AFTER
from overview.services.rounds import begin_round
from runs import checking
from runs.models import Run
from runs.services import runs
from tests import make
from tests.db.races import overtaken
from tests.db.uploading import BOTH, OUT, RANKING, again, do

TEXT = make.run_text(RANKING, "one")
LONGER = make.run_text({**RANKING, "2": "d3 d4"}, "one")


def send(campaign, user, text=TEXT, tag="one") -> Run:
    return make.submitted(campaign, user, text, tag)


@pytest.mark.parametrize("is_checked", [False, True])
def test_the_same_file_again_is_the_run_that_is_there(campaign, pat, tmp_path, is_checked, queued):
    run = send(campaign, pat)
    if is_checked:
        do(checking.check_run, run.pk)
    files, events = sorted(tmp_path.rglob("*")), AuditEvent.objects.count()
    same = send(campaign, pat)
    assert (same, same.was_there, run.was_there) == (run, True, False)
    assert again(run).state == ("valid" if is_checked else "waiting")
    assert sorted(tmp_path.rglob("*")) == files
    assert (AuditEvent.objects.count(), Job.objects.count()) == (events, 1)


@pytest.mark.parametrize(
    "text", [TEXT.replace("d1", "d5"), LONGER, gzip.compress(TEXT.encode())], ids=len
)
def test_another_file_under_the_tag_is_refused(campaign, pat, text):
    send(campaign, pat)
    with pytest.raises(Refused, match="The tag one is taken: run one of this team has it"):
        send(campaign, pat, text)


def test_the_same_file_of_another_team_or_under_another_tag_is_another_run(campaign, pat, quinn):
    send(campaign, pat)
    with pytest.raises(Refused, match="another team of this campaign has it"):
        send(campaign, quinn)
    assert not send(campaign, quinn, tag="two").was_there


@BOTH
def test_the_same_file_as_a_run_that_is_out_is_a_new_run(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    OUT[state](olga, run)
    assert send(campaign, pat).pk != run.pk


@pytest.mark.parametrize("state", ["invalid", "unchecked"])
def test_the_same_file_as_one_that_is_of_no_use_is_a_new_run(campaign, pat, state):
    run = send(campaign, pat)
    Run.objects.update(state=state)
    assert send(campaign, pat).pk != run.pk


def test_the_run_of_an_earlier_round_is_not_handed_in_again(campaign, pat, olga):
    make.run(campaign, pat, RANKING)
    begin_round(user=olga, campaign=campaign)
    campaign.refresh_from_db()
    with pytest.raises(Refused, match="The tag one is taken"):
        send(campaign, pat)


@pytest.mark.django_db(transaction=True)
def test_of_the_same_file_sent_twice_at_once_there_is_one_run(campaign, pat, tmp_path, queued):
    came = overtaken(lambda: send(campaign, pat), lambda: send(campaign, pat))
    assert (came, came.was_there) == (Run.objects.get(), True)
    assert len([path for path in tmp_path.rglob("*") if path.name == "one"]) == 1


# Checked again


def silence() -> None:
    Job.objects.update(heartbeat_at=Now() - LOST_AFTER * 2)


@pytest.mark.parametrize("who", ["pat", "olga"])
@pytest.mark.parametrize("state", ["waiting", "checking", "unchecked"])
def test_a_run_whose_check_stopped_is_checked_again(campaign, request, pat, queued, state, who):
    run = send(campaign, pat)
    Run.objects.update(state=state)
    moved = {"waiting": "waiting", "checking": "running", "unchecked": "failed"}[state]
    Job.objects.update(state=moved)
    silence()
    first = Job.objects.get()
    job = runs.recheck_run(user=request.getfixturevalue(who), run=again(run))
    assert (job.kind, job.state) == ("check_run", "waiting")
    first.refresh_from_db()
    assert first.state == "failed"
    checking.check_run(first.pk)  # its message may still be there, and does nothing
    assert again(run).state == state
    checking.check_run(job.pk)
    assert again(run).state == Run.State.VALID


def test_a_check_that_was_lost_with_its_job_is_begun_anew(campaign, pat, queued):
    run = send(campaign, pat)
    Job.objects.all().delete()
    job = runs.recheck_run(user=pat, run=run)
    checking.check_run(job.pk)
    assert again(run).state == Run.State.VALID


@pytest.mark.parametrize(("state", "of_job"), [("waiting", "waiting"), ("checking", "running")])
def test_a_check_that_is_on_the_way_is_left_alone(campaign, pat, queued, state, of_job):
    run = send(campaign, pat)
    Run.objects.update(state=state)
    Job.objects.update(state=of_job)
    with pytest.raises(Refused, match=f"Run one is {state}: its check is on the way."):
        runs.recheck_run(user=pat, run=again(run))


def test_a_run_that_could_not_be_checked_needs_its_tag(campaign, pat, queued):
    run = send(campaign, pat)
    Run.objects.update(state="unchecked")
    Job.objects.update(state="failed")
    send(campaign, pat, LONGER)
    with pytest.raises(Refused, match="The tag one is taken"):
        runs.recheck_run(user=pat, run=again(run))


def test_the_page_of_a_run_whose_check_stopped_has_a_button(campaign, pat, sign_in, queued):
    run = send(campaign, pat)
    client, address = sign_in(pat), f"/campaigns/{campaign.slug}/runs/{run.pk}/"
    assert "Check it again" not in client.get(address).content.decode()
    silence()
    assert "Check it again" in client.get(address).content.decode()
    page = client.post(f"{address}check/", follow=True).content.decode()
    assert "Run one is checked again." in page
    assert "its report stays" not in page
