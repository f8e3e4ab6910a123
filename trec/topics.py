"""Topics from TREC's `<top>` text, tab-separated values or JSON Lines, told apart by how the text begins."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from trec.documents import first_value, json_objects
from trec.streams import FormatError, storable

MAX_NUMBER = 60
# No "<" within a tag: else a text of tags that never end takes quadratic time.
TOP = re.compile(r"<top\b[^<>]*>", re.IGNORECASE)
TAG = re.compile(
    r"<(/?)(top|num|title|desc|narr)(?:ber|ription|ative)?\b[^<>]*>", re.IGNORECASE
)
# The fields, and the label by which the classic files repeat in words what the tag says.
LABELS = {
    "num": re.compile(r"\s*Number:", re.IGNORECASE),
    "title": re.compile(r"\s*Topic:", re.IGNORECASE),
    "desc": re.compile(r"\s*Description:", re.IGNORECASE),
    "narr": re.compile(r"\s*Narrative:", re.IGNORECASE),
}
NAMES = {
    "number": ("number", "num", "id", "qid", "query_id", "topic_id"),
    "title": ("title", "query", "text"),
    "description": ("description", "desc"),
    "narrative": ("narrative", "narr"),
}


class TopicRecord(NamedTuple):
    """A topic as read."""

    number: str
    title: str
    description: str = ""
    narrative: str = ""


def parse_topics(text: str) -> list[TopicRecord]:
    """Read topics. FormatError, with the line, for a missing or repeated number, a missing title, or what cannot be read."""
    text = text.removeprefix("\ufeff")
    found = list(_checked(_reader(text)(text)))
    if not found:
        raise FormatError(None, "There is no topic in it.")
    return found


def _reader(text: str) -> Callable[[str], Iterable[tuple[int, TopicRecord]]]:
    if re.search(r"<top\b", text, re.IGNORECASE):
        return _trec
    return _json_lines if text.lstrip().startswith("{") else _tab_separated


def _checked(records: Iterable[tuple[int, TopicRecord]]) -> Iterator[TopicRecord]:
    seen: dict[str, int] = {}
    for line, record in records:
        number = record.number
        _check_number(line, number)
        if number in seen:
            message = f"Topic {number} comes again; it was on line {seen[number]}."
            raise FormatError(line, message)
        if not record.title:
            raise FormatError(line, f"Topic {number} has no title.")
        seen[number] = line
        yield TopicRecord(*map(storable, record))


def _check_number(line: int, number: str) -> None:
    if not number:
        raise FormatError(line, "The topic has no number.")
    if len(number.split()) != 1 or storable(number) != number:
        raise FormatError(line, f"A topic's number is one word, not {number[:60]!r}.")
    if len(number) > MAX_NUMBER:
        message = f"The topic's number is longer than {MAX_NUMBER} characters."
        raise FormatError(line, message)


def _trec(text: str) -> Iterator[tuple[int, TopicRecord]]:
    """Read `<top>` elements; closing tags may be absent, as in the classic files."""
    openings = list(TOP.finditer(text))
    ends = [*(opening.start() for opening in openings[1:]), len(text)]
    line, counted = 1, 0
    for opening, end in zip(openings, ends, strict=True):
        line += text.count("\n", counted, opening.start())
        counted = opening.start()
        yield line, _of_element(text[opening.end() : end])


def _of_element(element: str) -> TopicRecord:
    """Take each field from its tag to the next tag, whichever that is."""
    _, *pieces = TAG.split(element)
    tags = zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    fields = {name.lower(): content for slash, name, content in tags if not slash}
    return TopicRecord(*(_words(name, fields.get(name, "")) for name in LABELS))


def _words(name: str, content: str) -> str:
    """Drop the label, and join the lines of each paragraph; empty lines separate paragraphs."""
    if label := LABELS[name].match(content):
        content = content[label.end() :]
    paragraphs = re.split(r"\n\s*\n", content.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _json_lines(text: str) -> Iterator[tuple[int, TopicRecord]]:
    for line, stored in json_objects(enumerate(text.split("\n"), 1)):
        values = (first_value(stored, names) for names in NAMES.values())
        yield line, TopicRecord(*map(str.strip, values))


def _tab_separated(text: str) -> Iterator[tuple[int, TopicRecord]]:
    for line, source in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in source.split("\t")]
        if not source.strip() or (line == 1 and cells[0].lower() in NAMES["number"]):
            continue
        if not 2 <= len(cells) <= 4:
            message = f"It has {len(cells)} tab-separated columns; 2 to 4 are needed: number, title, description, narrative."
            raise FormatError(line, message)
        yield line, TopicRecord(*cells)
