"""What documents weigh that were drawn for a second assessor by their first grade."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple, TypeVar

from assess.core.sampling import Stratum

Document = TypeVar("Document", int, str)
Named = TypeVar("Named")  # a stratum


class Size(NamedTuple):
    """How many documents of a topic a stratum has, and how many of them several people judged."""

    documents: int
    compared: int


def sizes_of(
    strata: Mapping[Document, Stratum], compared: Collection[Document]
) -> dict[Stratum, Size]:
    """Return the sizes of a topic's strata."""
    documents = Counter(strata.values())
    judged = Counter(strata[each] for each in compared if each in strata)
    return {each: Size(n, judged[each]) for each, n in documents.items()}


def weights_of(
    strata: Mapping[Document, Stratum], compared: Collection[Document]
) -> dict[Document, float]:
    """Return what each document compared stands for, of one topic; the mean of a topic is 1.

    Of a stratum of N documents, n of them compared, each weighs N / n, over the mean of all that
    are compared. Strata without any stand for nothing. A document in no stratum weighs 1.

    >>> weights_of({"a": (0,), "b": (0,), "c": (0,), "d": (1,)}, ["a", "d"])
    {'a': 1.5, 'd': 0.5}
    """
    weights = weighing(sizes_of(strata, compared))
    return {each: weights[strata[each]] if each in strata else 1.0 for each in compared}


def weighing(sizes: Mapping[Named, Size]) -> dict[Named, float]:
    """Return what a document compared weighs in each stratum of which any are: of mean 1.

    >>> weighing({0: Size(30, 10), 1: Size(10, 10), 2: Size(5, 0)})
    {0: 1.5, 1: 0.5}
    """
    n_documents = sum(each.documents for each in sizes.values() if each.compared)
    n_compared = sum(each.compared for each in sizes.values())
    return {
        stratum: each.documents * n_compared / (each.compared * n_documents)
        for stratum, each in sizes.items()
        if each.compared
    }
