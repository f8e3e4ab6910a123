"""What may be done with an access token, and what by one; who may send files in pieces."""

from datetime import UTC

from django.utils.text import get_text_list

from accounts.access import NotThere, NotYours, Refused, Verb, Verbs
from accounts.models import User
from api.models import AccessToken
from campaigns.access.roles import is_not_archived, member_roles
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated
from campaigns.models.people import Role

MOST = 50  # of one person that are valid at a time
UNKNOWN = "There is no such access token."
MISSPELLED = (
    "This is no access token: its check digits do not fit, so that it was mistyped or cut off."
)
NOT_FOR_TOKENS = "This address takes no access tokens, whatever their scope."


def is_own(user: User, token: AccessToken) -> None:
    """Let the person whose token it is pass."""
    if token.user_id != user.pk:
        raise NotThere


def is_in_its_campaign(user: User, token: AccessToken) -> None:
    """Let everybody pass.

    Refuse if it is for a campaign in which they have no role.
    """
    if token.campaign:
        member_roles(user, token.campaign)


def has_few(user: User, _: AccessToken) -> None:
    """Refuse if the person has fifty valid ones already."""
    if AccessToken.objects.live().filter(user=user).count() >= MOST:
        raise Refused(f"You have {MOST} valid access tokens: revoke those that you do not use.")


def is_not_revoked(_: User, token: AccessToken) -> None:
    """Refuse if it is revoked."""
    if token.revoked_at:
        raise Refused(f"This access token was {token.how_revoked}.")


def has_not_ended(_: User, token: AccessToken) -> None:
    """Let whoever has it pass.

    Refuse if its time is over.
    """
    if token.state == "ended":
        raise Refused(f"This access token ended on {dated(token.ends_at, UTC)} UTC.")


def is_of_an_open_account(_: User, token: AccessToken) -> None:
    """Refuse if the account is closed."""
    if not token.user.is_active:
        raise Refused("The account of this access token is closed.")


def sends_files(user: User, campaign: Campaign) -> None:
    """Let organizers and participants pass."""
    if not {Role.ORGANIZER, Role.PARTICIPANT} & member_roles(user, campaign):
        raise NotYours("Files are sent by organizers and participants.")


class Uploads(Verbs):
    see = Verb(sends_files)
    begin = send = Verb(sends_files, is_not_archived)


class Tokens(Verbs):
    make = Verb(is_in_its_campaign, has_few)
    revoke = Verb(is_own, is_not_revoked)
    use = Verb(is_not_revoked, has_not_ended, is_of_an_open_account)


def check_scope(token: AccessToken, scope: str | None) -> None:
    """Refuse a token that may not do what a view needs; None for a view that says nothing."""
    if scope is None:
        raise NotYours(NOT_FOR_TOKENS)
    if scope not in token.allows:
        may = get_text_list(token.allows, "and")
        raise NotYours(f"This access token lacks the scope {scope}: it may {may}.")


def check_campaign(token: AccessToken, slug: str | None) -> None:
    """Refuse a token that is for another campaign than that of the slug."""
    if token.campaign and token.campaign.slug != slug:
        raise NotYours(f"This access token is for the campaign {token.campaign} only.")
