"""What several people have judged, counted: kept by topic until one of its judgments changes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from django.core.cache import cache
from django.db.models import Q

from accounts.models import User
from agreement.core.kept import kept_ratings, week_of
from agreement.core.weights import weights_of
from assess.core.sampling import Stratum
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.strata import DrawnStratum, DrawnStratumQuerySet
from campaigns.core.criteria import Criterion
from campaigns.models.campaign import Campaign
from cleverdon.agreement.ratings import NONE, Ratings
from cleverdon.trec.arrays import Floats, Integers
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted, verb
from pooling.models.entries import PoolEntry, PoolEntryQuerySet
from pooling.models.pools import Pool
from qrels.core import rules_of
from qrels.models import Qrels
from qrels.services.kept_judgments import unpacked

KEPT_SECONDS = 7 * 24 * 3600
# In place of an answer.
UNANSWERED = -99


class Tallies(NamedTuple):
    """What several people answered, by criterion; the first one gives the grades of documents."""

    by_criterion: Mapping[str, Ratings]

    @property
    def grades(self) -> Ratings:
        return next(iter(self.by_criterion.values()))


def documents(ratings: Ratings) -> str:
    """Say how many documents are compared, and how often if some have more than two judgments."""
    n_items, n_pairs = ratings.n_items, ratings.n_pairs
    of = counted(n_items, "document")
    return f"{of} judged twice" if n_items == n_pairs else f"{of} judged by two or more"


def weighing(ratings: Ratings) -> str:
    """Say which documents have weights; "" where there are none."""
    weighs = ratings.weight != 1
    if not (n := int(ratings.n[weighs].sum())):
        return ""
    topics = counted(len(set(ratings.topic[weighs].tolist())), "topic")
    return (
        f"Documents of {topics} were drawn by first grade: {n:,} of the {ratings.n_items:,} "
        f"{verb(n, 'is')} weighted to stand for all of their topic."
    )


class _Topic(NamedTuple):
    """Different rows of a topic: `people` by id, of whom each row has `who` gave which `answers`.

    These are [rows x most people] and [criteria x rows x most people]. `mark` changes with the
    judgments.
    """

    mark: list[Any]
    people: list[int]
    who: Integers
    answers: Integers
    n: Integers
    week: Integers
    weight: Floats


def scales_of(criteria: Sequence[Criterion]) -> dict[str, list[int]]:
    return {each.name: [answer.value for answer in each.answers] for each in criteria}


def as_of(version: Qrels, criteria: Sequence[Criterion]) -> Tallies:
    """Return what several people had judged when a version of the qrels kept its judgments."""
    scales = scales_of(criteria)
    return _as_of(version, tuple((name, tuple(scale)) for name, scale in scales.items()))


@lru_cache(maxsize=4)  # a version never changes
def _as_of(version: Qrels, scales: tuple[tuple[str, tuple[int, ...]], ...]) -> Tallies:
    return Tallies(kept_ratings(unpacked(version.judgments), dict(scales), _strata_of(version)))


def by_rule(
    campaign: Campaign, criteria: Sequence[Criterion], rule: str, version: Qrels | None = None
) -> Tallies:
    """Return the same of documents whose official grade comes by a rule, now or as of a version."""
    if version is None:
        topics = list(campaign.topic_set.order_by("sort_key").values_list("pk", flat=True))
        marks: dict[int, list[Any]] = {pk: [] for pk in topics}
        strata = strata_now(campaign, topics)
        return _together(campaign, criteria, _counted(topics, criteria, marks, strata, rule))
    rules, strata_then = rules_of(unpacked(version.judgments), version.rule), _strata_of(version)
    pairs = {pair for pair, its in rules.items() if its == rule}
    scales = scales_of(criteria)
    return Tallies(kept_ratings(unpacked(version.judgments), scales, strata_then, pairs))


def strata_now(campaign: Campaign, topics: Iterable[int]) -> dict[int, dict[int, Stratum]]:
    """Return the strata of these topics that the documents of the pool are in, by item id."""
    drawn = DrawnStratum.objects.of(campaign).filter(assignment__topic__in=topics)
    drawn = drawn.judged(Judgment.objects.graded().independent())
    return drawn.strata_of(PoolEntry.objects.pooled().of(campaign))


def _strata_of(version: Qrels) -> dict[str, dict[str, Stratum]]:
    """Return the strata of each topic, by its number, that a version's documents are in."""
    then = version.published_at
    drawn = DrawnStratum.objects.of(version.campaign).filter(drawn_at__lte=then)
    counted_then = Q(set_aside_at=None) | Q(set_aside_at__gt=then)
    drawn = drawn.judged(Judgment.objects.independent().filter(counted_then, decided_at__lte=then))
    return _by_docno(drawn, PoolEntry.objects.new().filter(batch__in=version.batches))


