"""Work that rests on texts which were replaced since, in words."""

from typing import NamedTuple

from trec.words import counted, verb


class OnReplaced(NamedTuple):
    """What rests on an earlier text, why that matters, and the page that mends it."""

    title: str
    why: str
    view: str
    button: str


def on_replaced(n_judged: int, n_known: int, n_practice: int) -> list[OnReplaced]:
    """Say which judgments, known grades and grades of practice are about an earlier text."""
    found = []
    if n := n_judged:
        title = f"{counted(n, 'judgment')} {verb(n, 'rests')} on an earlier text"
        why = "The text of the document or the statement of the topic was replaced since."
        found.append(OnReplaced(title, why, "assess:earlier", "Reopen…"))
    for n, noun, view in (
        (n_known, "known grade", "agreement:controls"),
        (n_practice, "practice grade", "practice:edit_practice"),
    ):
        if n:
            title = f"{counted(n, noun)} {verb(n, 'waits')} to be confirmed"
            why = "The document has another text than the grade is known of."
            found.append(OnReplaced(title, why, view, "Confirm…"))
    return found
