"""What a file probably is, by its beginning: for files uploaded in the wrong place."""

import re

from cleverdon.trec.columns import TAB, Header, header_of, seems_header
from cleverdon.trec.field_names import (
    DOCNO,
    GRADE,
    NUMBER,
    OF_DOCUMENTS,
    OF_TOPICS,
    Fields,
    plain_name,
)
from cleverdon.trec.json_lines import is_cut
from cleverdon.trec.json_values import read_json
from cleverdon.trec.streams import lines_of, readable

# Characters looked at.
BEGINNING = 1 << 14
_NUMBER = r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?"
_RUN = re.compile(rf"\S+\s+Q0\s+\S+\s+[0-9]+\s+{_NUMBER}\s+\S+", re.IGNORECASE)
_QRELS = re.compile(r"\S+[ \t]+\S+[ \t]+\S+[ \t]+-?[0-9]+")
_ELEMENT = re.compile(r"<([A-Za-z][\w:.-]*)")
_OF_TREC = re.compile(r"<(DOC|top|topics?|queries|query)\b[^<>]*>", re.IGNORECASE)
DOCNOS = "a list of docnos"
_KINDS = {"doc": "documents", **dict.fromkeys(("top", "topic", "query"), "topics")}
# Names that only one of the two has.
_OF_DOCNOS = frozenset(DOCNO) - {"id", "_id"}
_OF_NUMBERS = frozenset(NUMBER) - {"id", "_id"}
_OF_TOPICS = _OF_NUMBERS | {"description", "desc", "narrative", "narr", "query", "question"}
_OF_DOCUMENTS = frozenset({"text", "contents", "body", "content", "passage", "segment", "url"}) | {
    *("html", "headline", "abstract")
}
_GRADES = frozenset(GRADE)
_SEPARATORS = re.compile(r"[\s,;]+")
_OTHER_QRELS = {
    3: "Its lines have three columns: write a 0 between topic and docno.",
    5: "Its lines have five columns, as those of sampled qrels and prels: keep topic, 0, docno "
    "and grade.",
}
_FOUR_COLUMNS = "write topic, 0, docno and a whole number as the grade."
_SECOND_COLUMN = (
    "Where the second column tells subtopics or assessors apart, only the command reads it: "
    "cleverdon evaluate -R qrels_subtopics, or qrels_jg."
)
BOM_AND_BLANKS = "\ufeff \t\r\n"
# What a text begins with, and what it then is.
_MARKS = {
    "WARC/": "It is a WARC archive: take the pages out of it, as JSON Lines with docno and html.",
    ".I ": "It is a collection in the format of SMART (.I, .T, .W): write it as JSON Lines.",
    "sep=": "Its first line, sep=, is for spreadsheets alone: remove it.",
    "TY  -": "It is RIS: write its records as JSON Lines.",
    "@article{": "It is BibTeX: write its records as JSON Lines.",
    "---\n": "It is YAML: write its records as JSON Lines.",
}
# Before the first element of XML.
_PROLOG = re.compile(r"(?:<\?[^<>]*>\s*|<!--[^<>]*-->\s*|<!DOCTYPE(?!\s+html)[^<>\[]*>\s*)+")
_PAGE = "It is a page of HTML: write pages as JSON Lines, the source of each in html."


def format_of(beginning: str, fields: Fields = OF_DOCUMENTS) -> str:
    r"""Return the name of the format in which topics or documents are written.

    >>> [format_of(text) for text in ("id,text\n1,a", "\n[{}", "1\ta", "d1,x\nd2", "{\n}")]
    ['CSV', 'a JSON array', 'tab-separated values', 'a list of docnos', 'JSON']
    """
    text = beginning.lstrip(BOM_AND_BLANKS)
    first, *others = lines_of(text)
    if text.startswith("<"):
        found = _OF_TREC.search(text)
        return "TREC text" if found and found[1].lower() in {"doc", "top"} else "XML"
    if text.startswith("["):
        return "a JSON array"
    if text.startswith("{"):
        return "JSON" if others and is_cut(first) else "JSON Lines"
    header = _header(first, fields)
    if header and header.separator != TAB:
        return "CSV"
    return DOCNOS if len(first.split()) == 1 else "tab-separated values"


