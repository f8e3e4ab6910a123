"""Refusals: a check that forbids something raises the sentence that page, API and command all show."""

from collections.abc import Callable


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
