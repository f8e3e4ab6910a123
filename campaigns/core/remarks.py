"""What a participant should know of a run that may be valid all the same: the warnings of a report."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campaigns.core.ranking import compared, tied_groups

N_EXAMPLES = 5


class RankedTopic(NamedTuple):
    """The lines of one topic in the file's order, with the order of the one ranking over them."""

    name: str
    docnos: list[bytes]
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]
    places: NDArray[np.int64]
    order: NDArray[np.int64]
    rules: str

    def in_order(self) -> Iterable[bytes]:
        """Return the docnos, best first."""
        return map(self.docnos.__getitem__, self.order.tolist())

    def keys(self) -> NDArray[np.floating]:
        """Return the scores as the rules compare them, best first."""
        return compared(self.scores[self.order], self.rules)


def remarks(
    topics: list[RankedTopic],
    of_campaign: Collection[str],
    of_collection: Iterable[str] | None,
) -> Iterator[str]:
    """Yield a sentence for missing topics, contradicted ranks, tied scores and documents not in the collection."""
    missing = sorted(set(of_campaign).difference(topic.name for topic in topics))
    if missing and topics:
        yield f"{_counted(len(missing), 'topic')} of the campaign missing from the run: {_listed(missing)}."
    yield from _on_ranks(topics)
    yield from _on_ties(topics)
    if of_collection is not None:
        yield from _on_unknown(topics, of_collection)


def _on_ranks(topics: list[RankedTopic]) -> Iterator[str]:
    found = [
        (topic, place)
        for topic in topics
        if (place := _contradiction(topic)) is not None
    ]
    if found:
        topic, place = found[0]
        yield (
            f"In {_counted(len(found), 'topic')} the rank column contradicts the scores, first on line "
            f"{place:,} (topic {topic.name}). Scores decide, as in trec_eval; the rank column is ignored."
        )


def _contradiction(topic: RankedTopic) -> int | None:
    """Return the first line whose rank is not below the ranks of all documents with a higher score, if any."""
    ranks = topic.ranks[topic.order]
    if (ranks[1:] > ranks[:-1]).all():
        return None
    keys = topic.keys()
    # How many documents have a higher score: where its group of equals begins.
    n_above = np.searchsorted(-keys, -keys)
    highest = np.concatenate(([ranks.min() - 1], np.maximum.accumulate(ranks)))
    wrong = np.flatnonzero(ranks <= highest[n_above])
    return int(topic.places[topic.order[wrong[0]]]) if len(wrong) else None


def _on_ties(topics: list[RankedTopic]) -> Iterator[str]:
    found = [(topic, groups) for topic in topics if (groups := _tied(topic))]
    if found:
        topic, groups = found[0]
        n_tied = sum(end - start for _, groups in found for start, end in groups)
        first, second = topic.places[topic.order[slice(*groups[0])][:2]].tolist()
        yield (
            f"{_counted(n_tied, 'document')} in {_counted(len(found), 'topic')} share a score with another, "
            f"as on lines {min(first, second):,} and {max(first, second):,} (topic {topic.name}). "
            "Ties are ranked by docno descending, as in trec_eval."
        )


def _tied(topic: RankedTopic) -> list[tuple[int, int]]:
    keys = topic.keys()
    tied = keys[1:] == keys[:-1]
    return tied_groups(tied) if tied.any() else []


def _on_unknown(
    topics: list[RankedTopic], of_collection: Iterable[str]
) -> Iterator[str]:
    unknown = {docno for topic in topics for docno in topic.docnos}
    unknown.difference_update(map(str.encode, of_collection))
    if unknown:
        names = dict.fromkeys(
            docno.decode()
            for topic in topics
            for docno in topic.docnos
            if docno in unknown
        )
        yield f"{_counted(len(names), 'document')} not in the collection: {_listed(list(names))}."


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = len(names) - N_EXAMPLES
    return ", ".join(names[:N_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
