"""Which documents of a topic say the same, or nearly the same.

*Exact* duplicates have one hash of their normalized text. *Near* ones share most of their runs of
five words: the Jaccard index of the two sets is at least 0.8 (Broder 1997). MinHash and its bands
find the pairs that may be (Leskovec et al. 2020, chapter 3), and every pair is then counted out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from datasketch import MinHash, MinHashLSH

from cleverdon.trec.arrays import Words
from collection.core.likeness import normalized, text_hash

# The least Jaccard index of near duplicates.
NEAR = 0.8
RUN = 5
PERMUTATIONS, SEED = 128, 1
# Bands of as many rows: a pair at 0.8 is missed once in 600 times, one at 0.9 never.
BANDS = (21, 6)
# A letter of a script without blanks between its words counts as a word.
_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+")
_STEP = np.uint64(0x9E3779B97F4A7C15)
_AT_ONCE = 4096  # of a long text: 128 numbers are kept for each


class Alike(NamedTuple):
    """Where a document stands among its duplicates.

    Groups of a topic and texts of a group are numbered from 1, by their first docno. `jaccard` is
    that of the document with the first one of its group.
    """

    group: int
    text: int
    jaccard: float


def duplicates(texts: Iterable[tuple[str, str]]) -> dict[str, Alike]:
    """Return by docno, in the order of the groups, the documents of a topic that have duplicates.

    A group holds what a chain of exact and near duplicates joins. It does not depend on the order
    of the texts, which are read one after the other and not kept.
    """
    same: dict[str, list[str]] = defaultdict(list)
    shingled: dict[str, Words] = {}
    for docno, text in texts:
        if hashed := text_hash(text):
            same[hashed].append(docno)
            if hashed not in shingled:
                shingled[hashed] = shingles(text)
    first = {hashed: min(docnos) for hashed, docnos in same.items()}
    groups = _joined(sorted(shingled, key=first.__getitem__), shingled)
    several = [group for group in groups if sum(len(same[hashed]) for hashed in group) > 1]
    return dict(_numbered(several, same, shingled))


def _numbered(
    groups: Sequence[Sequence[str]], same: Mapping[str, list[str]], shingled: Mapping[str, Words]
) -> Iterator[tuple[str, Alike]]:
    for number, group in enumerate(groups, 1):
        for text, hashed in enumerate(group, 1):
            index = jaccard(shingled[group[0]], shingled[hashed]) if text > 1 else 1.0
            for docno in sorted(same[hashed]):
                yield docno, Alike(number, text, index)


def shingles(text: str) -> Words:
    """Return the set of the text's runs of five words, as sorted numbers of 64 bits.

    A shorter text is one run, a text without letters and digits none.
    """
    words = _WORD.findall(normalized(text))
    numbers = np.fromiter((crc32(word.encode()) for word in words), np.uint64, len(words))
    n = min(RUN, len(words))
    runs = np.zeros(len(words) - n + 1 if n else 0, np.uint64)
    for place in range(n):
        runs = (runs ^ numbers[place : place + len(runs)]) * _STEP
        runs ^= runs >> np.uint64(32)
    return np.unique(runs)


def jaccard(one: Words, other: Words) -> float:
    """Return the share of what both have in what either has; 0 of two empty sets."""
    n_common = len(np.intersect1d(one, other, assume_unique=True))
    n_either = len(one) + len(other) - n_common
    return n_common / n_either if n_either else 0.0


def _joined(keys: Sequence[str], shingled: Mapping[str, Words]) -> list[list[str]]:
    """Return the keys in groups, joined by near pairs; each in the order of the keys."""
    index = MinHashLSH(num_perm=PERMUTATIONS, params=BANDS)
    group_of = {key: [key] for key in keys}
    for key in keys:
        own = shingled[key]
        if not len(own):
            continue
        sketch = _sketch(own)
        for candidate in index.query(sketch):
            ours, theirs = group_of[key], group_of[candidate]
            if ours is not theirs and jaccard(own, shingled[candidate]) >= NEAR:
                _join(ours, theirs, group_of)
        index.insert(key, sketch)
    place = {key: n for n, key in enumerate(keys)}
    found = {id(group): sorted(group, key=place.__getitem__) for group in group_of.values()}
    return sorted(found.values(), key=lambda group: place[group[0]])


def _join(one: list[str], other: list[str], group_of: dict[str, list[str]]) -> None:
    """Make two groups one; the smaller moves, so that n keys move n log n times at most."""
    smaller, larger = sorted((one, other), key=len)
    larger += smaller
    group_of.update(dict.fromkeys(smaller, larger))


@cache
def _permutations() -> Any:
    return MinHash(PERMUTATIONS, seed=SEED).permutations  # to make them takes longer than a sketch


def _sketch(own: Words) -> MinHash:
    made = MinHash(PERMUTATIONS, hashfunc=int, permutations=_permutations(), scheme="affine32")
    short = (own >> np.uint64(32)).tolist()
    for start, end in pairwise([*range(0, len(short), _AT_ONCE), len(short)]):
        made.update_batch(short[start:end])
    return made
