"""Docnos by the million: slices of one array of bytes, and operations on all of them at once."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.trec import engine
from cleverdon.trec.arrays import Bytes, Hashes, Integers, Mask, offsets_of
from cleverdon.trec.engine.fields import Fields
from cleverdon.trec.lazy import lazy

LINE_END = ord("\n")
MAX_DOCNO = 255  # bytes; the database's columns are as wide
# Odd, with well mixed bits: 2**64 over the golden ratio, and xxHash's second multiplier.
MULTIPLIER, FINISHER = 0x9E3779B97F4A7C15, np.uint64(0xC2B2AE3D27D4EB4F)

# The words of consecutive spans of rows, and each span's number of rows; words may repeat.
Spans = tuple[list[bytes], Integers]


@dataclass(frozen=True, eq=False)
class Docnos:
    """Docnos, or other words of a text: number i is `content[starts[i]:ends[i]]`, never empty."""

    content: Bytes
    starts: Integers
    ends: Integers
    known_hashes: Hashes | None = None

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
        hashes = np.concatenate([np.empty(0, np.uint32), *(part.hashes for part in parts)])
        contents = {id(part.content): part.content for part in parts}
        if len(contents) == 1:
            return cls(parts[0].content, starts, ends, hashes)
        sizes = np.array([len(content) for content in contents.values()])
        begin = dict(zip(contents, offsets_of(sizes).tolist(), strict=False))
        shifts = np.array([begin[id(part.content)] for part in parts], dtype=np.int64)
        shift = np.repeat(shifts, [len(part) for part in parts])
        content = np.concatenate([np.empty(0, np.uint8), *contents.values()])
        return cls(content, starts + shift, ends + shift, hashes)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> bytes:
        return self.content[self.starts[index] : self.ends[index]].tobytes()

    def tolist(self) -> list[bytes]:
        content = self.content.data
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [content[start:end].tobytes() for start, end in spans]

    def distinct(self) -> tuple["Docnos", Integers]:
        """Return each docno once, by its first row, and each row's index among these."""
        found = engine.reader.distinct(self.hashed_fields)
        if found is None:
            index: dict[bytes, int] = {}
            numbers = [index.setdefault(docno, len(index)) for docno in self.tolist()]
            return Docnos.of(index), np.array(numbers, dtype=np.int64)
        firsts, numbers = found
        return self.take(firsts), numbers

    def numbered(self) -> tuple["Docnos", Integers]:
        """Return the different docnos in byte order, and each one's index among them: shape [n].

        >>> different, numbers = Docnos.of([b"d2", b"d1", b"d2"]).numbered()
        >>> different.tolist(), numbers.tolist()
        ([b'd1', b'd2'], [1, 0, 1])
        """
        different, numbers = self.distinct()
        order, equal = np.arange(len(different)), np.zeros(len(different))
        bounds = np.array([0, len(different)])
        engine.reader.rank(different.fields, equal, bounds, order, single=False, ascending=True)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return different.take(order), places[numbers]

    def take(self, indices: Integers | slice) -> "Docnos":
        """Return the docnos at these indices, with any hashes already made; content is shared."""
        known = self.__dict__.get("hashes", self.known_hashes)
        hashes = None if known is None else known[indices]
        starts, ends = self.starts[indices], self.ends[indices]
        return Docnos(self.content, starts, ends, hashes)

    def kept(self) -> "Docnos":
        """Return them with a content of their own, hashed now, while the processor has it."""
        return compact(self)

    @lazy
    def lengths(self) -> Integers:
        """In bytes."""
        return self.ends - self.starts

    @property
    def fields(self) -> Fields:
        return Fields(self.content, self.starts, self.ends)

    @property
    def hashed_fields(self) -> Fields:
        return Fields(self.content, self.starts, self.ends, self.hashes)

    def spans(self) -> Spans:
        """Return the docnos as spans of one docno each."""
        starts = engine.reader.spans(self.fields)
        return self.take(starts).tolist(), np.diff(starts, append=len(self))

    def among(self, names: Container[bytes]) -> Mask:
        """Tell which docnos are in a set; consecutive equal ones are looked up once."""
        docnos, counts = self.spans()
        return np.repeat(np.array([docno in names for docno in docnos], dtype=np.bool_), counts)

    @lazy
    def hashes(self) -> Hashes:
        """A 32-bit hash of each docno. Equal hashes prove nothing: compare with `same`."""
        if self.known_hashes is not None:
            return self.known_hashes
        found: Hashes = engine.reader.hashes(self.fields)
        return found


def numbered(names: Sequence[bytes]) -> tuple[list[bytes], Integers]:
    """Return the different names in byte order, and each name's index among them.

    >>> numbered([b"b", b"a", b"b"])
    ([b'a', b'b'], array([1, 0, 1]))
    """
    different = sorted(set(names))
    index = {name: number for number, name in enumerate(different)}
    return different, np.array([index[name] for name in names], dtype=np.int64)


def decoded(names: Iterable[bytes]) -> list[str]:
    """Return names as text; bytes that are not UTF-8 become lone surrogates."""
    return [name.decode(errors="surrogateescape") for name in names]


def same(first: Docnos, second: Docnos) -> Mask:
    """Tell, pair by pair, whether docnos are equal; both have shape [n]."""
    equal: Mask = engine.reader.same(first.fields, second.fields)
    return equal


def compact(docnos: Docnos) -> Docnos:
    """Copy the docnos into a new content, in their order, a line end after each."""
    ends = np.cumsum(docnos.lengths + 1) - 1
    content = np.empty(len(docnos) + int(docnos.lengths.sum()), np.uint8)
    engine.reader.compact(docnos.fields, content)
    return Docnos(content, ends - docnos.lengths, ends, docnos.hashes)
