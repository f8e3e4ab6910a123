"""What people do with their own accounts."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import AccountEvent, User


@transaction.atomic
def change_account(*, user: User, changes: Mapping[str, Any]) -> None:
    """Change one's name, address or keys; what is not named stays as it is now."""
    for name, value in changes.items():
        setattr(user, name, value)
    user.save(update_fields=list(changes))
    subject = ", ".join(_words(name) for name in changes)
    AccountEvent.objects.create(user=user, kind=AccountEvent.Kind.CHANGED, subject=subject)


def change_reading(*, user: User, changes: Mapping[str, Any]) -> None:
    """Change how documents are shown to oneself, which is not worth an event."""
    for name, value in changes.items():
        setattr(user, name, value)
    user.save(update_fields=list(changes))


@transaction.atomic
def change_password(*, user: User, password: str) -> None:
    """Set one's own password; whoever else is signed in as this person no longer is."""
    user.set_password(password)
    user.save(update_fields=["password"])
    AccountEvent.objects.create(user=user, kind=AccountEvent.Kind.PASSWORD_CHANGED)


def _words(name: str) -> str:
    """Return what a field is called on the page: "email address"."""
    field = User._meta.get_field(name)
    return str(getattr(field, "verbose_name", name))