def _header(first: str, fields: Fields) -> Header | None:
    return header_of(first, fields, "number" if fields is OF_TOPICS else "docno")


def looks_like(beginning: str) -> str:
    r"""Return "a run", "qrels", "topics" or "documents" if the text is clearly that, else "".

    >>> looks_like('{"number": "1", "title": "a"}'), looks_like('{"docno": "d1", "qid": 1}')
    ('topics', 'documents')
    >>> looks_like("301 Q0 FT911-3 1 99.5 bm25"), looks_like("301 0 FT911-3 1")
    ('a run', 'qrels')
    >>> looks_like("query-id\tcorpus-id\tscore\n1\td1\t1\n"), looks_like("qid,query\n")
    ('qrels', 'topics')
    >>> looks_like("1\ttitle")
    ''
    """
    lines = [line.strip() for line in lines_of(beginning)[:-1] or [beginning]]
    lines = [line for line in lines if line][:20]
    if not lines:
        return ""
    for pattern, what in ((_RUN, "a run"), (_QRELS, "qrels")):
        if all(pattern.fullmatch(line) for line in lines):
            return what
    if lines[0].startswith("<"):
        tags = (tag[1].lower() for tag in _OF_TREC.finditer(beginning))
        return next((_KINDS[tag] for tag in tags if tag in _KINDS), "")
    return _of_names(lines[0].lstrip(BOM_AND_BLANKS))


def _of_names(line: str) -> str:
    """Recognize what a file is by the names of its fields, in an object or a header."""
    names = _names_in(line)
    if not _GRADES.isdisjoint(names) and not (_OF_DOCUMENTS | {"title"}).intersection(names):
        has_both = not _OF_NUMBERS.isdisjoint(names) and not _OF_DOCNOS.isdisjoint(names)
        return "qrels" if has_both and "rank" not in names else ""
    if not _OF_DOCNOS.isdisjoint(names):
        return "documents"
    # With an id and a title alone it may be either.
    is_topic = not _OF_TOPICS.isdisjoint(names) and _OF_DOCUMENTS.isdisjoint(names)
    return "topics" if is_topic else ""


def _names_in(line: str) -> set[str]:
    if line.startswith(("{", "[")):
        source = line.strip("[], ")
        try:
            stored = read_json(source, most_bytes=BEGINNING)
        except ValueError:
            return set()
        written = list(stored) if isinstance(stored, dict) else []
    else:
        written = [word.strip('"') for word in _SEPARATORS.split(line)]
        if any(re.search(r"\d", word) for word in written):
            written = line.split(TAB)[:1]
    return {plain_name(name) for name in written if isinstance(name, str)}


def not_documents(begins: str) -> str:
    """Say what else a file is that begins so; "" if it may have documents.

    >>> not_documents("<add><doc>")
    'It is XML that begins with <add>; documents begin with <DOC>, each with its DOCNO.'
    """
    return _other(begins, "documents begin with <DOC>, each with its DOCNO.")


def not_topics(begins: str) -> str:
    """Say what else a file is that begins so; "" if it may have topics."""
    return _other(begins, "topics are in <top>, <topic> or <query>.")


def _other(begins: str, wanted: str) -> str:
    start = _PROLOG.sub("", begins.lstrip()[:2000])[:200]
    if found := next((why for mark, why in _MARKS.items() if start.startswith(mark)), ""):
        return found
    if re.match(r"<!doctype html|<html\b", start, re.IGNORECASE):
        return _PAGE
    name = _ELEMENT.match(start)
    return f"It is XML that begins with <{readable(name[1][:40])}>; {wanted}" if name else ""


