"""What goes wrong between a program and a site, each as an exception that says it in a sentence."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

NOT_FOUND, CONFLICT, TOO_LARGE = 404, 409, 413
UNCONFIRMED = "unconfirmed"  # a kind of problem


class ClientError(Exception):
    """Anything of the client's; its text is one sentence for a person, or a few."""


class Unreachable(ClientError):
    """The site did not answer, however often it was asked."""


class Misfit(ClientError):
    """What answered does not speak this version of the API, or something in between did."""

    kind = ""

    def __init__(self, sentence: str, status: int = 200) -> None:
        self.status = status
        super().__init__(sentence)


class Problem(ClientError):
    """A refusal of the site, as its problem details (RFC 9457) have it.

    `kind` is the end of `type`, such as "refused" or "not_found". `fields` are the sentences about
    each value that does not fit, `remedy` says what to do.
    """

    about = ""  # in front of the sentence

    def __init__(self, status: int, told: Mapping[str, Any]) -> None:
        self.status = status
        self.kind = str(told.get("type", "")).rpartition("#")[2]
        self.detail = str(told.get("detail") or told.get("title") or f"It answered {status}.")
        self.remedy = str(told.get("remedy", ""))
        self.fields: dict[str, Sequence[str]] = dict(told.get("fields") or {})
        super().__init__(status, told)

    def __str__(self) -> str:
        if not self.fields:
            return f"{self.about}{self.detail}"
        return self.about + " ".join(
            f"{name}: {sentence}" if name else sentence
            for name, sentences in self.fields.items()
            for sentence in sentences
        )


@contextmanager
def about(what: str) -> Iterator[None]:
    """Name what is refused, such as the part of a file."""
    try:
        yield
    except Problem as problem:
        problem.about = f"{what}: "
        raise


def confirmed(act: Callable[..., Any], *arguments: Any, accepts: bool, **values: Any) -> Any:
    """Do an act; once more with the consequence that the site names, if that is accepted."""
    try:
        return act(*arguments, **values)
    except Problem as problem:
        if problem.kind != UNCONFIRMED or not accepts:
            raise
        return act(*arguments, **values, accepts=problem.detail)
