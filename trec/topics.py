"""Topics from TREC's `<top>` text, XML, tab-separated values or JSON Lines."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple

from trec.json_lines import first_value, json_objects
from trec.streams import BYTE_ORDER_MARK, MARKED, FormatError, decoded, storable
from trec.words import counted
from trec.xml_topics import TOPIC, paragraphs, pieces, read_xml

# Bytes of a file, unpacked.
MAX_BYTES = 1 << 24
MAX_NUMBER = 60
MAX_TOPICS = 100_000
# Characters of a field. Lists show all titles, whole.
MAX_TITLE, MAX_TEXT = 10_000, 100_000
# No "<" within a tag: else a text of tags that never end takes quadratic time.
TOP = re.compile(r"<top\b[^<>]*>", re.IGNORECASE)
TAG = re.compile(r"<(/?)(top|num|title|desc|narr)(?:ber|ription|ative)?\b[^<>]*>", re.IGNORECASE)
# The fields, and the label by which classic files repeat the tag.
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
PUBLIC, HIDDEN = "public", "hidden"


class TopicRecord(NamedTuple):
    """A topic as read."""

    number: str
    title: str
    description: str = ""
    narrative: str = ""
    split: str = PUBLIC


# Topics, each with the number of its (first) line.
Records = Iterator[tuple[int, TopicRecord]]


def read_topics(stream: BinaryIO) -> list[TopicRecord]:
    """Read topics in UTF-8 from a stream of plain bytes (see `streams.opened`)."""
    content = stream.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return parse_topics(decoded(content))


def parse_topics(text: str) -> list[TopicRecord]:
    """Read topics. Lines end in LF, CR LF or CR.

    FormatError, with the line, for a missing or repeated number, a missing title, a field
    that is too long, a byte order mark, more than MAX_TOPICS, or an unreadable line.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith(BYTE_ORDER_MARK):
        raise FormatError(1, MARKED)
    topics = list(_checked(_reader(text)(text)))
    if not topics:
        raise FormatError(None, "There is no topic in it.")
    return topics


def _reader(text: str) -> Callable[[str], Records]:
    if re.search(r"<top\b", text, re.IGNORECASE):
        return _trec
    if TOPIC.search(text):
        return _xml
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
        _check_length(line, "title", record.title, MAX_TITLE)
        _check_length(line, "description", record.description, MAX_TEXT)
        _check_length(line, "narrative", record.narrative, MAX_TEXT)
        if len(seen) == MAX_TOPICS:
            message = f"There are more than {MAX_TOPICS:,} topics, which is the limit."
            raise FormatError(line, message)
        seen[number] = line
        yield TopicRecord(*map(storable, record))


def _check_number(line: int, number: str) -> None:
    if not number:
        raise FormatError(line, "The topic has no number.")
    is_whole = storable(number) == number and BYTE_ORDER_MARK not in number
    if len(number.split()) != 1 or not is_whole:
        raise FormatError(line, f"A topic's number is one word, not {number[:60]!r}.")
    if len(number) > MAX_NUMBER:
        message = f"The topic's number is longer than {MAX_NUMBER} characters."
        raise FormatError(line, message)


def _check_length(line: int, name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise FormatError(line, f"The topic's {name} is longer than {most:,} characters.")


def _trec(text: str) -> Records:
    """Read `<top>` elements; closing tags may be missing, as in the classic files."""
    for line, _, content in pieces(TOP, text):
        yield line, _of_element(content)


def _of_element(element: str) -> TopicRecord:
    """Take each field from its tag to the next tag."""
    fields = {tag[2].lower(): text for _, tag, text in pieces(TAG, element) if not tag[1]}
    return TopicRecord(*(_words(name, fields.get(name, "")) for name in LABELS))


def _words(name: str, content: str) -> str:
    """Drop the label, and join the lines of each paragraph."""
    if label := LABELS[name].match(content):
        content = content[label.end() :]
    return paragraphs(content)


def _xml(text: str) -> Records:
    for line, texts in read_xml(text):
        yield line, TopicRecord(*texts)


def _json_lines(text: str) -> Records:
    for line, stored in json_objects(enumerate(text.split("\n"), 1)):
        values = [first_value(line, stored, names) for names in NAMES.values()]
        split = first_value(line, stored, ["split"]).strip() or PUBLIC
        if split not in {PUBLIC, HIDDEN}:
            raise FormatError(line, f"The split is {split[:20]!r}; it is {PUBLIC} or {HIDDEN}.")
        yield line, TopicRecord(*map(str.strip, values))._replace(split=split)


def _tab_separated(text: str) -> Records:
    for line, source in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in source.split("\t")]
        if not source.strip() or (line == 1 and cells[0].lower() in NAMES["number"]):
            continue
        if not 2 <= len(cells) <= 4:
            columns = counted(len(cells), "tab-separated column")
            needed = "2 to 4 are needed: number, title, description, narrative."
            raise FormatError(line, f"It has {columns}; {needed}")
        yield line, TopicRecord(*cells)
