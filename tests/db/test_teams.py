"""Teams: their names, what moves when they are merged, who leaves them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.services import campaign as campaign_services
from campaigns.services import people
from jobs import work
from runs.models import Run
from runs.services import runs, teams
from runs.services.teams import contents_of
from tests import make
from tests.db.joining import join, link
from tests.db.locks import locked


@pytest.mark.parametrize(
    "spelled", ["aldgate", "ALDGATE", " Ald gate ".replace("d g", "dg"), "Straße"]
)
def test_a_name_spelled_otherwise_is_no_other_team(campaign, olga, spelled):
    teams.create_team(user=olga, campaign=campaign, name="STRASSE")
    other = teams.create_team(user=olga, campaign=campaign, name="Other")
    n_teams = campaign.team_set.count()
    with pytest.raises(Refused, match=r"There is a team (Aldgate|STRASSE) already"):
        teams.create_team(user=olga, campaign=campaign, name=spelled)
    with pytest.raises(Refused, match=r"There is a team (Aldgate|STRASSE) already"):
        teams.rename_team(user=olga, team=other, name=spelled)
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name=spelled)
    assert made.team.name in {"Aldgate", "STRASSE"}
    assert campaign.team_set.count() == n_teams


def test_the_database_keeps_names_apart_too(campaign):
    with pytest.raises(IntegrityError, match="one_team_per_name"), transaction.atomic():
        Team.objects.create(campaign=campaign, name="aldgate")
    with pytest.raises(IntegrityError, match="one_person_per_username"):
        make.user("OLGA")


def test_a_team_changes_the_spelling_of_its_own_name(campaign, olga):
    team = campaign.team_set.get()
    teams.rename_team(user=olga, team=team, name="  ALDGATE ")
    assert campaign.team_set.get().name == "ALDGATE"


@pytest.fixture
def into(campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Zoe")


def test_all_that_a_team_has_moves_to_the_one_it_is_merged_into(campaign, olga, pat, sam, into):
    run = make.run(campaign, pat, {"1": "d1"})
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name="Aldgate")
    teams.merge_teams(user=olga, team=campaign.team_set.get(name="Aldgate"), into=into)
    assert list(campaign.team_set.all()) == [into]
    assert join(sam, made).team == into
    run.refresh_from_db()
    assert (run.team, run.tag) == (into, "one")
    assert Run.objects.visible_to(sam, campaign).get() == run
    assert campaign.membership_set.get(user=pat).team == into


def test_the_later_of_two_extended_deadlines_counts_for_merged_teams(campaign, olga, into):
    later = timezone.now() + timedelta(days=3)
    for team, deadline in (
        (campaign.team_set.get(name="Aldgate"), later),
        (into, later - timedelta(days=1)),
    ):
        Team.objects.filter(pk=team.pk).update(submission_closes_at=deadline)
    teams.merge_teams(user=olga, team=team_named(campaign, "Aldgate"), into=into)
    assert campaign.team_set.get().submission_closes_at == later


def team_named(campaign, name: str) -> Team:
    return campaign.team_set.get(name=name)


def test_what_cannot_be_merged_is_refused(campaign, olga, into):
    team = team_named(campaign, "Aldgate")
    with pytest.raises(Refused, match="Choose another team"):
        teams.merge_teams(user=olga, team=team, into=team)
    Team.objects.filter(pk=into.pk).update(is_baseline=True)
    with pytest.raises(Refused, match="are not a team, so there is nothing to merge"):
        teams.merge_teams(user=olga, team=team, into=into)
    with pytest.raises(Refused, match="nobody can join it"):
        link(campaign, olga, role=Role.PARTICIPANT, team_name="zoe")


def on(month: int, day: int = 1) -> datetime:
    return datetime(2031, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("act", "now"),
    [
        (
            lambda campaign, olga, team: teams.extend_deadline(
                user=olga, team=team, closes_at=on(4)
            ),
            "1 April 2031, 00:00",
        ),
        (
            lambda campaign, olga, _: campaign_services.change_campaign(
                user=olga, campaign=campaign, changes={"submission_closes_at": on(3, 2)}
            ),
            "2 March 2031, 00:00",
        ),
        (
            lambda campaign, olga, team: link(
                campaign, olga, role=Role.PARTICIPANT, team_name=team.name
            ),
            "1 open link, ",
        ),
        (
            lambda campaign, olga, team: people.withdraw_invitation(
                user=olga, invitation=team.invitation_set.first()
            ),
            "0 open links, ",
        ),
    ],
)
@pytest.mark.parametrize("of", ["Aldgate", "Zoe"])
def test_no_teams_are_merged_whose_links_or_deadlines_the_page_did_not_show(
    campaign, olga, into, act, now, of
):
    Campaign.objects.filter(pk=campaign.pk).update(submission_closes_at=on(3))
    campaign.refresh_from_db()
    team, changed = team_named(campaign, "Aldgate"), team_named(campaign, of)
    if now.startswith("0"):
        link(campaign, olga, role=Role.PARTICIPANT, team_name=of)
    seen = contents_of(team, into)
    act(campaign, olga, changed)
    with pytest.raises(Refused, match="changed while you had the page open"):
        teams.merge_teams(user=olga, team=team, into=into, seen=seen)
    campaign.refresh_from_db()
    seen = contents_of(team_named(campaign, "Aldgate"), team_named(campaign, "Zoe"))
    assert teams.merge_teams(user=olga, team=team, into=into, seen=seen) == into


def test_a_team_whose_archive_is_being_unpacked_stays_till_that_is_done(
    campaign, olga, pat, into, queued
):
    team = team_named(campaign, "Aldgate")
    file = ContentFile(b"x", name="runs.zip")
    job = runs.submit_archive(user=olga, campaign=campaign, file=file, team=team)
    with pytest.raises(Refused, match="being unpacked"):
        teams.merge_teams(user=olga, team=team, into=into)
    teams.leave_team(user=pat, team=team)
    with pytest.raises(Refused, match="being unpacked"):
        teams.delete_team(user=olga, team=team)
    work.fail(work.claim(job.pk), "no")
    teams.merge_teams(user=olga, team=team, into=into)
    job.refresh_from_db()
    assert job.subject_id == into.pk, "it can be tried again, for the merged team"


def test_a_team_that_is_gone_is_gone_for_every_stale_page(campaign, olga, into):
    team = team_named(campaign, "Aldgate")
    teams.merge_teams(user=olga, team=Team.objects.get(pk=team.pk), into=into)
    acts = [
        lambda: teams.merge_teams(user=olga, team=team, into=into),
        lambda: teams.merge_teams(user=olga, team=into, into=team),
        lambda: teams.rename_team(user=olga, team=team, name="x"),
        lambda: teams.delete_team(user=olga, team=team),
        lambda: runs.submit_archive(
            user=olga, campaign=campaign, file=ContentFile(b"x", name="a.zip"), team=team
        ),
    ]
    for act in acts:
        with pytest.raises(Refused, match="no longer there"):
            act()
    assert list(campaign.team_set.all()) == [into]


def test_only_an_empty_team_is_deleted(campaign, olga, pat, into):
    team = team_named(campaign, "Aldgate")

    def refused(what: str) -> None:
        with pytest.raises(Refused, match=f"has {what}: only an empty team"):
            teams.delete_team(user=olga, team=team)

    refused("1 member")
    make.run(campaign, pat, {"1": "d1"})
    refused("1 member and 1 run")
    teams.leave_team(user=pat, team=team)
    refused("1 run")
    Run.objects.all().delete()
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name="Aldgate")
    refused("1 open link")
    people.withdraw_invitation(user=olga, invitation=made)
    teams.delete_team(user=olga, team=team)
    assert list(campaign.team_set.all()) == [into]


def test_who_leaves_a_team_has_no_access_and_its_runs_stay(campaign, pat, client):
    run = make.run(campaign, pat, {"1": "d1"})
    team = run.team
    client.force_login(pat)
    teams.leave_team(user=pat, team=team)
    for page in (f"teams/{team.pk}/", f"runs/{run.pk}/", "runs/"):
        assert client.get(f"/campaigns/{campaign.slug}/{page}").status_code == 404
    assert Run.objects.get().team == team


def test_whatever_makes_a_team_holds_the_campaign_before(campaign, olga):
    """Else two of one name could come at once."""
    made_by = [
        lambda: teams.create_team(user=olga, campaign=campaign, name="Zoe"),
        lambda: link(campaign, olga, role=Role.PARTICIPANT, team_name="Yew"),
        lambda: make.submitted(campaign, olga, "x", "mine") and None,
    ]
    for do in made_by:
        n_teams = Team.objects.count()
        assert "campaigns_campaign" in locked(do, 'INSERT INTO "campaigns_team"')
        assert Team.objects.count() == n_teams + 1
