"""Who may see scores."""

from collections.abc import Collection

from accounts.access import NotYours
from accounts.models import User
from campaigns.access import member_roles
from campaigns.models import Campaign, Role, Run


def check_can_see_scores(user: User, campaign: Campaign) -> None:
    check_scores_shown(member_roles(user, campaign), campaign)


def check_scores_shown(roles: Collection[str], campaign: Campaign) -> None:
    if Role.ORGANIZER in roles:
        return
    if (
        Role.PARTICIPANT not in roles
        and campaign.visibility != Campaign.Visibility.PUBLIC
    ):
        raise NotYours(
            "Scores are for organizers and participants: they could sway an assessor."
        )
    if campaign.visibility == Campaign.Visibility.ORGANIZERS:
        raise NotYours("The organizer has not released the scores yet.")


def runs_shown(user: User, campaign: Campaign) -> list[int]:
    """Return the ids of the runs whose scores this person may see."""
    runs = Run.objects.filter(campaign=campaign)
    if campaign.visibility != Campaign.Visibility.PUBLIC:
        runs = Run.objects.visible_to(user, campaign)
    return list(runs.values_list("pk", flat=True))
