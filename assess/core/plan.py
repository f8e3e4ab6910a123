"""Who gets which topic: balanced, within limits, free of conflicts, the same for the same seed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assess.core.sampling import Sample
from cleverdon.trec.versions import version

PRIMARY, SECOND = "primary", "second"
NO_ROOM = "nobody has room for it"
IN_CONFLICT = "everybody who has room is of a team with a run in the pool"
JUDGES_IT = "everybody else judges it already"
UNGRADED = "its first assessor has not graded all of it yet: plan again then"


@dataclass(frozen=True)
class OpenTopic:
    """A topic that lacks a primary or a second assessor; those who have judged it are `barred`."""

    number: str
    n_documents: int
    primary: int | None = None  # the assessor already assigned
    needs_second: bool = True
    n_graded: int | None = None  # first grades, once the primary assessor is done
    n_waiting: int = 0  # documents left of a second sample that somebody began and nobody has
    barred: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Person:
    """An assessor: their documents so far, and their limit."""

    id: int
    n_documents: int = 0
    limit: int | None = None
    is_in_conflict: bool = False

    def with_more(self, n_documents: int) -> "Person":
        return replace(self, n_documents=self.n_documents + n_documents)

    def has_room_for(self, n_documents: int) -> bool:
        return self.limit is None or self.n_documents + n_documents <= self.limit


@dataclass(frozen=True)
class Given:
    topic: str
    kind: str
    assessor: int
    n_documents: int
    is_in_conflict: bool


@dataclass(frozen=True)
class Left:
    """A topic that nobody can take, and why."""

    topic: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Plan:
    given: tuple[Given, ...]
    left: tuple[Left, ...]

    @property
    def agreed(self) -> list[list[str | int]]:
        return [[each.topic, each.kind, each.assessor, each.n_documents] for each in self.given]

    @property
    def version(self) -> str:
        return version(self.agreed)


@dataclass
class _Deal:
    people: dict[int, Person]
    refuses_conflicts: bool
    generator: np.random.Generator
    pairs: Counter[frozenset[int]]
    given: list[Given] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)

    def give(
        self, topic: str, kind: str, n: int, barred: Iterable[int], partner: int = 0
    ) -> int | None:
        """Give a topic to the assessor with the fewest documents, and return who that is.

        A second assessor goes to the pair that was drawn least.
        """
        others = [self.people[each] for each in sorted(set(self.people) - set(barred))]
        roomy = [person for person in others if person.has_room_for(n)]
        fit = [each for each in roomy if not (each.is_in_conflict and self.refuses_conflicts)]
        if not fit:
            reason = IN_CONFLICT if roomy else NO_ROOM if others else JUDGES_IT
            self.left.append(Left(topic, kind, reason))
            return None
        chosen = self._first(fit, partner)
        self.people[chosen.id] = chosen.with_more(n)
        self.given.append(Given(topic, kind, chosen.id, n, chosen.is_in_conflict))
        return chosen.id

    def _first(self, people: Sequence[Person], partner: int) -> Person:
        turns = self.generator.permutation(len(people))
        ranked = [
            (
                person.is_in_conflict,
                self.pairs[frozenset((partner, person.id))],
                person.n_documents,
                turn,
            )
            for person, turn in zip(people, turns, strict=True)
        ]
        return people[ranked.index(min(ranked))]


def make_plan(
    topics: Sequence[OpenTopic],
    people: Iterable[Person],
    *,
    sample: Sample,
    seed: int,
    refuses_conflicts: bool = False,
    pairs: Iterable[tuple[int, int]] = (),
) -> Plan:
    """Find a primary assessor for each topic without one, and a second for a sample of each topic.

    Large topics come first, each to the assessor with the fewest documents (Graham's rule: two
    assessors without limits or conflicts differ by at most the largest topic). A second assessor
    makes the pair with the first that was drawn least often, counting `pairs`; among these comes
    the one with the fewest documents, then one drawn from the seed. People in conflict come
    last, or are left out.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = Counter(frozenset(pair) for pair in pairs)
    deal = _Deal({each.id: each for each in people}, refuses_conflicts, generator, drawn)
    primaries: dict[str, int | None] = {}
    for topic in _largest_first(topics):
        primaries[topic.number] = topic.primary or deal.give(
            topic.number, PRIMARY, topic.n_documents, topic.barred
        )
    for topic in _largest_first(topics):
        primary = primaries[topic.number]
        if sample and topic.needs_second and primary:
            n = _n_for_second(topic, sample)
            if n is None:
                deal.left.append(Left(topic.number, SECOND, UNGRADED))
                continue
            barred = {*topic.barred, primary}
            second = deal.give(topic.number, SECOND, n, barred, primary)
            deal.pairs[frozenset((primary, second or primary))] += 1
    order = {topic.number: place for place, topic in enumerate(topics)}
    deal.given.sort(key=lambda each: (order[each.topic], each.kind))
    deal.left.sort(key=lambda each: (order[each.topic], each.kind))
    return Plan(tuple(deal.given), tuple(deal.left))


def _n_for_second(topic: OpenTopic, sample: Sample) -> int | None:
    """Return how many documents a second assessor gets: what waits, or else a sample if it can be.

    None where first grades are lacking.
    """
    if topic.n_waiting:
        return topic.n_waiting
    if sample.by_grade:
        return None if topic.n_graded is None else sample.size(topic.n_graded)
    return sample.size(topic.n_documents)


def _largest_first(topics: Iterable[OpenTopic]) -> Iterator[OpenTopic]:
    yield from sorted(topics, key=lambda topic: (-topic.n_documents, topic.number))
