"""What was judged on an earlier text, as organizers see it before they reopen it."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from accounts.models import User
from assess.models.judging import Judgment
from collection.models.texts import Topic

MOST_NAMED = 12


class EarlierGroup(NamedTuple):
    """What one person judged for a topic, and in which assignment."""

    topic: Topic
    assessor: User
    assignment: int
    kind: str
    docnos: list[str]

    @property
    def n(self) -> int:
        return len(self.docnos)

    @property
    def named(self) -> list[str]:
        return self.docnos[:MOST_NAMED]

    @property
    def n_more(self) -> int:
        return len(self.docnos) - len(self.named)


def grouped(judgments: Iterable[Judgment]) -> list[EarlierGroup]:
    """Group judgments, which come by topic."""
    every = sorted(
        judgments,
        key=lambda each: (each.topic.sort_key, each.assignment_id, each.assessor_id, each.docno),
    )
    groups = groupby(every, key=lambda each: (each.assignment_id, each.assessor_id))
    found = ([*its] for _, its in groups)
    return [
        EarlierGroup(
            its[0].topic,
            its[0].assessor,
            its[0].assignment_id,
            its[0].assignment.get_kind_display(),
            [each.docno for each in its],
        )
        for its in found
    ]
