"""Topics from TREC's `<top>` text, tab-separated values or JSON Lines, told apart by how the text begins."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from trec.jsonlines import objects, value
from trec.streams import FormatError, storable

MAX_NUMBER = 60
TAG = re.compile(
    r"<(/?)(top|num|title|desc|narr)(?:ber|ription|ative)?\b[^>]*>", re.IGNORECASE
)
# The classic files repeat in words what the tag says.
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
    start = text.lstrip()
    if re.search(r"<top\b", text, re.IGNORECASE):
        return _trec
    return _json_lines if start.startswith("{") else _tab_separated


def _checked(records: Iterable[tuple[int, TopicRecord]]) -> Iterator[TopicRecord]:
    seen: dict[str, int] = {}
    for line, record in records:
        number = record.number
        _check_number(line, number)
        if number in seen:
            raise FormatError(
                line, f"Topic {number} comes again; it was on line {seen[number]}."
            )
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
    fields: dict[str, str] = {}
    start, name, content = 0, "", 0
    for tag in [*TAG.finditer(text), None]:
        if name and name != "top":
            fields[name] = _words(
                name, text[content : tag.start() if tag else len(text)]
            )
        opens_topic = tag is not None and tag[2].lower() == "top" and not tag[1]
        if (opens_topic or tag is None) and start:
            yield start, _of_fields(fields)
            fields = {}
        if opens_topic and tag:
            start = text.count("\n", 0, tag.start()) + 1
        name = tag[2].lower() if tag and not tag[1] else ""
        content = tag.end() if tag else 0


def _of_fields(fields: Mapping[str, str]) -> TopicRecord:
    return TopicRecord(
        *(fields.get(name, "") for name in ("num", "title", "desc", "narr"))
    )


def _words(name: str, content: str) -> str:
    """Drop the label, and join the lines of a paragraph; empty lines part paragraphs."""
    content = LABELS[name].sub("", content, count=1)
    paragraphs = re.split(r"\n\s*\n", content.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _json_lines(text: str) -> Iterator[tuple[int, TopicRecord]]:
    for line, stored in objects(enumerate(text.split("\n"), 1)):
        yield line, TopicRecord(*(value(stored, n).strip() for n in NAMES.values()))


def _tab_separated(text: str) -> Iterator[tuple[int, TopicRecord]]:
    for line, source in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in source.split("\t")]
        if not source.strip() or (line == 1 and cells[0].lower() in NAMES["number"]):
            continue
        if not 2 <= len(cells) <= 4:
            raise FormatError(
                line,
                f"It has {len(cells)} tab-separated columns; 2 to 4 are needed: number, title, description, narrative.",
            )
        yield line, TopicRecord(*cells)
