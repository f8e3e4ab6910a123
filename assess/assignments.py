"""Writes assignments: one of a topic, or all those of a plan."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Max, Q
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess.core.controls import Served, Wanted, mixed
from assess.core.plan import Given
from assess.core.sampling import Sample
from assess.core.together import together
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.strata import DrawnStratum, first_grades
from campaigns.models.campaign import Campaign
from cleverdon.pools import seeds
from collection.models.texts import Topic
from pooling.models.entries import PoolEntry
from pooling.models.likenesses import Likeness
from pooling.models.pools import Pool

Kind = Assignment.Kind
NOT_FROZEN = "The pool is no longer frozen."
ROWS_A_STATEMENT = 20_000
SERVE = """
    INSERT INTO assess_assignmententry (assignment_id, position, item_id, purpose, priority)
    SELECT * FROM unnest(
        %s::bigint[], %s::integer[], %s::bigint[], %s::text[], %s::smallint[]
    )
"""


class Placed(NamedTuple):
    """An item, by its id, that is served for a purpose."""

    item: int
    purpose: str


class Material(NamedTuple):
    """What is served of a topic: items by key, those pooled and those of known grade, by their ids.

    Documents of a set in `alike` are served next to each other. `grades` are the first ones, by the
    ids of items, where a sample is drawn by them.
    """

    items: Mapping[str, int]
    known: Mapping[str, int]
    alike: Sequence[Collection[str]]
    grades: Mapping[int, int]


def lock_assigning(campaign: Campaign) -> Pool:
    """Return the frozen pool, locked before any assignment: two people assign one after the other.

    Judging is not blocked.
    """
    pool = Pool.objects.filter(campaign=campaign).select_for_update(no_key=True).first()
    if pool is None:
        raise Refused(NOT_FROZEN)
    return pool


def pass_on(assignment: Assignment, assessor: User) -> None:
    assignment.assessor, assignment.taken_back_at = assessor, None
    assignment.given_at = timezone.now()
    assignment.given_up_at, assignment.given_up_why = None, ""
    fields = ["assessor", "taken_back_at", "given_at", "given_up_at", "given_up_why"]
    assignment.save(update_fields=fields)


def materials(
    pool: Pool, topics: Collection[int], *, with_grades: bool = False
) -> dict[int, Material]:
    """Return by its id what is served of each of these topics."""
    items: dict[int, dict[str, int]] = defaultdict(dict)
    pooled = PoolEntry.objects.in_pool(pool).filter(topic__in=topics)
    for pk, key, item in pooled.values_list("topic", "item__key", "item"):
        items[pk][key] = item
    known = KnownGrade.objects.controls().by_topic(topics)
    alike = Likeness.objects.together(pool.campaign, topics)
    grades = first_grades(topics) if with_grades else {}
    return {
        pk: Material(items[pk], known.get(pk, {}), alike.get(pk, ()), grades.get(pk, {}))
        for pk in topics
    }


def prepared(
    pool: Pool,
    topic: Topic,
    assessor: User,
    kind: str,
    *,
    material: Material,
    sample: Sample | None,
) -> tuple[Assignment, list[Placed]]:
    """Return a new assignment and its items in order: all, or a sample drawn from the seed.

    Controls are mixed in. The order follows from the keys.
    """
    items, known, alike, of_items = material
    docnos = [*items]
    if sample:
        grades = {docno: of_items[item] for docno, item in items.items() if item in of_items}
        docnos = sample.of(docnos, grades, seeds.seed_for(pool.seed, topic.number, "sample"))
    seed = seeds.seed_for(pool.seed, topic.number, assessor.username)
    assignment = Assignment(
        topic=topic, pool=pool, assessor=assessor, kind=kind, seed=seed, n_entries=len(docnos)
    )
    order = together(seeds.shuffled(docnos, seed), alike)
    wanted = Wanted(pool.campaign.known_percent, pool.campaign.repeat_percent)
    drawing = np.random.default_rng(seeds.seed_for(seed, "controls"))
    served = mixed(order, set(known).difference(docnos), wanted, drawing, kind)
    # A control between two of a group comes behind it: a repeat stays far from its first time.
    served = together(served, [{Served(docno, kind) for docno in group} for group in alike])
    ids = {**known, **items}
    return assignment, [Placed(ids[each.docno], each.purpose) for each in served]


def serve(
    orders: Iterable[tuple[Assignment, Sequence[Placed]]], first: int = 0, priority: int = 0
) -> None:
    """Store the orders in which documents are served, from a position on, with few statements."""
    rows = (
        (assignment.pk, position, each.item, each.purpose, priority)
        for assignment, order in orders
        for position, each in enumerate(order, first)
    )
    with connection.cursor() as cursor:
        while batch := list(islice(rows, ROWS_A_STATEMENT)):
            cursor.execute(SERVE, [list(column) for column in zip(*batch, strict=True)])


def serve_more(assignment: Assignment, more: Sequence[Placed], priority: int = 0) -> None:
    """Serve documents behind those that a locked assignment has, and count its own.

    With a higher priority than others they are judged sooner; no place in the list changes.
    """
    rows = assignment.entries.all()
    last = rows.aggregate(last=Max("position"))["last"]
    serve([(assignment, more)], first=0 if last is None else last + 1, priority=priority)
    count_entries(assignment)


def count_entries(assignment: Assignment) -> None:
    """Count the documents that a locked assignment has."""
    own = assignment.entries.filter(purpose=assignment.kind)
    assignment.n_entries = own.held().count()
    assignment.save(update_fields=["n_entries"])


def carry_out(
    given: Sequence[Given], pool: Pool, second: Sample, user: User, *, goes_on: bool = False
) -> list[Assignment]:
    """Store the assignments of a plan and return them; a primary one taken back continues.

    If nothing was ever answered in it, it is prepared anew, as settings and known grades are now.
    So is a second one that waits and was never begun; with `goes_on` one that was begun continues.
    """
    numbers = {each.topic for each in given}
    topics = {topic.number: topic for topic in pool.campaign.topic_set.filter(number__in=numbers)}
    people, waiting = (
        User.objects.in_bulk({each.assessor for each in given}),
        _waiting(pool, numbers, goes_on=goes_on),
    )
    material = materials(pool, [each.pk for each in topics.values()], with_grades=second.by_grade)
    made, passed_on = list[tuple[Assignment, list[Placed], Assignment | None]](), list[Assignment]()
    for each in given:
        topic, assessor = topics[each.topic], people[each.assessor]
        before = waiting.pop((topic.pk, each.kind), None)
        if before:
            pass_on(before, assessor)
            passed_on.append(before)
        if before is None or not before.n_changes:
            own, sample = material[topic.pk], None if each.kind == Kind.PRIMARY else second
            new, order = prepared(pool, topic, assessor, each.kind, material=own, sample=sample)
            new.created_by = user
            made.append((new, order, before))
    stored = Assignment.objects.bulk_create(new for new, _, before in made if before is None)
    orders = [(_renewed(before, new) if before else new, order) for new, order, before in made]
    serve(orders)
    _record_strata(orders if second.by_grade else [], material)
    return [*passed_on, *stored]


def _record_strata(
    orders: Iterable[tuple[Assignment, Sequence[Placed]]], material: Mapping[int, Material]
) -> None:
    for assignment, order in orders:
        if assignment.kind == Kind.SECOND:
            drawn = [each.item for each in order if each.purpose == Kind.SECOND]
            DrawnStratum.objects.record(assignment, material[assignment.topic_id].grades, drawn)


def _waiting(
    pool: Pool, numbers: Collection[str], *, goes_on: bool
) -> dict[tuple[int, str], Assignment]:
    """Return by topic id and kind what can continue of these topics, locked.

    That is what is primary, and of second ones that wait the oldest: one that was begun if it
    `goes_on`, or else one that was not.
    """
    rows = Assignment.objects.filter(pool=pool, topic__number__in=numbers)
    waiting = rows.waiting() if goes_on else rows.waiting().filter(n_changes=0)
    rows = rows.filter(Q(kind=Kind.PRIMARY) | Q(pk__in=waiting.values("pk")))
    rows = rows.annotate(is_begun=Q(n_changes__gt=0)).order_by("is_begun", "-pk")
    locked = rows.select_for_update(of=("self",), no_key=True)
    return {(each.topic_id, each.kind): each for each in locked}


def _renewed(before: Assignment, new: Assignment) -> Assignment:
    """Turn an unanswered assignment into a new one with the same id, without its documents."""
    before.entries.all().delete()
    before.strata.all().delete()
    fields = ["seed", "n_entries", "created_by", "created_at"]
    for name in fields:
        setattr(before, name, getattr(new, name))
    before.save(update_fields=fields)
    return before
