"""Refusals: a check that forbids something raises the sentence that page, API and command all show."""

import re
from collections.abc import Callable

from django.core.exceptions import ValidationError


class Refused(Exception):
    """A rule forbids the request. The text is the sentence shown, `status` the HTTP status of the answer."""

    status = 409


class NotYours(Refused):
    """Refused because of who asks, not because of the current state."""

    status = 403


class NotThere(Refused):
    """Refused without revealing that it exists: pages and API answer as they do to an unknown address."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is nothing here.")


class Unconfirmed(Refused):
    """Refused until exactly what it says has been accepted: the form shows it beside a tick, which sends it back."""

    field = "accepts"


def check_accepted(consequence: str, accepts: str | None) -> None:
    """Refuse what has a consequence until that is accepted; with None nobody is asked, as where no page comes before."""
    if consequence and accepts not in {None, consequence}:
        raise Unconfirmed(consequence)


class NameTaken(Refused):
    """Somebody else has just been given the user name: the form that asked for it shows this sentence."""

    def __init__(self) -> None:
        super().__init__("A user with that username already exists.")


def can(check: Callable[..., None], *arguments: object) -> bool:
    """Turn a check into a boolean, for showing or hiding a control."""
    return not why_not(check, *arguments)


def why_not(check: Callable[..., None], *arguments: object) -> str:
    """Return the sentence shown beside a disabled control; "" if the check passes."""
    try:
        check(*arguments)
    except Refused as refusal:
        return str(refusal)
    return ""


class NotTheExample:
    """A rule for passwords: not the one of the example campaign, which every visitor reads, nor with a little before or after it."""

    def validate(self, password: str, user: object = None) -> None:
        if re.fullmatch(r"[\W\d_]*cleverdon[\W\d_]*", password, re.IGNORECASE):
            raise ValidationError(self.get_help_text(), code="password_is_the_example")

    def get_help_text(self) -> str:
        return (
            "Your password cannot be the name of this site, which is that of the example campaign."
        )
