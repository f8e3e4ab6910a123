"""Qrels that have several lines for a pair, one for each label: an assessor or a subtopic."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cleverdon.trec.arrays import Integers, begins, offsets_of, owners
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.qrels import JudgedPairs


@dataclass(frozen=True, eq=False)
class LabeledLines:
    """The lines of such qrels, in the order of their pairs.

    `topics`, `entries` and `labels` have one element for each line: the index of the topic, the
    index of the pair, and the label. `firsts` is the first line of each pair; the pairs of topic t
    are `offsets[t]:offsets[t + 1]`. Arrays are int64.
    """

    topics: Integers
    entries: Integers
    labels: Docnos
    firsts: Integers
    offsets: Integers

    @classmethod
    def of(cls, pairs: JudgedPairs) -> Self:
        """Take pairs with their labels; ValueError if they have none."""
        # An empty file has no labels either.
        labels = Docnos.of(()) if pairs.labels is None else pairs.labels
        if len(labels) != len(pairs.docnos):
            raise ValueError("These qrels were read without their second column.")
        topics = owners(np.diff(pairs.offsets))
        is_first = begins(topics)
        is_first[pairs.docnos.firsts()] = True
        firsts = np.flatnonzero(is_first)
        sizes = np.bincount(topics[firsts], minlength=len(pairs.topics))
        entries = np.cumsum(is_first) - 1
        return cls(topics, entries, labels, firsts, offsets_of(sizes))


def numbered_within(groups: Integers, values: Integers) -> tuple[Integers, Integers]:
    """Assign numbers from 0 to the distinct values (0 or more) of each group, in rising order.

    Return the number of each row's value, and the count of distinct values of each group, up to the
    last group with any.

    >>> numbered_within(np.array([0, 0, 0, 2]), np.array([7, 5, 7, 9]))
    (array([1, 0, 1, 0]), array([2, 0, 1]))
    """
    width = int(values.max(initial=0)) + 1
    distinct, positions = np.unique(groups * width + values, return_inverse=True)
    counts = np.bincount(distinct // width)
    return positions - offsets_of(counts)[groups], counts
