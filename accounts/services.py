"""What people do with their own accounts."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.from_above import TOKENS_END
from accounts.models import AccountEvent, User


@transaction.atomic
def change_account(*, user: User, changes: Mapping[str, Any]) -> None:
    """Change one's name, address or keys."""
    change_reading(user=user, changes=changes)
    fields = (User._meta.get_field(name) for name in changes)
    subject = ", ".join(str(getattr(field, "verbose_name", field.name)) for field in fields)
    AccountEvent.objects.create(user=user, kind=AccountEvent.Kind.CHANGED, subject=subject)


def change_reading(*, user: User, changes: Mapping[str, Any]) -> None:
    """Change the type of documents for oneself, without an event."""
    for name, value in changes.items():
        setattr(user, name, value)
    user.save(update_fields=list(changes))


@transaction.atomic
def change_password(*, user: User, password: str) -> None:
    """Set one's own password, which ends all other sessions and the tokens of this person."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # no token is made meanwhile
    TOKENS_END(user, user, "password")
    user.set_password(password)
    user.save(update_fields=["password"])
    AccountEvent.objects.create(user=user, kind=AccountEvent.Kind.PASSWORD_CHANGED)
