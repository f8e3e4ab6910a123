"""Teams: their names, what moves when they are merged, who leaves them."""

from datetime import UTC, datetime

import pytest
from django.core.files.base import ContentFile

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


@pytest.fixture
def team(campaign) -> Team:
    return campaign.team_set.get(name="Aldgate")


@pytest.fixture
def into(campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Zoe")


def team_link(campaign, olga, name: str):
    return link(campaign, olga, role=Role.PARTICIPANT, team_name=name)


@pytest.mark.parametrize(
    "spelled",
    [
        *("aldgate", "ALDGATE", " Aldgate ", "Ald\N{ZERO WIDTH SPACE}gate", "Straße"),
        *("Ko\u0308ln Ost", "k\N{LATIN SMALL LETTER O WITH DIAERESIS}ln\N{NO-BREAK SPACE}ost"),
    ],
)
def test_a_name_spelled_otherwise_is_no_other_team(campaign, olga, spelled):
    teams.create_team(user=olga, campaign=campaign, name="STRASSE")
    assert teams.create_team(user=olga, campaign=campaign, name="KO\u0308LN Ost").name == "KÖLN Ost"
    there = r"There is a team (Aldgate|STRASSE|KÖLN Ost) already"
    other = teams.create_team(user=olga, campaign=campaign, name="Other")
    n_teams = campaign.team_set.count()
    with pytest.raises(Refused, match=there):
        teams.create_team(user=olga, campaign=campaign, name=spelled)
    with pytest.raises(Refused, match=there):
        teams.rename_team(user=olga, team=other, name=spelled)
    assert team_link(campaign, olga, spelled).team.name in {"Aldgate", "STRASSE", "KÖLN Ost"}
    assert campaign.team_set.count() == n_teams


def test_a_team_changes_the_spelling_of_its_own_name(olga, team):
    teams.rename_team(user=olga, team=team, name="  ALDGATE ")
    team.refresh_from_db()
    assert team.name == "ALDGATE"


@pytest.mark.parametrize("months", [(4, 5), (5, 4)])
def test_all_that_a_team_has_moves_to_the_one_it_is_merged_into(
    campaign, olga, pat, sam, team, into, months
):
    for each, month in zip((team, into), months, strict=True):
        Team.objects.filter(pk=each.pk).update(submission_closes_at=on(month))
    run = make.run(campaign, pat, {"1": "d1"})
    made = team_link(campaign, olga, "Aldgate")
    teams.merge_teams(user=olga, team=Team.objects.get(pk=team.pk), into=into)
    assert list(campaign.team_set.all()) == [into]
    assert campaign.team_set.get().submission_closes_at == on(5)
    assert join(sam, made).team == into
    run.refresh_from_db()
    assert (run.team, run.tag) == (into, "one")
    assert Run.objects.visible_to(sam, campaign).get() == run
    assert campaign.membership_set.get(user=pat).team == into


def test_what_cannot_be_merged_is_refused(campaign, olga, team, into):
    with pytest.raises(Refused, match="Choose another team"):
        teams.merge_teams(user=olga, team=team, into=team)
    Team.objects.filter(pk=into.pk).update(is_baseline=True)
    with pytest.raises(Refused, match="are not a team, so there is nothing to merge"):
        teams.merge_teams(user=olga, team=team, into=into)
    with pytest.raises(Refused, match="nobody can join it"):
        team_link(campaign, olga, "zoe")


def on(month: int, day: int = 1) -> datetime:
    return datetime(2031, month, day, tzinfo=UTC)


def extend(olga, team) -> None:
    teams.extend_deadline(user=olga, team=team, closes_at=on(4))


def move_deadline(olga, team) -> None:
    changes = {"submission_closes_at": on(3, 2)}
    campaign_services.change_campaign(user=olga, campaign=team.campaign, changes=changes)


def invite(olga, team) -> None:
    team_link(team.campaign, olga, team.name)


def withdraw_link(olga, team) -> None:
    people.withdraw_invitation(user=olga, invitation=team.invitation_set.first())


@pytest.mark.parametrize("act", [extend, move_deadline, invite, withdraw_link])
@pytest.mark.parametrize("of", ["Aldgate", "Zoe"])
def test_no_teams_are_merged_whose_links_or_deadlines_the_page_did_not_show(
    campaign, olga, into, act, of
):
    Campaign.objects.filter(pk=campaign.pk).update(submission_closes_at=on(3))
    team, changed = (Team.objects.get(name=name) for name in ("Aldgate", of))
    if act is withdraw_link:
        invite(olga, changed)
    seen = contents_of(team, into)
    act(olga, changed)
    with pytest.raises(Refused, match="changed while you had the page open"):
        teams.merge_teams(user=olga, team=team, into=into, seen=seen)


def test_a_team_whose_archive_is_being_unpacked_stays_till_that_is_done(
    campaign, olga, pat, team, into, queued
):
    file = ContentFile(b"PK\3\4", name="runs.zip")
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


def test_a_team_that_is_gone_is_gone_for_every_stale_page(campaign, olga, team, into):
    teams.merge_teams(user=olga, team=Team.objects.get(pk=team.pk), into=into)
    archive = {"campaign": campaign, "file": ContentFile(b"PK\3\4", name="a.zip"), "team": team}
    for act in (
        lambda: teams.merge_teams(user=olga, team=team, into=into),
        lambda: teams.merge_teams(user=olga, team=into, into=team),
        lambda: teams.rename_team(user=olga, team=team, name="x"),
        lambda: teams.delete_team(user=olga, team=team),
        lambda: runs.submit_archive(user=olga, **archive),
    ):
        with pytest.raises(Refused, match="no longer there"):
            act()
    assert list(campaign.team_set.all()) == [into]


def test_only_an_empty_team_is_deleted_and_who_leaves_one_has_no_access(
    campaign, olga, pat, team, into, sign_in
):
    def refused(what: str) -> None:
        with pytest.raises(Refused, match=f"has {what}: only an empty team"):
            teams.delete_team(user=olga, team=team)

    refused("1 member")
    run = make.run(campaign, pat, {"1": "d1"})
    refused("1 member and 1 run")
    client = sign_in(pat)
    teams.leave_team(user=pat, team=team)
    for page in (f"teams/{team.pk}/", f"runs/{run.pk}/", "runs/"):
        assert client.get(f"/campaigns/{campaign.slug}/{page}").status_code == 404
    refused("1 run")
    Run.objects.all().delete()
    made = team_link(campaign, olga, "Aldgate")
    refused("1 open link")
    people.withdraw_invitation(user=olga, invitation=made)
    teams.delete_team(user=olga, team=team)
    assert list(campaign.team_set.all()) == [into]


def test_the_campaign_is_held_before_a_team_is_made(campaign, olga):
    """Otherwise two of one name could come at once."""
    for do in (
        lambda: teams.create_team(user=olga, campaign=campaign, name="Zoe"),
        lambda: team_link(campaign, olga, "Yew"),
        lambda: make.submitted(campaign, olga, "x", "mine") and None,
    ):
        n_teams = Team.objects.count()
        assert "campaigns_campaign" in locked(do, 'INSERT INTO "campaigns_team"')
        assert Team.objects.count() == n_teams + 1
