"""Which teams can be deleted."""

from django.utils.text import get_text_list

from accounts.access import Refused
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.models.people import Invitation, Membership, Team
from runs.models import Run
from trec.words import counted


def check_can_delete_team(user: User, team: Team) -> None:
    """Refuse to delete a team that somebody is in or may yet join, or that has a run."""
    check_can_organize(user, team.campaign)
    n_of = {
        "member": Membership.objects.filter(team=team).count(),
        "run": Run.objects.filter(team=team).count(),
        "open link": Invitation.objects.filter(team=team).n_open(),
    }
    if found := [counted(n, what) for what, n in n_of.items() if n]:
        raise Refused(
            f"Team {team} has {get_text_list(found, 'and')}: only an empty team can be deleted."
        )
