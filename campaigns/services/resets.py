"""Make, withdraw and use a link by which a member sets a new password."""

from django.utils import timezone

from accounts.access import NotThere, Refused
from accounts.models import AccountEvent, User
from campaigns.access.people import check_can_reset_password, check_can_use_reset
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.resets import PasswordReset, hash_of
from campaigns.models.trail import AuditEvent


@in_campaign
def make_reset(*, user: User, campaign: Campaign, person: User) -> str:
    """Return the token of a new link, which is not stored; the person's earlier link ends."""
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    check_can_reset_password(user, campaign, person)
    PasswordReset.objects.unused(person).update(withdrawn_at=timezone.now())
    token = PasswordReset.new_token()
    PasswordReset.objects.create(
        campaign=campaign,
        user=person,
        created_by=user,
        token_hash=hash_of(token),
        password_mark=person.get_session_auth_hash(),
    )
    AccountEvent.objects.create(user=person, kind=AccountEvent.Kind.RESET_MADE, subject=user.label)
    AuditEvent.record(campaign, user, CampaignEvent.RESET_MADE, person, user=person.pk)
    return token


@in_campaign
def withdraw_reset(*, user: User, reset: PasswordReset) -> None:
    check_can_organize(user, reset.campaign)
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
    check_can_use_reset(
        PasswordReset.objects.select_for_update(of=["self"], no_key=True).get(pk=reset.pk)
    )
    person.set_password(password)
    person.save(update_fields=["password"])
    PasswordReset.objects.filter(pk=reset.pk).update(used_at=timezone.now())
    AccountEvent.objects.create(user=person, kind=AccountEvent.Kind.PASSWORD_RESET)
    AuditEvent.record(reset.campaign, person, CampaignEvent.RESET_USED, person.username)
