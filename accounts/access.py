"""Refusals: a check raises the sentence that page, API and command all show."""

import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError

from accounts.from_above import TOKENS_END


class Refused(Exception):
    """A rule forbids the request: the text is the sentence shown, `status` the HTTP status."""

    status = 409


class NotYours(Refused):
    """Refused because of who asks, not because of the current state."""

    status = 403


class NotThere(Refused):
    """Refused without revealing that it exists: answered like an unknown address."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is nothing here.")


class Unconfirmed(Refused):
    """Refused until its exact text is accepted: the form shows it with a box to tick."""

    field = "accepts"


def check_accepted(consequence: str, accepts: str | None) -> None:
    """Refuse a consequence until it is accepted. None accepts everything."""
    if consequence and accepts not in {None, consequence}:
        raise Unconfirmed(consequence)


class Invalid(Refused):
    """Refused because of what was sent in `field`."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class NameTaken(Refused):
    """Refused because somebody else has just taken the user name."""

    def __init__(self) -> None:
        super().__init__("A user with that username already exists.")


def check_seen(sent: str | None, now: str, what: str) -> None:
    """Refuse an act on a page that showed another `version`; None comes from no page."""
    if sent not in {None, now}:
        raise Refused(f"{what} changed while you had the page open: look again.")


def can(check: Callable[..., None], *arguments: object) -> bool:
    """Return whether a check passes."""
    return not why_not(check, *arguments)


def why_not(check: Callable[..., object], *arguments: object) -> str:
    """Return the sentence of a check that fails, for a disabled control; "" if it passes."""
    try:
        check(*arguments)
    except Refused as refusal:
        return str(refusal)
    return ""


Thing = TypeVar("Thing")


class Verb(Generic[Thing]):
    """What may be done to a thing: its rules are asked in turn, and the first refusal counts.

    A rule is a function of the person and the thing, or another verb. Its docstring begins with
    "Let … pass." or "Refuse ….", which the handbook repeats.
    """

    def __init__(self, *rules: Callable[[Any, Thing], None]) -> None:
        self.rules = rules

    def __call__(self, user: Any, thing: Thing) -> None:
        for rule in self.rules:
            rule(user, thing)


class Verbs:
    """A table of what may be done to a noun. A class, so that a misspelled verb is an error."""


def check(verb: Callable[[Any, Thing], None], user: Any, thing: Thing) -> None:
    """Refuse somebody who may not do this to the thing."""
    verb(user, thing)


class NotTheExample:
    """A rule for passwords: not the public one of the example campaign, with or without digits."""

    def validate(self, password: str, user: object = None) -> None:
        if re.fullmatch(r"[\W\d_]*cleverdon[\W\d_]*", password, re.IGNORECASE):
            raise ValidationError(self.get_help_text(), code="password_is_the_example")

    def password_changed(self, password: str, user: Any) -> None:
        """End the tokens of a person, as Django tells of each new password here, whoever set it."""
        TOKENS_END(user, None, "password")

    def get_help_text(self) -> str:
        return (
            "Your password cannot be the name of this site, which is that of the example campaign."
        )
