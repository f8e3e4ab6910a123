"""Tables: those of data stay tables; those that lay out a page are read cell by cell."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from collection.core.hypertext.blocks import BlockWriter, HtmlBlock
from collection.core.hypertext.inline import MOST_CHARACTERS
from collection.core.hypertext.tokens import Tag, Token, names

TAGS = names("table tr td th")
MOST_ROWS = 50  # of a block; the next rows are a table of their own
MOST_OF_ROW = 64_000  # characters; nobody could read a wider row
_SPAN = re.compile(r"[2-9]|1\d")


class HtmlCell:
    def __init__(self, tag: Tag) -> None:
        spans = ((name, tag.attributes.get(name, "")) for name in ("colspan", "rowspan"))
        kept = "".join(f' {name}="{n}"' for name, n in spans if _SPAN.fullmatch(n))
        self._name, self._tag = tag.name, f"<{tag.name}{kept}>"
        self.blocks = list[HtmlBlock]()

    @property
    def is_of_data(self) -> bool:
        """Whether it holds no more than one line of prose."""
        return len(self.blocks) <= 1 and all(block.is_prose for block in self.blocks)

    @property
    def html(self) -> str:
        inner = self.blocks[0].inner if self.blocks else ""
        return f"{self._tag}{inner}</{self._name}>"

    @property
    def text(self) -> str:
        return self.blocks[0].text.replace("\n", " ") if self.blocks else ""


class HtmlTable:
    def __init__(self) -> None:
        self.rows = list[list[HtmlCell]]()
        self.cell: HtmlCell | None = None

    def take(self, tag: Tag) -> None:
        self.cell = None
        if tag.name == "tr" and not tag.is_end:
            self.rows.append([])
        elif tag.name in {"td", "th"} and not tag.is_end:
            self.cell = HtmlCell(tag)
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append(self.cell)

    def cells(self) -> Iterator[HtmlBlock]:
        return chain.from_iterable(cell.blocks for row in self.rows for cell in row)

    def ended(self) -> Iterator[HtmlBlock]:
        """Yield the table in blocks of some rows each."""
        is_grid = max(map(len, self.rows), default=0) > 1
        if not is_grid or not all(map(_is_of_data, self.rows)):
            yield from self.cells()
            return
        html, text, n = list[str](), list[str](), 0
        for row in filter(None, self.rows):
            html.append(f"<tr>{''.join(cell.html for cell in row)}</tr>")
            text.append("\t".join(cell.text for cell in row))
            n += len(html[-1])
            if len(html) == MOST_ROWS or n > MOST_CHARACTERS:
                yield from _block(html, text)
                html, text, n = [], [], 0
        yield from _block(html, text)


def _is_of_data(row: Sequence[HtmlCell]) -> bool:
    is_narrow = sum(len(cell.html) for cell in row) <= MOST_OF_ROW
    return is_narrow and all(cell.is_of_data for cell in row)


def _block(rows: list[str], lines: list[str]) -> Iterator[HtmlBlock]:
    text = "\n".join(lines)
    if text.strip():
        yield HtmlBlock(f"<table><tbody>{''.join(rows)}</tbody></table>", text)


def blocks(source: Iterable[Token]) -> Iterator[HtmlBlock]:
    """Yield the blocks of a source. A table with a table in it lays out the page."""
    writer, table = BlockWriter(), None
    for token in chain(source, [Tag("body", is_end=True)]):
        ended = writer.take(token)
        if table and table.cell:
            table.cell.blocks.extend(ended)
        else:
            yield from ended
        if not isinstance(token, Tag) or token.name not in TAGS:
            continue
        writer.leave()
        if token.name == "table":
            if table:
                yield from table.ended() if token.is_end else table.cells()
            table = None if token.is_end else HtmlTable()
        elif table:
            table.take(token)
    if table:
        yield from table.ended()
