"""A campaign is created, and runs are submitted and checked while it takes them."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.access import Refused, why_not
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from jobs.models import Job
from runs import checking
from runs.access.runs import check_can_submit
from runs.models import Run
from runs.services import runs
from tests import make
from trec.runs.run import CheckReport


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
    bad = make.run(campaign, pat, {"7": "d1"})
    assert bad.state == Run.State.INVALID
    assert bad.report["errors"][0] == {
        "message": "There is no topic '7' in this campaign.",
        "lines": [1],
        "n": 1,
        "text": "7 Q0 d1 1 99 one",
    }
    assert not bad.columns
    assert make.run(campaign, pat, {"1": "d1"}).state == Run.State.VALID


def test_a_tag_is_taken_until_its_run_is_withdrawn(pat, campaign):
    run = make.submitted(campaign, pat, make.run_text({"1": "d1"}, "one"), "one")
    with pytest.raises(Refused, match="The tag one is taken"), transaction.atomic():
        make.submitted(campaign, pat, "x", "one")
    runs.withdraw_run(user=pat, run=run)
    run.refresh_from_db()
    with pytest.raises(Refused, match="Run one is withdrawn already"):
        runs.withdraw_run(user=pat, run=run)
    checking.check_run(Job.objects.get(subject_id=run.pk, kind="check_run").pk)
    run.refresh_from_db()
    assert run.state == Run.State.WITHDRAWN
    assert make.run(campaign, pat, {"1": "d2"}).state == Run.State.VALID


def test_docnos_outside_the_whole_collection_are_reported(pat, campaign):
    campaign.has_whole_collection = True
    campaign.save()
    run = make.run(campaign, pat, {"1": "d1 strange", "2": "d2"})
    assert run.report["warnings"] == ["1 document not in the collection: strange."]


def test_the_submission_window_is_named_in_the_campaigns_zone(pat, campaign):
    run = make.run(campaign, pat, {"1": "d1"})
    campaign.time_zone = "Asia/Tokyo"
    campaign.submission_closes_at = timezone.datetime.fromisoformat("2020-01-31T15:00:00+00:00")
    campaign.save()
    run.refresh_from_db()
    closed = r"Submission closed on 1 February 2020, 00:00 \(Asia/Tokyo\)\."
    with pytest.raises(Refused, match=closed):
        make.submitted(campaign, pat, "x", "two")
    with pytest.raises(Refused, match=closed):
        runs.withdraw_run(user=pat, run=run)


LATER, EARLIER = (timezone.now() + timedelta(days=n) for n in (1, -1))


@pytest.mark.parametrize(
    ("state", "sentence", "refused"),
    [
        ({"archived_at": EARLIER}, "is archived", {"pat", "olga"}),
        ({"topics_open_at": LATER}, "The topics are shown from", {"pat"}),
        ({"submission_opens_at": LATER}, "Submission opens on", {"pat"}),
        ({"submission_closes_at": EARLIER}, "Submission closed on", {"pat"}),
        ({}, "once the organizer has imported the topics", {"pat", "olga"}),
    ],
)
def test_what_keeps_whom_from_submitting(campaign, pat, olga, state, sentence, refused):
    if not state:
        campaign.topic_set.all().delete()
    for name, value in state.items():
        setattr(campaign, name, value)
    found = {each.username: why_not(check_can_submit, each, campaign) for each in (pat, olga)}
    assert {name for name, why in found.items() if sentence in why} == refused
    assert {name for name, why in found.items() if why} == refused
