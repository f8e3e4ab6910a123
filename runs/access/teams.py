"""For which team somebody submits, until when, and which teams can be deleted."""

from django.utils import timezone
from django.utils.text import get_text_list

from accounts.access import NotThere, NotYours, Refused, Verb, Verbs
from accounts.models import User
from campaigns.access.roles import is_not_archived, member_roles, organizes, roles, team_of
from campaigns.access.windows import deadline, shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role, Team
from cleverdon.trec.words import counted, first_of
from runs.models import Run


def check_is_of(user: User, team: Team) -> None:
    """Refuse somebody who has left the team and does not organize."""
    user_roles = roles(user, team.campaign)
    if Role.ORGANIZER not in user_roles and team_of(user, team.campaign) != team:
        raise NotYours(f"{user} does not submit runs for team {team} any more.")


def knows_team(user: User, team: Team) -> None:
    """Let organizers and members of the team pass.

    For all others it does not exist.
    """
    user_roles = member_roles(user, team.campaign)
    if Role.ORGANIZER not in user_roles and not _is_in(user, team):
        raise NotThere


def _is_in(user: User, team: Team) -> bool:
    return Membership.objects.filter(team=team, user=user).exists()


def is_in_team(user: User, team: Team) -> None:
    """Refuse somebody who is not in it."""
    if not _is_in(user, team):
        raise NotYours(f"You are not in team {team}.")


def is_empty(_: User, team: Team) -> None:
    """Refuse while it has members, runs or open links."""
    n_of = {
        "member": Membership.objects.filter(team=team).count(),
        "run": Run.objects.filter(team=team).count(),
        "open link": Invitation.objects.filter(team=team).n_open(),
    }
    if rest := [counted(n, what) for what, n in n_of.items() if n]:
        raise Refused(
            f"Team {team} has {get_text_list(rest, 'and')}: only an empty team can be deleted."
        )


class Teams(Verbs):
    see = Verb(knows_team)
    create = rename = merge = extend_deadline = Verb(organizes)
    delete = Verb(organizes, is_empty)
    leave = Verb(knows_team, is_not_archived, is_in_team)


def may_yet_submit(campaign: Campaign) -> str:
    """Say who may still send runs, and so would read others' before; "" for nobody."""
    now = timezone.now()
    opens_at, closes_at = campaign.submission_opens_at, campaign.submission_closes_at
    if campaign.archived_at:
        return ""
    if closes_at is None:
        return "Submission has no deadline."
    late = [
        f"{team} until {shown(campaign, until)}"
        for team in Team.objects.extended(campaign).in_order()
        if (until := deadline(campaign, team)) and until > max(closes_at, now)
    ]
    opens = (
        f"opens on {shown(campaign, opens_at)}, and is open " if opens_at and opens_at > now else ""
    )
    is_open = f"Submission {opens or 'is open '}until {shown(campaign, closes_at)}."
    longer = f"An extension is open for {first_of(late, 3)}." if late else ""
    return " ".join(filter(None, [is_open if closes_at > now else "", longer]))
