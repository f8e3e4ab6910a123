"""Make, withdraw and use a link by which a member sets a new password."""

from django.utils import timezone

from accounts.access import NotThere, Refused, check
from accounts.from_above import TOKENS_END
from accounts.models import AccountEvent, User
from campaigns.access.people import People
from campaigns.acting import act, in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.resets import PasswordReset, hash_of
from campaigns.models.trail import AuditEvent


@in_campaign
def make_reset(*, user: User, campaign: Campaign, person: User) -> str:
    """Return the token of a new link, which is not stored; the person's earlier link ends."""
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    token = PasswordReset.new_token()
    reset = PasswordReset(
        campaign=campaign,
        user=person,
        created_by=user,
        token_hash=hash_of(token),
        password_mark=person.get_session_auth_hash(),
    )
    check(People.reset_password, user, reset)
    PasswordReset.objects.unused(person).update(withdrawn_at=timezone.now())
    reset.save()
    AccountEvent.objects.create(user=person, kind=AccountEvent.Kind.RESET_MADE, subject=user.label)
    AuditEvent.record(campaign, user, CampaignEvent.RESET_MADE, person, user=person.pk)
    return token


@act(People.withdraw_reset)
def withdraw_reset(*, user: User, reset: PasswordReset) -> None:
    links = PasswordReset.objects.unused(reset.user).filter(pk=reset.pk)
    if not links.update(withdrawn_at=timezone.now()):
        raise Refused("This link has been used or withdrawn already.")
    AuditEvent.record(
        reset.campaign, user, CampaignEvent.RESET_WITHDRAWN, reset.user, user=reset.user_id
    )


@in_campaign
def use_reset(*, user: User, reset: PasswordReset, password: str) -> None:
    """Set the password of the person whom the link is for, once, and sign them out everywhere."""
    if user.pk != reset.user_id:
        raise NotThere
    # In the order of `make_reset`: the person, then the link.
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    locked = PasswordReset.objects.select_for_update(of=["self"], no_key=True)
    check(People.use_reset, user, locked.get(pk=reset.pk))
    TOKENS_END(person, person, "password")
    person.set_password(password)
    person.save(update_fields=["password"])
    PasswordReset.objects.filter(pk=reset.pk).update(used_at=timezone.now())
    AccountEvent.objects.create(user=person, kind=AccountEvent.Kind.PASSWORD_RESET)
    AuditEvent.record(reset.campaign, person, CampaignEvent.RESET_USED, person.username)
