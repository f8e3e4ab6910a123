"""Docnos by the million: slices of one block of bytes, and what is asked of them all at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from trec.lazy import lazy

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Hashes = NDArray[np.uint32]
Words = NDArray[np.uint64]
Mask = NDArray[np.bool_]

WORD = 8
PADDING = 32
LINE_END = ord("\n")
# Odd numbers with well mixed bits: 2**64 divided by the golden ratio, and the multiplier of xxHash's second round.
MULTIPLIER, FINISHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
# OWN[n] has all bits of its first n bytes set, seen as words; OWN_WORD[n] the same of one word.
OWN = np.where(
    np.arange(PADDING) < np.arange(PADDING + 1)[:, None], np.uint8(255), np.uint8(0)
).view(np.uint64)
OWN_WORD = OWN[: WORD + 1, 0].copy()


@dataclass(frozen=True, eq=False)
class Docnos:
    """Many docnos: number i is `content[starts[i]:ends[i]]`.

    `content` ends with PADDING bytes more than any docno needs, so that whole words can be read up to the last.
    """

    content: Bytes
    starts: Integers
    ends: Integers
    known_codes: Hashes | None = None

    @classmethod
    def of(cls, docnos: Iterable[bytes]) -> Self:
        """Take docnos one by one."""
        names = list(docnos)
        content = np.frombuffer(b"\n".join([*names, bytes(PADDING)]), np.uint8)
        ends = np.flatnonzero(content[:-PADDING] == LINE_END)
        if len(ends) > len(names):
            # Some hold line ends themselves.
            ends = np.cumsum([len(name) + 1 for name in names]) - 1
        starts = np.zeros(len(names), dtype=np.int64)
        starts[1:] = ends[:-1] + 1
        return cls(content, starts, ends)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Take several after each other; blocks that differ are copied together."""
        if len(parts) == 1:
            return parts[0]
        blocks = {id(part.content): part.content for part in parts}
        sizes = np.cumsum([0, *map(len, blocks.values())]).tolist()
        offsets = dict(zip(blocks, sizes, strict=False))
        padding = np.zeros(PADDING, np.uint8)
        starts, ends = [], []
        for part in parts:
            offset = offsets[id(part.content)]
            starts.append(part.starts + offset if offset else part.starts)
            ends.append(part.ends + offset if offset else part.ends)
        return cls(
            parts[0].content
            if len(blocks) == 1
            else np.concatenate([*blocks.values(), padding]),
            together(starts, np.int64),
            together(ends, np.int64),
            together([part.hashes for part in parts], np.uint32),
        )

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> bytes:
        return self.content[self.starts[index] : self.ends[index]].tobytes()

    def tolist(self) -> list[bytes]:
        """Return every docno, in order."""
        if not len(self):
            return []
        first = self.starts.min()
        content = self.content[first : self.ends.max()].tobytes()
        starts, ends = (self.starts - first).tolist(), (self.ends - first).tolist()
        return [content[start:end] for start, end in zip(starts, ends, strict=True)]

    def numbered(self) -> tuple[int, Integers]:
        """Return how many different ones there are, and the number of each among those in byte order."""
        names = self.tolist()
        index = {name: number for number, name in enumerate(sorted(set(names)))}
        return len(index), np.array([index[name] for name in names], dtype=np.int64)

    def take(self, indices: Integers | slice, *, with_hashes: bool = True) -> Self:
        """Return some of them, in the order asked for; the block stays where it is. Hashes that are made are taken along."""
        hashes = self.__dict__.get("hashes", self.known_codes) if with_hashes else None
        own = hashes if hashes is None else hashes[indices]
        return type(self)(self.content, self.starts[indices], self.ends[indices], own)

    @lazy
    def lengths(self) -> Integers:
        return self.ends - self.starts

    @lazy
    def shortest(self) -> int:
        """The length of the shortest."""
        return int(self.lengths.min(initial=np.iinfo(np.int64).max))

    @lazy
    def longest(self) -> int:
        """The length of the longest, 0 when there is none."""
        return int(self.lengths.max(initial=0))

    @property
    def n_words(self) -> int:
        """How many words the longest fills."""
        return -(-self.longest // WORD)

    def hashed(self) -> Self:
        """Return the same with their hashes made."""
        return type(self)(self.content, self.starts, self.ends, self.hashes)

    def words(self, number: int) -> Words:
        """Return bytes 8n to 8n + 7 of every docno as a big-endian integer, zeros after its end.

        Integers compare as the bytes do.
        """
        return self.own_words(number).byteswap()

    def own_words(self, number: int) -> Words:
        """Return the same bytes as integers in the machine's order."""
        begin, end = WORD * number, WORD * (number + 1)
        at = self.starts + begin if begin else self.starts
        if end > PADDING:
            at = np.minimum(at, len(self.content) - WORD)
        words = windows(self.content)[at]
        if self.shortest >= end:
            return words
        if self.shortest == self.longest:
            words &= OWN_WORD[max(0, self.longest - begin)]
        else:
            words &= OWN_WORD[np.clip(self.lengths - begin, 0, WORD)]
        return words

    @lazy
    def hashes(self) -> Hashes:
        """Return 32 bits of each docno, the same for the same docno in whatever block: equal docnos have equal hashes.

        Not the other way round: whoever finds equal hashes must compare the docnos (`same`).
        """
        if self.known_codes is not None:
            return self.known_codes
        if not len(self):
            return np.empty(0, dtype=np.uint32)
        lengths = self.lengths[:1] if self.shortest == self.longest else self.lengths
        mixed = lengths.astype(np.uint64) * FINISHER
        for number in range(self.n_words):
            if self.shortest > WORD * number:
                mixed = _mixed(mixed, _one_if_same(self.own_words(number)))
                continue
            # A word past the end must not change the code, whatever the longest docno of this block is.
            mixed = np.broadcast_to(mixed, len(self)).copy()
            rows = np.flatnonzero(self.lengths > WORD * number)
            mixed[rows] = _mixed(mixed[rows], self.take(rows).own_words(number))
        hashes = ((mixed * FINISHER) >> np.uint64(32)).astype(np.uint32)
        return np.broadcast_to(hashes, len(self)).copy() if len(hashes) == 1 else hashes


def together(arrays: Sequence[NDArray[Any]], kind: DTypeLike) -> NDArray[Any]:
    """Return arrays one after the other; not copied when they are, in this order, all of one array."""
    whole = arrays[0].base if arrays else None
    if (
        isinstance(whole, np.ndarray)
        and all(array.base is whole for array in arrays)
        and sum(map(len, arrays)) == len(whole)
    ):
        return whole
    return np.concatenate([np.empty(0, kind), *arrays])


def _one_if_same(words: Words) -> Words:
    """Return one word for all that are the same, as the first words of most docnos are: less to count with."""
    return words[:1] if (words == words[0]).all() else words


def _mixed(state: Words, word: Words) -> Words:
    """Take eight more bytes into a hash."""
    turned = state ^ word
    turned ^= turned >> np.uint64(29)
    turned *= MULTIPLIER
    return turned


def same(first: Docnos, second: Docnos) -> Mask:
    """Tell, pair by pair, whether docnos are equal; both must have the same length."""
    equal: Mask = first.lengths == second.lengths
    for begin in range(0, first.longest, PADDING):
        left = first.lengths - begin
        rows = slice(None) if begin == 0 else np.flatnonzero((left > 0) & equal)
        places = first.starts[rows] + begin, second.starts[rows] + begin
        differs = _pieces(first.content)[places[0]].view(np.uint64)
        differs ^= _pieces(second.content)[places[1]].view(np.uint64)
        words = differs.reshape(-1, PADDING // WORD)
        if first.shortest == first.longest:
            words &= OWN[min(PADDING, first.longest - begin)]
        else:
            words &= OWN[np.minimum(left[rows], PADDING)]
        equal[rows] &= (words[:, 0] | words[:, 1] | words[:, 2] | words[:, 3]) == 0
    return equal


def _pieces(content: Bytes) -> NDArray[np.void]:
    """Return every run of PADDING bytes, without a copy: one gather of them is as fast as one of single words."""
    shape = (len(content) - PADDING + 1,)
    piece = content[:PADDING].view(f"V{PADDING}")
    return np.lib.stride_tricks.as_strided(piece, shape, strides=(1,), writeable=False)


def compact(docnos: Docnos) -> Docnos:
    """Return the docnos as a block of their own, in their order, a line end after each."""
    ends = np.cumsum(docnos.lengths + 1)
    starts = ends - 1 - docnos.lengths
    block = np.zeros((int(ends[-1]) if len(ends) else 0) + PADDING, dtype=np.uint8)
    source, target = windows(docnos.content), windows(block, writeable=True)
    # Whole words are copied: what one spills over its docno's end the following docnos, written after it, put right.
    for number in reversed(range(docnos.n_words)):
        at = WORD * number
        is_long = docnos.lengths > at
        rows = slice(None) if is_long.all() else np.flatnonzero(is_long)
        target[starts[rows] + at] = source[docnos.starts[rows] + at]
    block[ends - 1] = LINE_END
    block[-PADDING:] = 0
    return Docnos(block, starts, ends - 1, docnos.hashes)


def windows(content: Bytes, *, writeable: bool = False) -> Words:
    """Return every run of eight bytes as one integer, without a copy."""
    shape = (len(content) - WORD + 1,)
    return np.lib.stride_tricks.as_strided(
        content[:WORD].view(np.uint64), shape, strides=(1,), writeable=writeable
    )
