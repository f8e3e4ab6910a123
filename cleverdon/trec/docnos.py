"""Docnos by the million: slices of one array of bytes, and operations on all of them at once."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from cleverdon.trec import engine
from cleverdon.trec.arrays import Hashes, Integers, Mask, offsets_of
from cleverdon.trec.engine import plain
from cleverdon.trec.engine.fields import Fields
from cleverdon.trec.lazy import lazy

LINE_END = ord("\n")
MAX_DOCNO = 255  # bytes; the database's columns are as wide

# The words of consecutive spans of rows, and each span's number of rows; words may repeat.
Spans = tuple[list[bytes], Integers]


class Docnos(Fields):
    """Docnos, or other words of a text."""

    @classmethod
    def of(cls, docnos: Iterable[bytes]) -> Self:
        names = list(docnos)
        content = np.frombuffer(b"\n".join([*names, b""]), np.uint8)
        lengths = np.fromiter(map(len, names), np.int64, len(names))
        ends = np.cumsum(lengths + 1) - 1
        return cls(content, ends - lengths, ends)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return all parts in turn; contents are copied only if they differ."""
        starts = np.concatenate([np.empty(0, np.int64), *(part.starts for part in parts)])
        ends = np.concatenate([np.empty(0, np.int64), *(part.ends for part in parts)])
        made = [each for part in parts if (each := part.made_hashes) is not None]
        hashes = np.concatenate(made) if len(made) == len(parts) > 0 else None
        contents = {id(part.content): part.content for part in parts}
        if len(contents) == 1:
            return cls(parts[0].content, starts, ends, hashes)
        sizes = np.array([len(content) for content in contents.values()])
        begin = dict(zip(contents, offsets_of(sizes).tolist(), strict=False))
        shifts = np.array([begin[id(part.content)] for part in parts], dtype=np.int64)
        shift = np.repeat(shifts, [len(part) for part in parts])
        starts += shift
        ends += shift
        content = np.concatenate([np.empty(0, np.uint8), *contents.values()])
        return cls(content, starts, ends, hashes)

    def distinct(self) -> tuple["Docnos", Integers]:
        """Return each docno once, by its first row, and each row's index among these."""
        hashed = self.hashed()
        firsts, numbers = engine.reader.distinct(hashed) or plain.distinct(hashed)
        return hashed.take(firsts), numbers

    def numbered(self) -> tuple["Docnos", Integers]:
        """Return the different docnos in byte order, and each one's index among them: shape [n].

        >>> different, numbers = Docnos.of([b"d2", b"d1", b"d2"]).numbered()
        >>> different.tolist(), numbers.tolist()
        ([b'd1', b'd2'], [1, 0, 1])
        """
        different, numbers = self.distinct()
        order, equal = np.arange(len(different)), np.zeros(len(different))
        bounds = np.array([0, len(different)])
        engine.reader.rank(different, equal, bounds, order, single=False, ascending=True)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return different.take(order), places[numbers]

    def take(self, indices: Integers | slice) -> "Docnos":
        """Return the docnos at these indices, with any hashes already made; content is shared."""
        known = self.made_hashes
        hashes = None if known is None else known[indices]
        starts, ends = self.starts[indices], self.ends[indices]
        return Docnos(self.content, starts, ends, hashes)

    @lazy
    def lengths(self) -> Integers:
        """In bytes."""
        return self.ends - self.starts

    def hashed(self) -> "Docnos":
        """Return them with their hashes, if the reader needs these to look docnos up."""
        hashes = self.hashes if engine.reader.USES_HASHES else self.made_hashes
        return Docnos(self.content, self.starts, self.ends, hashes, self.known_words)

    @property
    def made_hashes(self) -> Hashes | None:
        return self.__dict__.get("hashes", self.known_hashes)

    def firsts(self) -> Integers:
        """Return the rows whose docno is another than that of the row before."""
        found: Integers = engine.reader.spans(self)
        return found

    def spans(self) -> Spans:
        """Return the docnos as spans of one docno each."""
        starts = self.firsts()
        return self.take(starts).tolist(), np.diff(starts, append=len(self))

    def among(self, names: Container[bytes]) -> Mask:
        """Tell which docnos are in a set; consecutive equal ones are looked up once."""
        docnos, counts = self.spans()
        return np.repeat(np.array([docno in names for docno in docnos], dtype=np.bool_), counts)

    @lazy
    def hashes(self) -> Hashes:
        """A 32-bit hash of each docno. Equal hashes prove nothing."""
        if self.known_hashes is not None:
            return self.known_hashes
        found: Hashes = engine.reader.hashes(self)
        return found


@dataclass(frozen=True, eq=False)
class Lookup:
    """Finds entries, of which those of topic t are `offsets[t]:offsets[t + 1]`, each once."""

    entries: Docnos
    offsets: Integers

    @lazy
    def index(self) -> Any:
        """The reader's own; None if it has none, as the hashes have been made alike."""
        return engine.reader.index(self.entries.hashed(), self.offsets)

    @lazy
    def plain_index(self) -> Any:
        """Python's own dictionaries, whose hashes nobody can foresee."""
        return plain.index(self.entries, self.offsets)

    def find(
        self, docnos: Docnos, offsets: Integers, topics: Integers
    ) -> tuple[Integers, Integers]:
        """Return the entries that some docnos are, and their rows, rising; both int64.

        Rows `offsets[g]:offsets[g + 1]` are of topic `topics[g]`, of none if it is -1.
        """
        entries, rows = self.entries.hashed(), (docnos.hashed(), offsets, topics)
        found = self.index and engine.reader.find(entries, self.index, *rows)
        at_entries, at_rows = found or plain.find(entries, self.plain_index, *rows)
        return at_entries, at_rows


def decoded(names: Iterable[bytes]) -> list[str]:
    """Return names as text; bytes that are not UTF-8 become lone surrogates."""
    return [name.decode(errors="surrogateescape") for name in names]


def compact(docnos: Docnos) -> Docnos:
    """Copy the docnos into a content of their own, in their order, a line end after each.

    Those that are to be hashed are so now, while the processor has them.
    """
    ends = np.cumsum(docnos.lengths + 1) - 1
    content = np.empty(len(docnos) + int(docnos.lengths.sum()), np.uint8)
    engine.reader.compact(docnos, content)
    return Docnos(content, ends - docnos.lengths, ends, docnos.hashed().known_hashes)
