"""The names by which files call the fields of topics, documents and judgments, for all readers.

Names are compared without their case; a hyphen or a blank is a low line: `Query-ID` is `query_id`.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple

from cleverdon.trec.streams import FormatError, readable

# Names that come first count, where a record has several. Generic ones stand last, and `pid` stands
# before `docid`: a passage has its own name and that of its document.
NUMBER = (
    *("number", "num", "query_id", "qid", "queryid", "topic_id", "topicid", "topic_number"),
    *("request_id", "identifier", "id", "_id", "topic"),
)
DOCNO = (
    *("docno", "pid", "docid", "doc_id", "document_id", "corpus_id", "cord_uid"),
    *("clueweb22_id", "trec_id", "product_id", "id", "_id"),
)
GRADE = ("grade", "rel", "relevance", "relevancy", "score", "label", "judgment", "judgement")
TEXT = (
    *("text", "contents", "body", "content", "passage", "segment", "main_text", "full_text"),
    *("fulltext", "clean_text", "description", "product_description"),
)
# Names of a record, and their characters, beyond which what they mean is not kept for the next.
MOST_KEPT, MOST_KEPT_CHARACTERS = 64, 2_000
MOST_TOLD, MOST_KNOWN, MOST_CHARACTERS = 5, 14, 30
MOST_UNREAD, MOST_OF_UNREAD = 20, 60
_BY_COLUMNS = 'A table is written by its rows, one object each: in pandas with orient="records".'
_ACTIONS = frozenset({"index", "create", "update", "delete"})
_BULK = (
    "Elasticsearch's bulk files have such lines: leave them out, and write each _id into its "
    "document."
)


class Unread:
    """The names of fields that have a value and were not read: the first ones, as they come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.are_more = False
        self._noted = set[str]()  # as written: most records have the names of those before

    def note(self, names: Collection[str]) -> None:
        if self.are_more or self._noted.issuperset(names):
            return
        for name in names:
            shown = readable(name[:MOST_OF_UNREAD])
            if shown in self.names:
                continue
            if len(self.names) == MOST_UNREAD:
                self.are_more = True
                return
            self.names.append(shown)
            self._noted.add(name)


class Values(NamedTuple):
    """The fields of a record, each as its parts: names as written, and values."""

    parts: Mapping[str, list[tuple[str, Any]]]
    others: list[str]  # names that have a value and were not taken


