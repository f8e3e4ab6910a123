"""Who sees scores."""

from accounts.access import NotYours
from accounts.models import User
from campaigns.access import member_roles
from campaigns.models import Campaign, Role, Run


def check_can_see_scores(user: User, campaign: Campaign) -> None:
    mine = member_roles(user, campaign)
    if Role.ORGANIZER in mine:
        return
    if (
        Role.PARTICIPANT not in mine
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
