"""An assessor's own words for a topic, and the words of the topic that they switched off."""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from cleverdon.trec.streams import storable
from desk.core.words import WITHOUT_WIDTH

MAX_OWN = 30
MAX_OFF = 100
MAX_LENGTH = 60
MAX_CHANGES = 200  # of one request
MARKS = range(1, 6)  # each has a color and a line of its own; see judging.css
LEAST_BEFORE_STAR = 2
ADD, REMOVE, OFF, ON = "add", "remove", "off", "on"

NOTHING_TO_FIND = "Write a word with at least one letter or digit."
STAR_INSIDE = "A * stands at the end only, for any ending."
TOO_LONG = f"A word of your own has at most {MAX_LENGTH} characters."
TOO_SHORT = f"Write at least {LEAST_BEFORE_STAR} letters before the *."
TOO_MANY = f"There are {MAX_OWN} words of your own for this topic already: remove one first."
TOO_MANY_OFF = f"{MAX_OFF} words are switched off already."


class OwnWord(NamedTuple):
    """A word or a phrase, and which of the `MARKS` it has; a * at its end allows any ending.

    Only letters and digits are compared, in any case; words of a phrase match across other signs
    but not across the end of a sentence.
    """

    text: str
    mark: int


class WordChange(NamedTuple):
    """`act` is `ADD`, `REMOVE`, `OFF` or `ON`; only an added word has a mark."""

    act: str
    text: str
    mark: int = MARKS[0]


class Marked(NamedTuple):
    """Somebody's own words in the order added, and the labels of the topic's words switched off."""

    own: tuple[OwnWord, ...] = ()
    off: tuple[str, ...] = ()


def cleaned(text: str) -> str:
    """Return a word as it is kept.

    >>> cleaned("  street   trees * ")
    'street trees*'
    """
    text = " ".join(unicodedata.normalize("NFC", text).split())
    bare = text.rstrip("* ")
    return f"{bare}*" if text.endswith("*") else bare


def folded(text: str) -> str:
    """Return the form by which words are compared: without capitals, and what has no width."""
    return unicodedata.normalize("NFC", WITHOUT_WIDTH.sub("", text).lower())


def why_not(text: str) -> str:
    """Return why a cleaned text cannot be a word of one's own; "" if it can."""
    if not any(map(str.isalnum, text)):
        return NOTHING_TO_FIND
    if len(text) > MAX_LENGTH:
        return TOO_LONG
    if "*" in text[:-1]:
        return STAR_INSIDE
    is_short = text.endswith("*") and sum(map(str.isalnum, text)) < LEAST_BEFORE_STAR
    return TOO_SHORT if is_short else ""


def after(
    marked: Marked, changes: Iterable[WordChange]
) -> tuple[Marked, list[tuple[WordChange, str]]]:
    """Return what is marked after the changes, and the changes refused, each with the reason.

    A change made before changes nothing, so a list may come twice.
    """
    own = {folded(word.text): word for word in marked.own}
    off = {folded(label): label for label in marked.off}
    refused = []
    for sent in changes:
        change = sent._replace(text=cleaned(sent.text))
        key = folded(change.text)
        if change.act == REMOVE:
            own.pop(key, None)
        elif change.act == ON:
            off.pop(key, None)
        elif why := _why_not(change, own, off):
            refused.append((change, why))
        elif change.act == ADD:
            own.setdefault(key, OwnWord(change.text, change.mark))
        else:
            off.setdefault(key, change.text)
    return Marked(tuple(own.values()), tuple(off.values())), refused


def _why_not(change: WordChange, own: Collection[str], off: Collection[str]) -> str:
    """Return why a word cannot be added or switched off; "" if it can be, or already is."""
    if change.act == ADD:
        is_full = folded(change.text) not in own and len(own) >= MAX_OWN
        return why_not(change.text) or (TOO_MANY if is_full else "")
    is_full = folded(change.text) not in off and len(off) >= MAX_OFF
    return TOO_MANY_OFF if is_full else TOO_LONG if len(change.text) > MAX_LENGTH else ""


def read(sent: object) -> Sequence[WordChange] | None:
    """Return the changes of a parsed JSON body; None if it is no list of changes.

    >>> read([{"act": "add", "text": "canopy", "mark": 2}])
    [WordChange(act='add', text='canopy', mark=2)]
    """
    if not isinstance(sent, list) or len(sent) > MAX_CHANGES:
        return None
    changes = [_one(each) for each in sent]
    return None if None in changes else [each for each in changes if each]


def _one(sent: object) -> WordChange | None:
    if not isinstance(sent, dict):
        return None
    act, text, mark = sent.get("act"), sent.get("text"), sent.get("mark", MARKS[0])
    if act not in (ADD, REMOVE, OFF, ON) or type(mark) is not int or mark not in MARKS:
        return None
    if not isinstance(text, str) or storable(text) != text:
        return None
    return WordChange(act, text[: MAX_LENGTH * 4], mark)
