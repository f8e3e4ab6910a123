"""A run as arrays in rank order, and the report of its check."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from cleverdon.trec.arrays import Floats, Grades, Integers, owners
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import DEFAULT_RULES, RankOrder, order_by, rank_all
from cleverdon.trec.streams import is_readable
from cleverdon.trec.words import counted, verb

TAG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,19}")


def check_tag(tag: str) -> None:
    """ValueError with one sentence for a tag that TREC would refuse."""
    if not TAG.fullmatch(tag):
        quoted = f" {tag[:40]!r}" if is_readable(tag) else ""
        raise ValueError(
            f"The tag{quoted} must be 1 to 20 letters, digits, _ - or ., and not start with a dot."
        )


@dataclass(frozen=True, eq=False)
class RankedRun:
    """A run, each topic's documents in the order of the one ranking.

    `topics` are in byte order. Topic t has the documents `offsets[t]:offsets[t + 1]` of `scores`
    and `docnos`, both of shape [n_documents], best first. `tag` is that of the file's last line,
    `rules` name how the run was ranked. `ranks`, of the same shape, are the file's rank column,
    which a checked run keeps.
    """

    topics: tuple[str, ...]
    offsets: Integers
    scores: Floats
    docnos: Docnos
    tag: str = ""
    rules: str = DEFAULT_RULES
    ranks: Grades | None = None

    @property
    def n_documents(self) -> int:
        return int(self.offsets[-1])

    def docnos_of(self, topic: int) -> Docnos:
        return self.docnos.take(self._span(topic))

    def top(self, topic: int, depth: int, order_rule: str = DEFAULT_RULES) -> Docnos:
        """Return a topic's first documents by an order rule; the default one copies nothing.

        The run is ranked by the default rules. ValueError as
        `cleverdon.trec.ranking.order_by` raises it.
        """
        rows = self._span(topic)
        if order_rule == DEFAULT_RULES:
            return self.docnos.take(slice(rows.start, min(rows.start + depth, rows.stop)))
        docnos, ranks = self.docnos.take(rows), None if self.ranks is None else self.ranks[rows]
        order = order_by(order_rule, docnos, self.scores[rows], ranks)
        return docnos.take(order).take(slice(depth))

    def scores_of(self, topic: int) -> Floats:
        return self.scores[self._span(topic)]

    def of_topic(self, number: str) -> Self:
        """Return the run on one topic, with no documents if it has none there."""
        rows = self._span(self.topics.index(number)) if number in self.topics else slice(0)
        offsets = np.array([0, rows.stop - (rows.start or 0)])
        return replace(self._take(rows), topics=(number,), offsets=offsets)

    def _span(self, topic: int) -> slice:
        return slice(int(self.offsets[topic]), int(self.offsets[topic + 1]))

    def _take(self, rows: RankOrder) -> Self:
        ranks = None if self.ranks is None else self.ranks[rows]
        docnos = self.docnos.take(rows)
        return replace(self, scores=self.scores[rows], docnos=docnos, ranks=ranks)

    def under(self, rules: str) -> Self:
        """Rank the run by other rules; ValueError for an unknown rule set."""
        topics = owners(np.diff(self.offsets))
        order = rank_all(topics, self.docnos, self.scores, rules)
        return replace(self._take(order), rules=rules)


class Problem(NamedTuple):
    """A fault in one sentence, the first lines with it, how many have it, and the first one's text.

    A fault of the whole file has no lines.
    """

    message: str
    lines: list[int]
    n: int = 1
    text: str = ""

    @property
    def line(self) -> int | None:
        return self.lines[0] if self.lines else None


@dataclass(frozen=True)
class CheckReport:
    """The result of a check: errors by their first lines, equal ones together, and warnings.

    `n_errors` counts all, `n_documents` each document once. `n_missing` topics have no answer,
    `n_unknown` documents are not in the collection, `n_most` is the largest number of documents of
    a topic. `is_cut`: reading ended before the file did, at a limit or at damaged data.
    """

    n_lines: int = 0
    n_topics: int = 0
    n_documents: int = 0
    n_errors: int = 0
    errors: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    is_cut: bool = False
    n_missing: int = 0
    n_unknown: int = 0
    n_most: int = 0

    @property
    def is_valid(self) -> bool:
        return not self.n_errors

    @property
    def caveat(self) -> str:
        """The worst thing about a run without errors, in words that follow "but"; "" if nothing."""
        n_documents, unknown = counted(self.n_documents, "document"), self.n_unknown
        if unknown and unknown == self.n_documents:
            return (
                "its one document is not in the collection"
                if unknown == 1
                else f"none of its {n_documents} is in the collection"
            )
        if self.n_missing:
            topics = counted(self.n_topics + self.n_missing, "topic")
            return f"it answers {self.n_topics:,} of {topics}"
        if unknown:
            return f"{unknown:,} of its {n_documents} {verb(unknown, 'is')} not in the collection"
        return ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The errors as (which lines, sentence): ("all 1,000", "The tag is 'x'; …")."""
        return [(self.which(error), error.message) for error in self.errors]

    def which(self, error: Problem) -> str:
        """Return the lines with an error: "all 1,000", "12, 15 and 8 more", or "" for the file."""
        if self.is_on_all(error):
            return f"all {error.n:,}{' read' if self.is_cut else ''}"
        named = ", ".join(f"{line:,}" for line in error.lines)
        more = error.n - len(error.lines)
        return f"{named} and {more:,} more" if error.lines and more else named

    def is_on_all(self, error: Problem) -> bool:
        return error.n == self.n_lines > 1 and bool(error.lines)

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "errors": [error._asdict() for error in self.errors]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**{**stored, "errors": [Problem(**error) for error in stored["errors"]]})
