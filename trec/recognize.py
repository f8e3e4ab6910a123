"""What a file probably is, by its beginning: for files uploaded in the wrong place."""

import re

from trec.json_values import read_json

# Characters looked at.
BEGINNING = 1 << 14
_NUMBER = r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?"
_RUN = re.compile(rf"\S+\s+Q0\s+\S+\s+[0-9]+\s+{_NUMBER}\s+\S+", re.IGNORECASE)
_QRELS = re.compile(r"\S+[ \t]+\S+[ \t]+\S+[ \t]+-?[0-9]+")
DOCNOS = "a list of docnos"
_NAMES_OF_DOCNOS = ("docno", "docid", "doc_id")
_OF_TOPICS = {
    "description",
    "narrative",
    "num",
    "number",
    "qid",
    "query",
    "query_id",
    "topic",
    "topic_id",
}
_OF_DOCUMENTS = {"text", "contents", "body", "content", "passage", "url", "html", "headline"}


def format_of(beginning: str) -> str:
    """Return the name of the format in which topics or documents are written."""
    text = beginning.lstrip("\ufeff \t\r\n")
    if re.match(r"<\?xml\b|<topics\b", text, re.IGNORECASE):
        return "XML"
    if text.startswith("<"):
        return "TREC text"
    if text.startswith("{"):
        return "JSON Lines"
    first, *_ = text.splitlines() or [""]
    return DOCNOS if len(first.split()) == 1 else "tab-separated values"


def looks_like(beginning: str) -> str:
    r"""Return "a run", "qrels", "topics" or "documents" if the text is clearly that, else "".

    >>> looks_like('{"number": "1", "title": "a"}'), looks_like('{"docno": "d1", "qid": 1}')
    ('topics', 'documents')
    >>> looks_like("301 Q0 FT911-3 1 99.5 bm25"), looks_like("301 0 FT911-3 1")
    ('a run', 'qrels')
    >>> looks_like("1\ttitle")
    ''
    """
    lines = [line.strip() for line in beginning.splitlines()[:-1] or [beginning]]
    lines = [line for line in lines if line][:20]
    if not lines:
        return ""
    for pattern, what in ((_RUN, "a run"), (_QRELS, "qrels")):
        if all(pattern.fullmatch(line) for line in lines):
            return what
    if re.match(r"<DOC>", lines[0], re.IGNORECASE):
        return "documents"
    if re.search(r"<top(ics?)?\b[^<>]*>", beginning, re.IGNORECASE):
        return "topics"
    return _of_names(lines[0])


def _of_names(line: str) -> str:
    """Recognize documents and topics by the names of their fields, in an object or a header."""
    if line.startswith("{"):
        try:
            names = list(read_json(line, most_bytes=BEGINNING))
        except ValueError:
            return ""
    else:
        names = line.split("\t")[:1]
    names = [name.lower() for name in names if isinstance(name, str)]
    if any(name in _NAMES_OF_DOCNOS for name in names):
        return "documents"
    # With an id and a title alone it may be either.
    is_topic = _OF_TOPICS.intersection(names) and not _OF_DOCUMENTS.intersection(names)
    return "topics" if is_topic else ""
