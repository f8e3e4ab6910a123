"""Who sees what has been released, and from when."""

from collections.abc import Collection

from accounts.access import NotThere, NotYours
from campaigns.access.roles import Person, campaign_of, may_still_judge, roles, who_may_yet_judge
from campaigns.access.windows import shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force

What = Release.What


def is_released(what: What, user: Person, thing: object) -> None:
    """Let organizers, and those to whom a release shows the {}, pass.

    Refuse assessors and visitors while somebody may still judge.

    Visitors wait just as long as assessors, since one may be a signed-out or future one.
    """
    campaign = campaign_of(thing)
    user_roles = roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        return
    name = f"The {what.label.lower()}"
    be, it = ("is", "it") if what in {What.POOL, What.AGREEMENT} else ("are", "they")
    if may_still_judge(user_roles, campaign):
        raise NotYours(
            f"{name} {be} shown to assessors once judging has closed: "
            f"before, {it} could sway a judgment."
        )
    if not in_force(campaign, user_roles, what):
        if not user_roles:
            raise NotThere
        raise NotYours(_not_released(user_roles, campaign, what, f"{name} {be}"))
    if Role.PARTICIPANT not in user_roles and who_may_yet_judge(campaign):
        raise NotYours(f"{name} {be} shown here once judging has closed.")


def _not_released(user_roles: Collection[str], campaign: Campaign, what: What, name_is: str) -> str:
    """Say when it will be released, or that it has not been."""
    of_it = [e for e in campaign.releases.all() if e.what == what and e.ended_at is None]
    if coming := [each.from_at for each in of_it if each.is_for(user_roles)]:
        return f"{name_is} shown from {shown(campaign, min(coming))}."
    if any(each.is_in_force for each in of_it):
        return f"{name_is} shown to organizers and to the teams that submitted runs."
    return f"The organizers have not released the {what.label.lower()} yet."