def _by_docno(
    drawn: DrawnStratumQuerySet, pooled: PoolEntryQuerySet
) -> dict[str, dict[str, Stratum]]:
    """Return the strata of each topic, by its number, that documents are in, by docno."""
    by_topic = drawn.strata_of(pooled)
    names = pooled.filter(topic__in=[*by_topic]).values_list(
        "topic", "topic__number", "item", "item__key"
    )
    found: dict[str, dict[str, Stratum]] = defaultdict(dict)
    for topic, number, item, docno in names:
        found[number][docno] = by_topic[topic][item]
    return found


def so_far(campaign: Campaign) -> Tallies:
    """Return what several people have judged now; only topics that have changed are read."""
    criteria = campaign.every_criterion
    # Read before the judgments: of what changes meanwhile the mark is old, so it is read again.
    drawn = DrawnStratum.objects.of(campaign).n_by_topic()
    marks = _marks(campaign, [each.name for each in criteria], drawn)
    key = f"weighted_ratings:{campaign.pk}"
    kept: dict[int, _Topic] = cache.get(key, {})
    known = {pk: kept[pk] for pk, mark in marks.items() if pk in kept and kept[pk].mark == mark}
    if stale := [pk for pk in marks if pk not in known]:
        known |= _counted(stale, criteria, marks, strata_now(campaign, stale) if drawn else {})
        cache.set(key, known, KEPT_SECONDS)
    return _together(campaign, criteria, {pk: known[pk] for pk in marks})


def _together(
    campaign: Campaign, criteria: Sequence[Criterion], known: Mapping[int, _Topic]
) -> Tallies:
    """Return the rows of topics by id as those of the campaign."""
    numbers = dict(campaign.topic_set.values_list("pk", "number"))
    of_topics = {numbers[pk]: its for pk, its in known.items() if len(its.n)}
    people = {pk for each in of_topics.values() for pk in each.people}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    topics = {number: of_topics[number] for number in sorted(of_topics, key=natural_key)}
    return Tallies(_ratings(topics, names, scales_of(criteria)))


def _marks(
    campaign: Campaign, criteria: list[str], drawn: Mapping[int, int]
) -> dict[int, list[Any]]:
    """Return what changes with the judgments of each topic that has two assignments or more."""
    marks: dict[int, list[Any]] = defaultdict(lambda: [criteria])
    of_campaign = Assignment.objects.counting().filter(topic__campaign=campaign).order_by("pk")
    for topic, pk, n_changes in of_campaign.values_list("topic", "pk", "n_changes"):
        marks[topic].append((pk, n_changes))
    if drawn and (pool := Pool.objects.of(campaign)):  # weights are of its documents
        for topic, n in drawn.items():
            marks[topic][0] = [criteria, n, pool.version]
    return {topic: mark for topic, mark in marks.items() if len(mark) > 2}


