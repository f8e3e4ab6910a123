"""The warnings of a report: what a participant should know of a run, valid or not."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Integers, Mask
from cleverdon.trec.ranking import Keys, compared
from cleverdon.trec.runs.read import RunLines
from cleverdon.trec.words import counted, first_of, verb

N_EXAMPLES = 5


class Coverage(NamedTuple):
    """Topics without an answer, answered ones of other rounds, docnos not in the collection."""

    missing: Sequence[str]
    extra: Sequence[str]
    foreigners: Sequence[str]


def warnings(lines: RunLines, rules: str, covered: Coverage) -> Iterator[str]:
    """Yield a sentence each for unknown documents, topics, wrong ranks and tied scores.

    `lines` are ranked by the rules.
    """
    missing, extra, foreigners = covered
    if foreigners:
        documents = counted(len(foreigners), "document")
        yield f"{documents} not in the collection: {first_of(foreigners, N_EXAMPLES)}."
    if missing:
        topics = counted(len(missing), "topic")
        yield f"{topics} of the campaign missing from the run: {first_of(missing, N_EXAMPLES)}."
    if extra:
        topics, do = counted(len(extra), "topic"), verb(len(extra), "does")
        yield f"{topics} of other rounds {do} not count: {first_of(extra, N_EXAMPLES)}."
    keys = compared(lines.scores, rules)
    same_topic = lines.topics[1:] == lines.topics[:-1]
    yield from _on_ranks(lines, keys, same_topic)
    yield from _on_ties(lines, (keys[1:] == keys[:-1]) & same_topic)


def _on_ranks(lines: RunLines, keys: Keys, same_topic: Mask) -> Iterator[str]:
    """Yield a sentence that names the first line of the file that contradicts the scores.

    Its rank is no greater than that of a line of its topic with a higher score.
    """
    ranks = lines.ranks
    falls = (ranks[1:] <= ranks[:-1]) & same_topic
    fallen = lines.topics[1:][falls]
    suspects = fallen[np.diff(fallen, prepend=-1) > 0]  # in order: each once
    edges = np.searchsorted(lines.topics, [suspects, suspects + 1])
    by_topic = (
        start + _contradictions(ranks[start:end], -keys[start:end])
        for start, end in edges.T.tolist()
    )
    wrong = [rows for rows in by_topic if len(rows)]
    if wrong:
        rows = np.concatenate(wrong)
        first = int(rows[lines.line_numbers[rows].argmin()])
        yield (
            f"In {counted(len(wrong), 'topic')} the rank column contradicts the scores, first on "
            f"line {lines.line_numbers[first]:,} (topic {_topic(lines, first)}). "
            "Scores decide, as in trec_eval; the rank column is ignored."
        )


def _contradictions(ranks: Integers, keys: Keys) -> Integers:
    """Return the rows of a topic with a rank no greater than one of a document with a lower key."""
    # Keys rise: documents with a lower key are those before the group of equal ones.
    n_above = np.searchsorted(keys, keys)
    highest = np.append(ranks.min() - 1, np.maximum.accumulate(ranks))
    return np.flatnonzero(ranks <= highest[n_above])


def _on_ties(lines: RunLines, tied: Mask) -> Iterator[str]:
    if not tied.any():
        return
    members = np.append(tied, False) | np.insert(tied, 0, False)
    n_topics = len(np.unique(lines.topics[members]))
    row = int(tied.argmax())
    first, second = sorted(lines.line_numbers[row : row + 2].tolist())
    yield (
        f"{counted(int(members.sum()), 'document')} in {counted(n_topics, 'topic')} share a score "
        f"with another, as on lines {first:,} and {second:,} (topic {_topic(lines, row)}). "
        "Ties are ranked by docno descending, as in trec_eval."
    )


def _topic(lines: RunLines, row: int) -> str:
    return lines.names[int(lines.topics[row])].decode()
