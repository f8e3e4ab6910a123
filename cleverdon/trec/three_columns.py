"""Runs and qrels of three columns, with the others written as the formats have them."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from cleverdon.trec.field_names import DOCNO, GRADE, NUMBER, plain_name
from cleverdon.trec.streams import FormatError
from cleverdon.trec.table import BYTE_ORDER_MARK, quoted
from cleverdon.trec.words import counted

N_LOOKED_AT = 20  # lines
_RANK, _GRADE = re.compile(rb"[0-9]{1,9}"), re.compile(rb"[-+]?[0-9]{1,9}")
# Of cells that may be in quotes.
_SEPARATORS = (b",", b";")


class _Columns(NamedTuple):
    """Where topic, docno and grade stand under a header, and what separates them; "": blanks."""

    topic: int
    docno: int
    grade: int
    separator: str


def is_run(beginning: bytes) -> bool:
    r"""Tell whether the beginning of a file is that of a run as MS MARCO's: topic, docno, rank.

    >>> is_run(b"1\td7\t1\n1\td2\t2\n"), is_run(b"1 0 d7 1\n")
    (True, False)
    """
    lines = [line for line in beginning.splitlines()[:N_LOOKED_AT] if line.strip()]
    rows = [line.split() for line in lines]
    rows = rows[1:] if len(rows) > 1 and _is_header(rows[0]) else rows
    return bool(rows) and all(len(row) == 3 and _RANK.fullmatch(row[2]) for row in rows)


def six_columns(lines: Iterable[bytes], tag: str) -> Iterator[bytes]:
    r"""Yield the lines of a run of topic, docno and rank as TREC has them; the score is the rank's.

    FormatError, with the line, for other columns and for what is no rank.

    >>> list(six_columns([b"1\td7\t1\n", b"1\td2\t2\n"], "bm25"))
    [b'1 Q0 d7 1 -1 bm25\n', b'1 Q0 d2 2 -2 bm25\n']
    """
    for number, line in enumerate(lines, 1):
        words = (line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line).split()
        if not words or (number == 1 and _is_header(words)):
            continue
        _check_width(number, words)
        topic, docno, rank = words
        if not _RANK.fullmatch(rank):
            raise FormatError(number, f"The rank {quoted(rank)} is not a whole number.")
        yield b"%s Q0 %s %s %d %s\n" % (topic, docno, rank, -int(rank), tag.encode())


def _is_header(words: Sequence[bytes]) -> bool:
    return len(words) == 3 and not any(re.search(rb"\d", word) for word in words)


def _check_width(number: int, words: Sequence[bytes]) -> None:
    if len(words) != 3:
        raise FormatError(number, f"It has {counted(len(words), 'column')}, and not three.")


def is_qrels(beginning: bytes) -> bool:
    r"""Tell whether a file begins with a header of three columns, as BEIR's qrels do.

    >>> is_qrels(b"query-id\tcorpus-id\tscore\n"), is_qrels(b"1\td1\t1\n")
    (True, False)
    """
    first = beginning.lstrip(BYTE_ORDER_MARK + b"\r\n").split(b"\n")[0]
    return _columns(first) is not None


def _columns(header: bytes) -> _Columns | None:
    quoted_tabs = [b"\t"] if header.startswith(b'"') else []
    marks = (each for each in (*_SEPARATORS, *quoted_tabs) if header.count(each) == 2)
    separator = next(marks, b"").decode()
    names = [plain_name(word.decode(errors="replace")) for word in _words(header, separator)]
    # Some names may be those of two fields.
    at = [
        [names.index(name) for name in known if name in names] for known in (NUMBER, DOCNO, GRADE)
    ]
    found = (each for each in product(*at) if sorted(each) == [0, 1, 2] and len(names) == 3)
    return next((_Columns(topic, docno, grade, separator) for topic, docno, grade in found), None)


def _words(line: bytes, separator: str) -> list[bytes]:
    """Return the cells of a line, out of their quotes; where blanks separate them, all is text."""
    if not separator:
        return line.split()
    text = line.decode(errors="surrogateescape").strip("\r\n")
    try:
        cells = next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # a CR within it
        cells = [text]
    return [cell.strip(" \t").encode(errors="surrogateescape") for cell in cells]


def four_columns(lines: Iterable[bytes]) -> Iterator[bytes]:
    r"""Yield the lines of qrels under a header of three columns as TREC has them.

    FormatError, with the line, for another header, other columns and for what is no grade.

    >>> list(four_columns([b"query-id\tcorpus-id\tscore\n", b"1\td7\t2\n"]))
    [b'1 0 d7 2\n']
    """
    columns: _Columns | None = None
    for number, line in enumerate(lines, 1):
        content = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        if not content.strip():
            continue
        if columns is None:
            columns = _columns(content)
            if columns is None:
                what = "Its first line does not name three columns: topic, docno and grade."
                raise FormatError(number, what)
            continue
        words = _words(content, columns.separator)
        _check_width(number, words)
        grade = words[columns.grade]
        if not _GRADE.fullmatch(grade):
            raise FormatError(number, f"The grade {quoted(grade)} is not a whole number.")
        yield b" ".join([words[columns.topic], b"0", words[columns.docno], grade]) + b"\n"
