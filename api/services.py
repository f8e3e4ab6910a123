"""Make, use and revoke access tokens."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.access import NotThere, Refused, check
from accounts.models import AccountEvent, User
from api.access import Tokens
from api.core.spelling import N_CHANCE, spelled
from api.models import AccessToken, AccessTokenQuerySet, Scope
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership
from campaigns.models.resets import hash_of
from jobs.acting import acting

MADE_ALREADY = (
    "This form has made a token already, which was shown then and cannot be shown again. "
    "If you did not copy it, revoke it and make another."
)
CHANGED_MEANWHILE = "Your account was changed meanwhile: sign in again."
USE_IS_NOTED_EVERY = timedelta(minutes=1)


def make_token(
    *,
    user: User,
    name: str,
    scopes: Collection[str],
    days: int,
    client_id: UUID,
    campaign: Campaign | None = None,
) -> str:
    """Return a new token, which is not stored. A `client_id` makes one."""
    with acting(campaign.pk) if campaign else transaction.atomic():
        # Whoever changes the password, or removes the person, waits, and then finds the token.
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if (person.password, person.is_active) != (user.password, True):
            raise Refused(CHANGED_MEANWHILE)
        roles = Membership.objects.filter(user=person, campaign=campaign).order_by("pk")
        list(roles.select_for_update(no_key=True))
        check(Tokens.make, person, AccessToken(user=person, campaign=campaign))
        return new_token(
            person, name, scopes=scopes, days=days, client_id=client_id, campaign=campaign
        )


def new_token(
    person: User,
    name: str,
    *,
    scopes: Collection[str],
    days: int,
    client_id: UUID,
    campaign: Campaign | None = None,
) -> str:
    """Make a token for an account, within a transaction that has checked who asks for it."""
    if AccessToken.objects.filter(client_id=client_id).exists():
        raise Refused(MADE_ALREADY)
    secret, now = spelled(get_random_string(N_CHANCE)), timezone.now()
    AccessToken.objects.create(
        user=person,
        name=name,
        scopes=[each for each in Scope.values if each in scopes],
        campaign=campaign,
        token_hash=hash_of(secret),
        client_id=client_id,
        made_at=now,
        ends_at=now + timedelta(days=days),
    )
    AccountEvent.objects.create(user=person, kind=AccountEvent.Kind.TOKEN_MADE, subject=name)
    return secret


@transaction.atomic
def revoke_token(*, user: User, token: AccessToken) -> None:
    tokens = AccessToken.objects.filter(pk=token.pk)
    if (locked := tokens.select_for_update(no_key=True).first()) is None:
        raise NotThere
    check(Tokens.revoke, user, locked)
    _revoke(tokens, user, AccessToken.Why.BY_HAND)


def revoke_all(person: User, by: User | None, why: str) -> None:
    """Revoke what a person has; None stands for the people who run the site."""
    _revoke(AccessToken.objects.live().filter(user=person), by, why)


def revoke_if_gone(*, person: User, campaign: Campaign, by: User) -> None:
    """Revoke what a person has for a campaign in which they have no role any more."""
    if not Membership.objects.filter(user=person, campaign=campaign).exists():
        tokens = AccessToken.objects.live().filter(user=person, campaign=campaign)
        _revoke(tokens, by, AccessToken.Why.LEFT)


@transaction.atomic  # `manage.py changepassword` has none
def _revoke(tokens: AccessTokenQuerySet, by: User | None, why: str) -> None:
    found = list(tokens.order_by("pk").select_for_update(no_key=True))
    values = {"revoked_at": timezone.now(), "revoked_by": by, "why": why}
    AccessToken.objects.filter(pk__in=[each.pk for each in found]).update(**values)
    kind = AccountEvent.Kind.TOKEN_REVOKED
    AccountEvent.objects.bulk_create(
        AccountEvent(user_id=each.user_id, kind=kind, subject=each.name) for each in found
    )


def note_use(token: AccessToken) -> None:
    """Note that a token is used, once a minute, so that reading mostly writes nothing."""
    now = timezone.now()
    if token.used_at is None or token.used_at <= now - USE_IS_NOTED_EVERY:
        earlier = Q(used_at=None) | Q(used_at__lte=now - USE_IS_NOTED_EVERY)
        AccessToken.objects.filter(earlier, pk=token.pk).update(used_at=now)