def not_columns(line: str, example: str) -> str:
    """Say that a line without tabs has other separators; "" if it has none."""
    if "|" in line and TAB not in line:
        return "Its columns are separated by bars: separate them by tabs."
    for separator, name in ((",", "commas"), (";", "semicolons")):
        if separator in line and TAB not in line:
            header = example.replace(",", separator)
            return f"It has {name} but no tabs. CSV begins with names of its columns: {header}."
    return ""


def not_qrels(beginning: str) -> str:
    r"""Say what else a file is that cannot be read as qrels, and what to do; "" if nothing known.

    >>> not_qrels("1 Q0 d1 1 9.5 bm25\n")
    'This looks like a run: runs are uploaded on the page Runs.'
    >>> not_qrels("query-id\tcorpus-id\tscore\n1\td1\t1\n")
    'Its first line names three columns: remove it, and write a 0 between topic and docno.'
    >>> not_qrels("1 0 d1 yes\n"), not_qrels("1 1 d1 1\n1 2 d1 0\n")[:36]
    ('', 'Where the second column tells subtop')
    """
    first = next((line for line in lines_of(beginning.lstrip(BOM_AND_BLANKS)) if line), "")
    words = first.split()
    what = looks_like(beginning)
    if len(words) == 6 or what == "a run":
        return "This looks like a run: runs are uploaded on the page Runs."
    if what in {"topics", "documents"}:
        return f"This looks like {what}: they are imported on the page {what.capitalize()}."
    if first.startswith(("{", "[")):
        return "It is JSON: write a line for each judgment: topic, 0, docno and grade."
    if is_qrels_header(first):
        n = len(_SEPARATORS.split(first))
        missing = ", and write a 0 between topic and docno" if n == 3 else ""
        return f"Its first line names {'three' if n == 3 else 'the'} columns: remove it{missing}."
    return _columns_of_qrels(first, lines_of(beginning))


def _columns_of_qrels(first: str, lines: list[str]) -> str:
    """Say what the columns are, if all lines at the beginning have as many."""
    words = first.split()
    for separator, name in ((",", "commas"), (";", "semicolons")):
        if first.count(separator) >= 2 and len(words) == 1:
            return f"Its columns are separated by {name}: separate them by blanks or tabs."
    rows = [line.split() for line in lines[:20] if line]
    if {len(row) for row in rows} != {len(words)}:
        return ""
    if len(words) == 3 and not re.fullmatch(_NUMBER, words[2]):
        return "Its lines have three columns, and no number in the third: " + _FOUR_COLUMNS
    if len(words) == 4:
        pairs, groups = {(row[0], row[2]) for row in rows}, {tuple(row[:3]) for row in rows}
        return _SECOND_COLUMN if len(pairs) < len(groups) else ""
    return _OTHER_QRELS.get(len(words), "")


def is_qrels_header(line: str) -> bool:
    r"""Tell whether a line names the columns of qrels.

    >>> is_qrels_header("topic iter docno rel"), is_qrels_header("topic 0 docno 1")
    (True, False)
    """
    names = {plain_name(word.strip('"')) for word in _SEPARATORS.split(line.strip())}
    kinds = ({*NUMBER}, {*DOCNO}, _GRADES)
    is_known = sum(not kind.isdisjoint(names) for kind in kinds) >= 2
    return is_known and not any(name.lstrip("-").isdigit() for name in names)


def first_line_in_doubt(beginning: str, fields: Fields = OF_DOCUMENTS) -> str:
    """Say so if the first line may be a header that was read as a record, or may begin CSV."""
    text = beginning.lstrip(BOM_AND_BLANKS)
    if text.startswith(("<", "{", "[")) or _header(lines_of(text)[0], fields):
        return ""
    if seems_header(text):
        first = readable(lines_of(text)[0].replace(TAB, ", ")[:60])
        return f"The first line ({first}) is read as a record, but looks like a header."
    lines = [line for line in lines_of(text)[:20] if line.strip()]
    commas = {line.count(",") for line in lines}
    if len(lines) > 2 and TAB not in text and len(commas) == 1 and commas != {0}:
        return "Every line has as many commas, as in CSV without a header, and is read as a name."
    return ""
