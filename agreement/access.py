"""Who sees figures of agreement."""

from functools import partial

from accounts.access import Verb, Verbs
from assess.access.judging import is_for_judging
from campaigns.access.releases import is_released
from campaigns.access.roles import Person, organizes, roles
from campaigns.access.topics import topics_are_shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force
from qrels.models import Qrels


class AgreementFigures(Verbs):
    see = Verb(partial(is_released, Release.What.AGREEMENT), topics_are_shown)
    see_pairs = see_flags = Verb(organizes)
    see_own_repeats = Verb(is_for_judging)


def version_seen(user: Person, campaign: Campaign) -> Qrels | None:
    """Return the version as of which this person sees agreement; None for all judgments so far."""
    user_roles = roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        return None
    [released, *_] = in_force(campaign, user_roles, Release.What.AGREEMENT)
    return Qrels.objects.get(pk=released.subject_id or 0)
