"""Tables with a header, as spreadsheets and programs write them: CSV, or separated by tabs."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cleverdon.trec.field_names import Fields, none_of, plain_name
from cleverdon.trec.streams import LONE_CR, FormatError, has_lone_cr, lines_of, readable
from cleverdon.trec.words import counted

MAX_BYTES = 1 << 24  # of a record
TAB, COMMA, SEMICOLON = "\t", ",", ";"
MOST_COLUMNS = 1_000
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,39}(?: [\w.-]{1,20}){0,2}|")
_DIGIT = re.compile(r"\d")
# Whole, with doubled quotes or a separator within: literal text is hardly ever so.
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')

csv.field_size_limit(MAX_BYTES)

Lines = Iterable[tuple[int, str]]


class Header(NamedTuple):
    """The names of the columns, and what separates them."""

    separator: str
    names: list[str]
    is_quoted: bool = False

    def check(self, line: int, fields: Fields, needed: Mapping[str, Sequence[str]]) -> None:
        """FormatError if a column comes twice, or one that is needed is not there.

        `needed` has in words what is needed, and the fields of which one will do.
        """
        names = [plain_name(name) for name in self.names if name]
        for name in names:
            if names.count(name) > 1:
                raise FormatError(line, f"The header names the column {readable(name)} twice.")
        for what, ways in needed.items():
            if not any(fields.is_named(field, self.names) for field in ways):
                known = fields.names(ways[0])
                raise FormatError(line, none_of(f"The header names no {what}", known, self.names))


def header_of(source: str, fields: Fields, key: str) -> Header | None:
    r"""Return the header that a line is, None if it is none.

    A header has nothing but names in its cells, one of them a name of the key, or, without digits,
    known ones. With tabs, a first cell that is a name of the key is enough.

    >>> from cleverdon.trec.field_names import OF_DOCUMENTS
    >>> header_of("pid\tpassage\n", OF_DOCUMENTS, "docno").names
    ['pid', 'passage']
    >>> header_of("d1\tpassage\n", OF_DOCUMENTS, "docno")
    >>> header_of('"id";"text"\n', OF_DOCUMENTS, "docno").separator
    ';'
    """
    line = source.strip("\r\n")
    if len(line) > MOST_COLUMNS * 20:
        return None
    for separator in [TAB] if TAB in line else [COMMA, SEMICOLON]:
        written = line.split(separator)
        is_quoted = all(cell[:1] == cell[-1:] == '"' and len(cell) > 1 for cell in written)
        cells = [cell.strip().strip('"') for cell in written]
        if len(cells) > 1 and _is_header(cells, separator, fields, key):
            return Header(separator, cells, is_quoted)
    return None


def _is_header(cells: list[str], separator: str, fields: Fields, key: str) -> bool:
    if separator == TAB and fields.is_named(key, cells[:1]):
        return True
    if not all(_NAME.fullmatch(cell) for cell in cells):
        return False
    if fields.is_named(key, cells):
        return True
    n_known = sum(fields.knows_any([cell]) for cell in cells)
    return n_known > (separator != TAB) and not _DIGIT.search("".join(cells))


def seems_header(beginning: str) -> bool:
    r"""Tell whether the first line looks like names of columns, unlike those below it.

    >>> seems_header("ident\tphrase\n1\ta\n2\tb\n"), seems_header("all\tx\n")
    (True, False)
    """
    lines = [line for line in lines_of(beginning) if line.strip()][:20]
    cells = [[cell.strip() for cell in line.split(TAB)] for line in lines]
    if len(cells) < 3 or len(cells[0]) < 2 or not all(map(_NAME.fullmatch, cells[0])):
        return False
    firsts = [bool(_DIGIT.search(row[0])) for row in cells]
    return not firsts[0] and all(firsts[1:])


def records(lines: Lines, header: Header) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row below the header as a record, with its (first) line; blank rows are skipped.

    With tabs a line is a row, and quotes are text but around a cell with doubled ones, unless the
    header is quoted; CSV is read as programs write it.
    """
    is_literal = header.separator == TAB and not header.is_quoted
    rows = _literal(lines) if is_literal else _csv(lines, header.separator)
    for line, cells in rows:
        if len(cells) != len(header.names):
            n, wanted = counted(len(cells), "column"), len(header.names)
            raise FormatError(line, f"It has {n}; the header has {wanted:,}.")
        pairs = zip(header.names, cells, strict=True)
        yield line, {name: cell for name, cell in pairs if name}


def _literal(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    for line, source in lines:
        if source.strip():
            if has_lone_cr(source):
                raise FormatError(line, LONE_CR)
            yield line, [_unquoted(cell) for cell in source.rstrip("\r\n").split(TAB)]


def _unquoted(cell: str) -> str:
    quoted = _QUOTED.fullmatch(cell) if '""' in cell else None
    return quoted[1].replace('""', '"') if quoted and quoted[1] else cell


def _csv(lines: Lines, separator: str) -> Iterator[tuple[int, list[str]]]:
    source = _Source(lines)
    rows = csv.reader(source, delimiter=separator, strict=True)
    while True:
        source.begin()
        try:
            cells = next(rows, None)
        except csv.Error as error:
            raise FormatError(source.first, _why(str(error))) from error
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield source.first, cells


def _why(error: str) -> str:
    if "new-line" in error:
        return LONE_CR
    if "field larger" in error:
        return f"The record is longer than {MAX_BYTES:,} bytes."
    if "unexpected end" in error:
        return "It is CSV: a quote that opens in this record is not closed."
    return "It is CSV: a quote stands within a cell; write it twice, and quotes around the cell."


class _Source:
    """The lines of one record after the other, none longer in all than a record may be."""

    def __init__(self, lines: Lines) -> None:
        self.lines = iter(lines)
        self.first = self.n_characters = 0

    def begin(self) -> None:
        self.first = self.n_characters = 0

    def __iter__(self) -> "_Source":
        return self

    def __next__(self) -> str:
        line, source = next(self.lines)
        self.first = self.first or line
        self.n_characters += len(source)
        if self.n_characters > MAX_BYTES:
            raise FormatError(self.first, f"The record is longer than {MAX_BYTES:,} bytes.")
        return source
