"""Topics from TREC's `<top>` text, XML, JSON, CSV or tab-separated values."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from cleverdon.trec import columns
from cleverdon.trec.field_names import NUMBER, OF_TOPICS, Unread, as_text, none_of, plain_name
from cleverdon.trec.json_lines import is_cut, json_objects, json_values
from cleverdon.trec.markup import HTML
from cleverdon.trec.recognize import not_columns, not_topics
from cleverdon.trec.streams import (
    BYTE_ORDER_MARK,
    MARKED,
    FormatError,
    brief,
    decoded,
    not_a_word,
    storable,
)
from cleverdon.trec.words import counted
from cleverdon.trec.xml_topics import pieces, plain_paragraphs, read_xml

# Bytes of a file, unpacked.
MAX_BYTES = 1 << 24
MAX_NUMBER = 255  # as wide as the database's columns
MAX_TOPICS = 100_000
# Characters of a field. Lists show all titles, whole.
MAX_TITLE, MAX_TEXT = 10_000, 100_000
# No "<" within a tag: else a text of tags that never end takes quadratic time.
TOP = re.compile(r"<top(?:\s[^<>]*+)?>", re.IGNORECASE)
# With the blanks before it if it begins a line.
TAG = re.compile(r"(^[ \t]*+)?<(/?)([A-Za-z][\w-]*+)(?=[\s/>])[^<>]*+>", re.MULTILINE)
ELEMENT = re.compile(r"<(top|topic|query)(?:\s[^<>]*+)?>", re.IGNORECASE)
# The labels by which classic files repeat a tag.
LABELS = {
    tag: re.compile(rf"\s*+{label}:", re.IGNORECASE)
    for label, tags in {
        "Number": ("num", "number"),
        "Topic": ("title",),
        "Description": ("desc", "description"),
        "Narrative": ("narr", "narrative"),
    }.items()
    for tag in tags
}
# Of turns of a conversation.
TURNS, TURN = ("turn", "turns"), ("number", "turn_number", "turn_id")
# In words, what a header must name, and the fields of which one will do.
NEEDED = {"number": ("number",), "title": ("title", "description")}
PUBLIC, HIDDEN = "public", "hidden"
# What tables of scores call the line over all topics, and forms every topic.
ALL = "all"


class TopicRecord(NamedTuple):
    """A topic as read."""

    number: str
    title: str
    description: str = ""
    narrative: str = ""
    split: str = PUBLIC


# Topics as their fields are named, each with the number of its (first) line.
Records = Iterator[tuple[int, dict[str, Any]]]


def read_topics(stream: BinaryIO, unread: Unread | None = None) -> list[TopicRecord]:
    """Read topics in UTF-8 from a stream of plain bytes (see `streams.opened`)."""
    content = stream.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return parse_topics(decoded(content), unread)


def parse_topics(text: str, unread: Unread | None = None) -> list[TopicRecord]:
    """Read topics. Lines end in LF, CR LF or CR; a byte order mark is dropped.

    Names of fields that are not read are noted in `unread`.

    FormatError, with the line, for a missing or repeated number, a topic with neither title nor
    description, a field that is too long, more than MAX_TOPICS, or an unreadable line.
    """
    text = text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith(BYTE_ORDER_MARK):
        raise FormatError(1, MARKED)
    topics = list(_checked(_reader(text)(text), unread or Unread()))
    if not topics:
        raise FormatError(None, "There is no topic in it.")
    return topics


def _reader(text: str) -> Callable[[str], Records]:
    """Choose by what the text begins with, never by what stands in a topic."""
    begins = text.lstrip()
    if begins.startswith("<"):
        return _markup(begins, _line_of(text, begins))
    first = begins.partition("\n")[0]
    if begins.startswith("{") and not is_cut(first):
        return partial(_json, json_objects)
    if begins.startswith(("{", "[")):
        return partial(_json, json_values)
    line = _line_of(text, begins)
    if why := not_topics(begins):
        raise FormatError(line, why)
    # A blank may be the first cell.
    first = text.split("\n", line)[line - 1] if begins else ""
    if header := columns.header_of(first, OF_TOPICS, "number"):
        header.check(line, OF_TOPICS, NEEDED)
        return partial(_table, header, line)
    return _tab_separated


def _line_of(text: str, begins: str) -> int:
    return 1 + text.count("\n", 0, len(text) - len(begins))


def _markup(begins: str, line: int) -> Callable[[str], Records]:
    element = ELEMENT.search(begins)
    if element is None:
        raise FormatError(line, not_topics(begins) or "There is no topic in it.")
    name = element[1].lower()
    return _trec if name == "top" else partial(read_xml, element=name)


def _checked(records: Records, unread: Unread) -> Iterator[TopicRecord]:
    seen: dict[str, int] = {}
    for line, stored in records:
        record = _of_fields(line, stored, unread)
        number = record.number
        _check_number(line, number)
        if number in seen:
            message = f"Topic {brief(number)} comes again; it was on line {seen[number]}."
            raise FormatError(line, message)
        if not record.title:
            known = [*OF_TOPICS.parts["title"][0], *OF_TOPICS.names("description")]
            raise FormatError(line, _lacks(f"Topic {brief(number)} has no title", known, stored))
        _check_length(line, "title", record.title, MAX_TITLE)
        _check_length(line, "description", record.description, MAX_TEXT)
        _check_length(line, "narrative", record.narrative, MAX_TEXT)
        if len(seen) == MAX_TOPICS:
            message = f"There are more than {MAX_TOPICS:,} topics, which is the limit."
            raise FormatError(line, message)
        seen[number] = line
        yield TopicRecord(*map(storable, record))


def _of_fields(line: int, stored: dict[str, Any], unread: Unread) -> TopicRecord:
    """Return a topic. Without a title its description is the title."""
    found = OF_TOPICS.values_of(stored)
    unread.note(found.others)
    number, title, description, narrative, split = (
        " ".join([as_text(line, *part) for part in parts]).strip() for parts in found.parts.values()
    )
    if not number:
        is_one = bool(title or description)  # and not a record that holds topics
        raise FormatError(line, _lacks("The topic has no number", NUMBER, stored, is_one=is_one))
    if split not in {"", PUBLIC, HIDDEN}:
        raise FormatError(line, f"The split is {split[:20]!r}; it is {PUBLIC} or {HIDDEN}.")
    if not title:
        title, description = description, ""
    return TopicRecord(number, title, description, narrative, split or PUBLIC)


def _lacks(what: str, known: Iterable[str], stored: dict[str, Any], *, is_one: bool = False) -> str:
    has = {name: value for name, value in stored.items() if value}
    return none_of(what, known, [*has] if is_one else has)


def _check_number(line: int, number: str) -> None:
    if fault := not_a_word("A topic's number", number):
        raise FormatError(line, fault)
    if number.casefold() == ALL:
        raise FormatError(line, not_called(number))
    if len(number) > MAX_NUMBER:
        message = f"The topic's number is longer than {MAX_NUMBER} characters."
        raise FormatError(line, message)


def not_called(number: str) -> str:
    """Return why no topic has the number ALL."""
    return f"A topic cannot have the number {number}: so trec_eval calls the line over all topics."


def _check_length(line: int, name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise FormatError(line, f"The topic's {name} is longer than {most:,} characters.")


def _trec(text: str) -> Records:
    """Read `<top>` elements; closing tags may be missing, as in the classic files."""
    for line, _, content in pieces(TOP, text):
        yield line, _of_element(content)


def _of_element(element: str) -> dict[str, str]:
    """Take each field from its tag to the next, of any name where it begins a line."""
    texts, name, start = dict[str, str](), "", 0
    for tag in TAG.finditer(element):
        other = plain_name(tag[3])
        begins_line = tag[1] is not None and (other not in HTML or other == "head")
        if begins_line or other in OF_TOPICS.known or other == "top":
            _keep(texts, name, element[start : tag.start()])
            name, start = ("" if tag[2] else tag[3]), tag.end()
    _keep(texts, name, element[start:])
    return texts


def _keep(texts: dict[str, str], name: str, content: str) -> None:
    """Keep the first text of a field, without its label, the lines of each paragraph joined."""
    if name and name not in texts:
        label = LABELS[name.lower()].match(content) if name.lower() in LABELS else None
        texts[name] = plain_paragraphs(content[label.end() :] if label else content)


def _json(
    objects: Callable[[Iterable[tuple[int, str]]], Iterator[tuple[int, dict[str, Any]]]], text: str
) -> Records:
    for line, stored in _unwrapped(objects(enumerate(text.split("\n"), 1))):
        turns = [turn for turn in _turns(stored) if OF_TOPICS.values_of(turn).parts["title"]]
        yield from ((line, turn) for turn in turns or [stored])


def _unwrapped(objects: Records) -> Records:
    """Yield objects; of one that has nothing but a list of them, `{"topics": [...]}`, those."""
    for line, stored in objects:
        inner = next(iter(stored.values()), None) if len(stored) == 1 else None
        if isinstance(inner, list) and inner and all(isinstance(each, dict) for each in inner):
            yield from ((line, each) for each in inner)
        else:
            yield line, stored


def _turns(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the turns of a conversation as topics, `31_1`, with its title as their description."""
    turns = next((stored[name] for name in TURNS if name in stored), None)
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return
    parts = OF_TOPICS.values_of(stored).parts
    number, title = (parts[field][0][1] if parts[field] else "" for field in ("number", "title"))
    for turn in turns:
        place = next((turn[name] for name in TURN if name in turn), "")
        rest = {name: value for name, value in turn.items() if name not in TURN}
        yield {"description": title, **rest, "number": f"{number}_{place}"}


def _table(header: columns.Header, line: int, text: str) -> Records:
    lines = ((n, f"{source}\n") for n, source in enumerate(text.split("\n"), 1) if n > line)
    return columns.records(lines, header)


def _tab_separated(text: str) -> Records:
    names = TopicRecord._fields[:4]
    for line, source in enumerate(text.split("\n"), 1):
        if not source.strip():
            continue
        cells = [cell.strip() for cell in source.split("\t")]
        if not 2 <= len(cells) <= 4:
            n = counted(len(cells), "tab-separated column")
            needed = "2 to 4 are needed: number, title, description, narrative."
            raise FormatError(line, not_columns(source, "number,title") or f"It has {n}; {needed}")
        yield line, dict(zip(names, cells, strict=False))
