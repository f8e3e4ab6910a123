"""For which team somebody submits, and which teams can be deleted."""

from django.utils.text import get_text_list

from accounts.access import NotYours, Refused
from accounts.models import User
from campaigns.access.roles import check_can_organize, roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role, Team
from runs.models import Run
from trec.words import counted


def team_of(user: User, campaign: Campaign) -> Team | None:
    teams = Team.objects.filter(campaign=campaign, membership__user=user)
    return teams.filter(membership__role=Role.PARTICIPANT).first()


def check_is_of(user: User, team: Team) -> None:
    """Refuse somebody who has left the team and does not organize."""
    user_roles = roles(user, team.campaign)
    if Role.ORGANIZER not in user_roles and team_of(user, team.campaign) != team:
        raise NotYours(f"{user} does not submit runs for team {team} any more.")


def check_can_delete_team(user: User, team: Team) -> None:
    """Refuse while a team has members, runs or open invitation links."""
    check_can_organize(user, team.campaign)
    n_of = {
        "member": Membership.objects.filter(team=team).count(),
        "run": Run.objects.filter(team=team).count(),
        "open link": Invitation.objects.filter(team=team).n_open(),
    }
    if rest := [counted(n, what) for what, n in n_of.items() if n]:
        raise Refused(
            f"Team {team} has {get_text_list(rest, 'and')}: only an empty team can be deleted."
        )