def _counted(
    topics: list[int],
    criteria: Sequence[Criterion],
    marks: Mapping[int, list[Any]],
    strata: Mapping[int, Mapping[int, Stratum]],
    rule: str = "",
) -> dict[int, _Topic]:
    """Return of each topic its different rows, and how many items have each.

    Of a rule those of items that have their official grade by it, weighing what they do among all.
    """
    rows: dict[int, Counter[tuple[Any, ...]]] = defaultdict(Counter)
    judgments = Judgment.objects.independent().filter(topic__in=topics)
    for topic, item, last, *columns in judgments.by_item(criteria):
        of = item if rule or topic in strata else NONE
        rows[topic][of, week_of(last.date()), *map(tuple, columns)] += 1
    by_it = OfficialGrade.objects.current().filter(rule=rule, item__topic__in=topics)
    told = set(by_it.values_list("item", flat=True)) if rule else None
    found = {}
    for topic in topics:
        its = rows[topic]
        weights = weights_of(strata.get(topic, {}), [item for item, *_ in its])
        kept = {row: n for row, n in its.items() if told is None or row[0] in told}
        found[topic] = _topic(marks[topic], kept, len(criteria), weights)
    return found


def _topic(
    mark: list[Any],
    rows: Mapping[tuple[Any, ...], int],
    n_criteria: int,
    weights: Mapping[int, float],
) -> _Topic:
    people = sorted({pk for _, _, who, *_ in rows for pk in who})
    at = {pk: n for n, pk in enumerate(people)}
    most = max((len(who) for _, _, who, *_ in rows), default=2)
    who_of = np.full((len(rows), most), NONE, dtype=np.int64)
    answers_of = np.full((n_criteria, len(rows), most), UNANSWERED, dtype=np.int64)
    for row, (_, _, who, *answers) in enumerate(rows):
        who_of[row, : len(who)] = [at[pk] for pk in who]
        for n, given in enumerate(answers):
            answers_of[n, row, : len(who)] = [
                UNANSWERED if each is None else each for each in given
            ]
    counts = np.array(list(rows.values()), dtype=np.int64)
    week = np.array([each for _, each, *_ in rows], dtype=np.int64)
    weight = np.array([weights[item] for item, *_ in rows], dtype=np.float64)
    return _Topic(mark, people, who_of, answers_of, counts, week, weight)


def _ratings(
    topics: Mapping[str, _Topic], names: Mapping[int, str], scales: Mapping[str, Sequence[int]]
) -> dict[str, Ratings]:
    """Put the rows of topics together, for each criterion."""
    raters = sorted(names.values())
    number = {pk: raters.index(name) for pk, name in names.items()}
    most = max((each.who.shape[1] for each in topics.values()), default=2)
    rows, answers = [np.empty((0, most), dtype=np.int64)], []
    for its in topics.values():
        numbers = np.array([*(number[pk] for pk in its.people), NONE])
        rows.append(_wide(numbers[its.who], most, NONE))
        answers.append(_wide(its.answers, most, UNANSWERED))
    empty = np.empty((len(scales), 0, most), dtype=np.int64)
    rater, given = np.concatenate(rows), np.concatenate([empty, *answers], axis=1)
    nothing = np.empty(0, dtype=np.int64)
    n = np.concatenate([nothing, *(each.n for each in topics.values())])
    week = np.concatenate([nothing, *(each.week for each in topics.values())])
    weight = np.concatenate([np.empty(0), *(each.weight for each in topics.values())])
    topic = np.repeat(np.arange(len(topics)), [len(each.n) for each in topics.values()])
    return {
        name: Ratings(
            tuple(scale),
            tuple(topics),
            tuple(raters),
            topic,
            rater,
            place=_places(its, scale),
            n=n,
            week=week,
            weight=weight,
        ).compared()
        for (name, scale), its in zip(scales.items(), given, strict=True)
    }


def _wide(rows: Integers, most: int, filled: int) -> Integers:
    gap = [(0, 0)] * (rows.ndim - 1) + [(0, most - rows.shape[-1])]
    return np.pad(rows, gap, constant_values=filled)


def _places(answers: Integers, scale: Sequence[int]) -> Integers:
    """Return the places of answers on their scale; -1 of those that are not on it."""
    at = np.searchsorted(scale, answers)
    found: Integers = np.where(np.take(scale, at, mode="clip") == answers, at, NONE)
    return found