def plain_name(name: str) -> str:
    """Return a name as it is compared.

    >>> plain_name(" ClueWeb22-ID"), plain_name("Main text")
    ('clueweb22_id', 'main_text')
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")


Plan = list[tuple[str, list[list[str]]]]


class Fields:
    """The fields of a kind of record: of each its parts, and of each part the names it may have."""

    def __init__(self, parts: Mapping[str, tuple[tuple[str, ...], ...]]) -> None:
        self.parts = parts
        self.known = frozenset(chain.from_iterable(chain.from_iterable(parts.values())))

    def names(self, field: str) -> list[str]:
        return list(chain.from_iterable(self.parts[field]))

    def is_named(self, field: str, cells: Iterable[str]) -> bool:
        """Tell whether a header names a field.

        >>> OF_TOPICS.is_named("number", ["query-id", "query"])
        True
        """
        known = self.names(field)
        return any(plain_name(cell) in known for cell in cells)

    def knows_any(self, cells: Iterable[str]) -> bool:
        return not self.known.isdisjoint(map(plain_name, cells))

    def values_of(self, record: Mapping[str, Any]) -> Values:
        """Take the fields out of a record; a name that gave one field gives no other.

        >>> OF_TOPICS.values_of({"topic_id": "7", "topic": "tolls", "x": "y"}).others
        ['x']
        >>> passage = {"docid": "d", "pid": "d#1", "passage": "It rises.", "headings": "Tolls"}
        >>> taken = OF_DOCUMENTS.values_of(passage)
        >>> taken.parts["docno"], taken.parts["text"]
        ([('pid', 'd#1')], [('headings', 'Tolls'), ('passage', 'It rises.')])
        """
        parts, taken = dict[str, list[tuple[str, Any]]](), set[str]()
        for field, groups in self._plan(record):
            found = parts[field] = []
            for names in groups:
                for name in names:
                    if name not in taken and not _is_nothing(record[name]):
                        taken.add(name)
                        found.append((name, record[name]))
                        break
        others = [name for name in record if name not in taken and not _is_nothing(record[name])]
        return Values(parts, others)

    def _plan(self, record: Mapping[str, Any]) -> Plan:
        """Return for each field its parts, each the names of this record that would give it."""
        names = tuple(record)
        if len(names) > MOST_KEPT or sum(map(len, names)) > MOST_KEPT_CHARACTERS:
            return _planned(self, names)
        return _kept(self, names)


def _planned(fields: Fields, names: tuple[str, ...]) -> Plan:
    written = dict[str, list[str]]()
    for name in names:
        written.setdefault(plain_name(name), []).append(name)
    return [
        (field, [[each for name in part for each in written.get(name, ())] for part in parts])
        for field, parts in fields.parts.items()
    ]


_kept = lru_cache(maxsize=64)(_planned)


def _is_nothing(value: object) -> bool:
    return value is None or value in ("", [], {})


# A field is made of the parts that a record has, in this order; each is the first of its names.
OF_DOCUMENTS = Fields(
    {
        "docno": (DOCNO,),
        "title": (
            ("title", "headline", "page_title", "wikipedia_title", "product_title", "product_name"),
        ),
        "text": (("headings",), ("abstract",), TEXT),
        "url": (("url", "article_url"),),
        "language": (("language", "lang"),),
        "html": (("html",),),
        "content_type": (("content_type", "body_content_type"),),
    }
)
OF_TOPICS = Fields(
    {
        "number": (NUMBER,),
        "title": (
            (
                *("title", "query", "text", "manual_rewritten_utterance", "resolved_utterance"),
                *("raw_utterance", "utterance", "content", "en_title", "topic_title", "topic"),
                *("summary", "smry", "body", "claim", "input"),
            ),
            # Of precision medicine, whose topics have no other title.
            *(("disease",), ("gene",), ("demographic",), ("treatment",)),
        ),
        "description": (
            (
                *("description", "desc", "question", "need", "en_desc", "topic_description"),
                *("problem_statement", "text"),
            ),
        ),
        "narrative": (("narrative", "narr", "en_narr", "topic_narrative", "guidelines"),),
        "split": (("split",),),
    }
)

# Of a table beside runs, next to the columns of efficiency.
OF_RUNS = Fields(
    {
        "tag": (("tag", "run_tag", "runtag", "run_name", "run", "runid", "run_id"),),
        "file": (("file", "file_name", "filename"),),
        "manual": (("manual", "is_manual", "type", "run_type"),),
        "priority": (("priority",),),
        "description": (("description", "desc"),),
    }
)


def none_of(what: str, known: Iterable[str], there: Iterable[str]) -> str:
    """Say that a record lacks a field, with the names that would do and those that it has.

    Of a record with values: that others lie within it, if they do.

    >>> none_of("The document has no docno", ["docno", "docid"], ["page_id"])
    'The document has no docno: none of docno, docid; it has page_id.'
    >>> none_of("The topic has no number", ["number"], [])
    'The topic has no number: none of number.'
    >>> none_of("It has no docno", ["id"], {"docs": [{"id": "1"}]})
    'It has no docno. What lies within docs is not read: write it without that, one object a line.'
    """
    within = _holding(there) if isinstance(there, Mapping) else []
    if within and set(within) <= _ACTIONS:
        return f"{what}. {_BULK}"
    if within:
        inner = f"What lies within {shortened(within)} is not read"
        return f"{what}. {inner}: write it without that, one object a line."
    has = shortened(there)
    would_do = shortened(dict.fromkeys(known), MOST_KNOWN)
    return f"{what}: none of {would_do}{'; it has ' if has else ''}{has}."


def _holding(record: Mapping[str, Any]) -> list[str]:
    """Return the names under which a record holds others."""
    return [
        name
        for name, value in record.items()
        if isinstance(value[0] if isinstance(value, list) and value else value, dict)
    ]


def shortened(names: Iterable[str], most: int = MOST_TOLD) -> str:
    """List the first names of a record."""
    rest = iter(names)
    told = [readable(name[:MOST_CHARACTERS]) for name in islice(rest, most)]
    return ", ".join(told) + (", …" if next(rest, None) is not None else "")


def as_text(line: int, name: str, value: object) -> str:
    """Return a value that is text; FormatError for another. Numbers are text, as written."""
    if isinstance(value, str):
        return value
    kind = "true or false" if isinstance(value, bool) else "a list or an object"
    said = f"The {readable(name[:MOST_OF_UNREAD])} is {kind}; it must be text or a number."
    raise FormatError(line, f"{said} {_BY_COLUMNS}" if isinstance(value, dict) else said)
