"""Work on texts that were replaced since, in sentences."""

from typing import NamedTuple

from trec.words import counted, verb


class OnReplaced(NamedTuple):
    """What rests on an earlier text, and the button of the page that mends it."""

    title: str
    why: str
    view: str
    button: str


def on_replaced(n_judged: int, n_known: int, n_practice: int) -> list[OnReplaced]:
    """Return what to do about judgments, known grades and practice grades of an earlier text."""
    rows = []
    if n := n_judged:
        title = f"{counted(n, 'judgment')} {verb(n, 'rests')} on an earlier text"
        why = "The text of the document or the statement of the topic was replaced since."
        rows.append(OnReplaced(title, why, "assess:earlier", "Reopen…"))
    for n, noun, view in (
        (n_known, "known grade", "agreement:controls"),
        (n_practice, "practice grade", "practice:edit_practice"),
    ):
        if n:
            title = f"{counted(n, noun)} {verb(n, 'waits')} to be confirmed"
            why = "The document has another text than the grade is known of."
            rows.append(OnReplaced(title, why, view, "Confirm…"))
    return rows
