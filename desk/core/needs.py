"""What needs an organizer, such as work on texts that were replaced."""

from typing import NamedTuple

from cleverdon.trec.words import counted, verb


class Need(NamedTuple):
    """A problem, why it matters, and the button: to a view of the campaign, or `at` an address."""

    title: str
    why: str
    view: str
    act: str
    is_stage: bool = False
    at: str = ""
    other: tuple[str, str] = ("", "")  # what else can be done, and where


def on_replaced(n_judged: int, n_known: int, n_practice: int) -> list[Need]:
    """Return what to do about judgments, known grades and practice grades of an earlier text."""
    rows = []
    if n := n_judged:
        title = f"{counted(n, 'judgment')} {verb(n, 'rests')} on an earlier text"
        why = "The text of the document or the statement of the topic was replaced since."
        rows.append(Need(title, why, "assess:earlier", "Reopen…"))
    for n, noun, view in (
        (n_known, "known grade", "agreement:controls"),
        (n_practice, "practice grade", "practice:edit_practice"),
    ):
        if n:
            title = f"{counted(n, noun)} {verb(n, 'waits')} to be confirmed"
            why = "Its text has changed since, here or before the campaign was copied."
            rows.append(Need(title, why, view, "Confirm…"))
    return rows
