"""What a participant should know of a run, valid or not: the warnings of a report."""

from collections.abc import Iterator, Sequence

import numpy as np

from trec.arrays import Integers, Mask, next_to
from trec.ranking import Keys, compared
from trec.runs.read import RunLines
from trec.words import counted

N_EXAMPLES = 5


def warnings(
    lines: RunLines, ranks: Integers, rules: str, missing: Sequence[str], foreigners: Sequence[str]
) -> Iterator[str]:
    """Yield a sentence for documents not in the collection, missing topics, contradicted ranks and tied scores.

    `lines` are ranked under the rules; `ranks`, of the same lines, are what the run itself says. `missing` are the topics that it
    does not answer, `foreigners` its docnos that are not in the collection.
    """
    if foreigners:
        yield f"{counted(len(foreigners), 'document')} not in the collection: {_listed(foreigners)}."
    if missing:
        yield f"{counted(len(missing), 'topic')} of the campaign missing from the run: {_listed(missing)}."
    keys = compared(lines.scores, rules)
    same_topic = lines.topics[1:] == lines.topics[:-1]
    yield from _on_ranks(lines, ranks, keys, same_topic)
    yield from _on_ties(lines, (keys[1:] == keys[:-1]) & same_topic)


def _on_ranks(lines: RunLines, ranks: Integers, keys: Keys, same_topic: Mask) -> Iterator[str]:
    """Yield a sentence that names the first line of the file that contradicts the scores.

    That is a line whose rank is no greater than that of a line of its topic with a higher score: ranks should ascend where scores descend.
    """
    falls = (ranks[1:] <= ranks[:-1]) & same_topic
    suspects = np.unique(lines.topics[1:][falls])
    edges = np.searchsorted(lines.topics, [suspects, suspects + 1])
    found = [
        start + _contradictions(ranks[start:end], -keys[start:end])
        for start, end in edges.T.tolist()
    ]
    wrong = [rows for rows in found if len(rows)]
    if wrong:
        rows = np.concatenate(wrong)
        first = int(rows[lines.line_numbers[rows].argmin()])
        yield (
            f"In {counted(len(wrong), 'topic')} the rank column contradicts the scores, first on line "
            f"{lines.line_numbers[first]:,} (topic {_topic(lines, first)}). "
            "Scores decide, as in trec_eval; the rank column is ignored."
        )


def _contradictions(ranks: Integers, keys: Keys) -> Integers:
    """Return the rows of a topic whose rank is not below the ranks of all documents with a lower key."""
    # As many documents have a lower key as stand before the group of equals; keys rise.
    n_above = np.searchsorted(keys, keys)
    highest = np.append(ranks.min() - 1, np.maximum.accumulate(ranks))
    return np.flatnonzero(ranks <= highest[n_above])


def _on_ties(lines: RunLines, tied: Mask) -> Iterator[str]:
    if not tied.any():
        return
    members = next_to(tied)
    n_topics = len(np.unique(lines.topics[members]))
    row = int(tied.argmax())
    first, second = sorted(lines.line_numbers[row : row + 2].tolist())
    yield (
        f"{counted(int(members.sum()), 'document')} in {counted(n_topics, 'topic')} share a score with another, "
        f"as on lines {first:,} and {second:,} (topic {_topic(lines, row)}). "
        "Ties are ranked by docno descending, as in trec_eval."
    )


def _topic(lines: RunLines, row: int) -> str:
    return lines.names[int(lines.topics[row])].decode()


def _listed(names: Sequence[str]) -> str:
    more = len(names) - N_EXAMPLES
    return ", ".join(names[:N_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
