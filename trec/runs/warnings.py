"""What a participant should know of a run that may be valid all the same: the warnings of a report."""

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np

from trec.runs.read import RankedLines

N_EXAMPLES = 5

# Given docnos, returns those that are not in the collection.
Unknown = Callable[[Sequence[str]], Collection[str]]


def remarks(
    lines: RankedLines,
    of_campaign: Collection[str],
    unknown: Unknown | None,
) -> Iterator[str]:
    """Yield a sentence for missing topics, contradicted ranks, tied scores and documents not in the collection."""
    missing = sorted(set(of_campaign).difference(lines.names))
    if missing and lines.names:
        yield f"{_counted(len(missing), 'topic')} of the campaign missing from the run: {_listed(missing)}."
    yield from _on_ranks(lines)
    yield from _on_ties(lines)
    if unknown is not None:
        yield from _on_unknown(lines, unknown)


def _on_ranks(lines: RankedLines) -> Iterator[str]:
    falls = (lines.ranks[1:] <= lines.ranks[:-1]) & lines.same_topic()
    suspects = np.unique(lines.topics[1:][falls]).tolist()
    found = [
        (topic, place)
        for topic in suspects
        if (place := _contradiction(lines, topic)) is not None
    ]
    if found:
        topic, place = found[0]
        yield (
            f"In {_counted(len(found), 'topic')} the rank column contradicts the scores, first on line "
            f"{place:,} (topic {lines.names[topic]}). Scores decide, as in trec_eval; the rank column is ignored."
        )


def _contradiction(lines: RankedLines, topic: int) -> int | None:
    """Return the first line whose rank is not below the ranks of all documents with a higher score, if any."""
    own = lines.of_topic(topic)
    ranks, keys = lines.ranks[own], lines.keys[own]
    # How many documents have a higher score: where its group of equals begins.
    n_above = np.searchsorted(-keys, -keys)
    highest = np.concatenate(([ranks.min() - 1], np.maximum.accumulate(ranks)))
    wrong = np.flatnonzero(ranks <= highest[n_above])
    return int(lines.places[own][wrong[0]]) if len(wrong) else None


def _on_ties(lines: RankedLines) -> Iterator[str]:
    tied = (lines.keys[1:] == lines.keys[:-1]) & lines.same_topic()
    if not tied.any():
        return
    is_member = np.zeros(len(lines.keys), dtype=np.bool_)
    is_member[1:] |= tied
    is_member[:-1] |= tied
    start = int(np.flatnonzero(tied)[0])
    first, second = sorted(lines.places[start : start + 2].tolist())
    yield (
        f"{_counted(int(is_member.sum()), 'document')} in {_counted(len(np.unique(lines.topics[is_member])), 'topic')} share a score with another, "
        f"as on lines {first:,} and {second:,} (topic {lines.names[lines.topics[start]]}). "
        "Ties are ranked by docno descending, as in trec_eval."
    )


def _on_unknown(lines: RankedLines, unknown: Unknown) -> Iterator[str]:
    docnos = [docno.decode() for docno in dict.fromkeys(lines.docnos.tolist())]
    missing = frozenset(unknown(docnos))
    if missing:
        names = [docno for docno in docnos if docno in missing]
        yield f"{_counted(len(names), 'document')} not in the collection: {_listed(names)}."


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = len(names) - N_EXAMPLES
    return ", ".join(names[:N_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
