"""Services and tasks of campaigns."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused, why_not
from campaigns.models.people import Invitation, Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from campaigns.services import leaving, people
from jobs.models import Job
from jobs.storage import local_path
from runs import checking
from runs.access.runs import check_can_submit
from runs.models import Run
from runs.services import runs
from tests import make
from trec.runs.run import CheckReport
from trec.runs.stored import open_columns


def test_whoever_creates_a_campaign_organizes_it(olga):
    campaign = campaign_services.create_campaign(user=olga, name="A name")
    again = campaign_services.create_campaign(user=olga, name="A name")
    assert Membership.objects.get(campaign=campaign).role == Role.ORGANIZER
    assert (campaign.slug, again.slug) == ("a-name", "a-name-2")
    assert AuditEvent.objects.filter(campaign=campaign, actor=olga).count() == 1


def test_a_window_cannot_close_before_it_opens(campaign):
    campaign.submission_opens_at = timezone.now()
    campaign.submission_closes_at = campaign.submission_opens_at - timedelta(hours=1)
    with pytest.raises(IntegrityError, match="submission_closes_after_it_opens"):
        campaign.save()


# People


def test_an_invitation_gives_its_role_once(olga, sam, campaign):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    people.accept_invitation(user=sam, invitation=invitation)
    people.accept_invitation(user=sam, invitation=invitation)
    assert Membership.objects.filter(campaign=campaign, user=sam).count() == 1


def test_an_expired_invitation_is_refused(olga, sam, campaign):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    invitation.expires_at = timezone.now()
    invitation.save()
    with pytest.raises(Refused, match="expired"):
        people.accept_invitation(user=sam, invitation=invitation)


def test_a_link_withdrawn_meanwhile_gives_nothing(olga, sam, campaign):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    Invitation.objects.all().delete()
    with pytest.raises(NotThere):
        people.accept_invitation(user=sam, invitation=invitation)
    assert not campaign.membership_set.filter(user=sam).exists()


def test_a_participant_joins_a_team_and_no_second_one(olga, pat, campaign):
    with pytest.raises(Refused, match="name the team"):
        people.invite(user=olga, campaign=campaign, role=Role.PARTICIPANT)
    invitation = people.invite(
        user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name="Barbican"
    )
    with pytest.raises(Refused, match="already submit runs for team Aldgate"):
        people.accept_invitation(user=pat, invitation=invitation)


def test_participants_and_only_they_have_a_team(campaign, sam):
    with pytest.raises(IntegrityError, match="participants_and_only_they_have_a_team"):
        Membership.objects.create(campaign=campaign, user=sam, role=Role.PARTICIPANT)


def test_a_campaign_is_never_without_an_organizer(olga, campaign):
    membership = Membership.objects.get(campaign=campaign, user=olga)
    with pytest.raises(Refused, match="needs at least one"):
        leaving.remove_member(user=olga, membership=membership)


# Runs


def test_a_good_run_is_checked_ranked_and_stored(pat, campaign):
    run = make.run(campaign, pat, {"1": "d3 d1", "2": "d2"})
    assert run.state == Run.State.VALID
    assert len(run.sha256) == 64
    stored = open_columns(local_path(run.columns))
    assert stored.docnos_of(0).tolist() == [b"d3", b"d1"]
    assert CheckReport.from_json(run.report).is_valid
    assert make.content(run.file) == make.run_text({"1": "d3 d1", "2": "d2"}, "one").encode()


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
    run = make.run(campaign, pat, {"1": "d1"})
    with pytest.raises(Refused, match="The tag one is taken"), transaction.atomic():
        make.submitted(campaign, pat, "x", "one")
    runs.withdraw_run(user=pat, run=run)
    assert make.run(campaign, pat, {"1": "d2"}).state == Run.State.VALID


def test_a_withdrawn_run_is_not_checked_any_more(pat, campaign):
    run = make.submitted(campaign, pat, make.run_text({"1": "d1"}, "one"), "one")
    runs.withdraw_run(user=pat, run=run)
    checking.check_run(Job.objects.get(subject_id=run.pk, kind="check_run").pk)
    run.refresh_from_db()
    assert run.state == Run.State.WITHDRAWN


def test_a_run_checked_by_a_worker_taken_for_lost_is_not_checked_again(pat, campaign):
    run = make.run(campaign, pat, {"1": "d1"})
    job = Job.objects.get(subject_id=run.pk, kind="check_run")
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)
    checking.check_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("done", "Run one is already valid.")


def test_docnos_outside_the_whole_collection_are_reported(pat, campaign):
    campaign.has_whole_collection = True
    campaign.save()
    run = make.run(campaign, pat, {"1": "d1 strange", "2": "d2"})
    assert run.report["warnings"] == ["1 document not in the collection: strange."]


def test_the_submission_window_is_kept_and_named_in_the_campaigns_zone(pat, campaign):
    campaign.time_zone = "Asia/Tokyo"
    campaign.submission_closes_at = timezone.datetime.fromisoformat("2020-01-31T15:00:00+00:00")
    campaign.save()
    with pytest.raises(
        Refused, match=r"Submission closed on 1 February 2020, 00:00 \(Asia/Tokyo\)\."
    ):
        make.submitted(campaign, pat, "x", "one")


def test_a_window_that_has_not_opened_is_named_too(pat, campaign):
    campaign.submission_opens_at = timezone.now() + timedelta(days=1)
    with pytest.raises(Refused, match="Submission opens on "):
        make.submitted(campaign, pat, "x", "one")


def test_a_run_is_withdrawn_once_and_while_submission_is_open(pat, campaign):
    run = make.run(campaign, pat, {"1": "d1"})
    run.campaign.submission_closes_at = timezone.now()
    with pytest.raises(Refused, match="Submission closed on"):
        runs.withdraw_run(user=pat, run=run)
    run.campaign.submission_closes_at = None
    runs.withdraw_run(user=pat, run=run)
    run.refresh_from_db()
    with pytest.raises(Refused, match="Run one is withdrawn already"):
        runs.withdraw_run(user=pat, run=run)


def test_only_participants_submit_and_only_after_the_topics(ada, pat, olga, campaign):
    with pytest.raises(NotYours, match="Only participants"):
        make.submitted(campaign, ada, "x", "one")
    empty = make.campaign(olga, participants={"A": [pat]}, topics=())
    with pytest.raises(Refused, match="once the organizer has imported the topics"):
        make.submitted(empty, pat, "x", "one")


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


def test_whoever_only_judges_is_offered_no_upload(campaign, ada):
    assert "Only participants" in why_not(check_can_submit, ada, campaign)
