"""A campaign is created, and runs are submitted and checked while it takes them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.access import why_not
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from cleverdon.trec.runs.run import CheckReport
from jobs.models import Job
from runs import checking
from runs.access.runs import Runs
from runs.models import Run
from tests import make


def test_who_creates_a_campaign_organizes_it(olga):
    campaign = campaign_services.create_campaign(user=olga, name="A name")
    again = campaign_services.create_campaign(user=olga, name="A name")
    assert Membership.objects.get(campaign=campaign).role == Role.ORGANIZER
    assert (campaign.slug, again.slug) == ("a-name", "a-name-2")
    assert AuditEvent.objects.filter(campaign=campaign, actor=olga).count() == 1


def test_a_good_run_is_checked_ranked_and_stored(pat, campaign):
    run = make.run(campaign, pat, {"1": "d3 d1", "2": "d2"})
    assert (run.state, len(run.sha256)) == (Run.State.VALID, 64)
    stored = run.ranked()
    assert stored.docnos_of(0).tolist() == [b"d3", b"d1"]
    assert CheckReport.from_json(run.report).is_valid
    assert make.content(run.file) == make.run_text({"1": "d3 d1", "2": "d2"}, "one").encode()
    # A worker that was taken for lost comes to it again.
    job = Job.objects.get(subject_id=run.pk, kind="check_run")
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)
    checking.check_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("done", "Run one is already valid.")


def test_a_bad_run_is_invalid_and_frees_its_tag(pat, campaign):
    bad = make.run(campaign, pat, {"1": "d1", "7": "d3 d4"})
    assert bad.state == Run.State.INVALID
    message = "There is no topic '7' in this campaign."
    error = {"message": message, "lines": [2, 3], "n": 2, "text": "7 Q0 d3 1 99 one"}
    assert bad.report["errors"] == [error]
    assert not bad.columns
    assert make.run(campaign, pat, {"1": "d1"}).state == Run.State.VALID


JANUARY = datetime(2020, 1, 31, 15, tzinfo=UTC)
LATER, EARLIER = (timezone.now() + timedelta(days=n) for n in (1, -1))


@pytest.mark.parametrize(
    ("state", "sentence", "refused"),
    [
        ({"archived_at": EARLIER}, "is archived", {"pat", "olga"}),
        ({"topics_open_at": LATER}, "The topics are shown from", {"pat"}),
        ({"submission_opens_at": LATER}, "Submission opens on", {"pat"}),
        (
            {"submission_closes_at": JANUARY, "time_zone": "Asia/Tokyo"},
            "Submission closed on 1 February 2020, 00:00 (Asia/Tokyo).",
            {"pat"},
        ),
        ({}, "once the organizer has imported the topics", {"pat", "olga"}),
    ],
)
def test_what_keeps_whom_from_submitting(campaign, pat, olga, state, sentence, refused):
    if not state:
        campaign.topic_set.all().delete()
    for name, value in state.items():
        setattr(campaign, name, value)
    found = {each.username: why_not(Runs.submit, each, campaign) for each in (pat, olga)}
    assert {name for name, why in found.items() if sentence in why} == refused
    assert {name for name, why in found.items() if why} == refused
