"""Plans who judges which topic, and says who can take a topic over."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef
from django.urls import reverse

from assess.access.assigning import (
    Work,
    assessors_of,
    in_conflict,
    why_not_in_conflict,
    why_not_of_each,
)
from assess.core.plan import OpenTopic, Person, Plan, make_plan
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from assess.models.totals import DECIDED
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from cleverdon.pools.seeds import seed_for
from collection.from_above import Judging
from collection.models.texts import Topic
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool

Kind = Assignment.Kind
OF_A_TEAM = "is of a team with a run in the pool"


def plan_for(
    campaign: Campaign,
    pool: Pool,
    second: Sample,
    *,
    people: Sequence[Person] | None = None,
    sizes: Mapping[int, int] | None = None,
) -> Plan:
    """Plan who judges the topics without a primary assessor, or a second one for a sample of them.

    A second sample that waits goes on before another is drawn.

    `people`, and `sizes` by topic, are read unless they are given.
    """
    given = Assignment.objects.dealt().provided_for().filter(pool=pool)
    by_topic: dict[int, dict[str, int]] = defaultdict(dict)
    for topic, kind, assessor in given.values_list("topic", "kind", "assessor"):
        by_topic[topic][kind] = assessor
    return make_plan(
        _open_topics(_unshared(pool, sizes), by_topic, second),
        people or people_of(campaign),
        sample=second,
        seed=seed_for(pool.seed, "plan"),
        refuses_conflicts=campaign.refuses_conflicts,
        pairs=[
            (each[Kind.PRIMARY], each[Kind.SECOND]) for each in by_topic.values() if len(each) == 2
        ],
    )


def _unshared(pool: Pool, sizes: Mapping[int, int] | None) -> dict[int, int]:
    """Return how many documents each topic of a pool has, without shared topics."""
    shared = set(SharedQueue.objects.filter(pool=pool).values_list("topic", flat=True))
    every = sizes or pool.batches.n_by_topic()
    return {topic: n for topic, n in every.items() if topic not in shared}


def people_of(campaign: Campaign) -> list[Person]:
    """Return the assessors, with how much each has to judge."""
    live = Assignment.objects.in_campaign(campaign).live()
    work = dict(live.n_documents_by_assessor())
    conflicts = set(in_conflict(campaign).values_list("pk", flat=True))
    members = Membership.objects.filter(campaign=campaign, role=Role.ASSESSOR)
    return [
        Person(pk, work.get(pk, 0), limit, pk in conflicts)
        for pk, limit in members.values_list("user", "max_documents")
    ]


class Takers(NamedTuple):
    """By user id: why somebody cannot take a topic over, or a warning about somebody who can."""

    refused: dict[int, str]
    notes: dict[int, str]


def takers_of_each(campaign: Campaign, assignments: Sequence[Assignment]) -> list[Takers]:
    """Return for each of these assignments which assessors could take it over."""
    work = [Work(each.topic, each) for each in assignments]
    refused = why_not_of_each(assessors_of(campaign), work)
    people = people_of(campaign)
    return [
        Takers(why_not, notes_about(people, each.n_entries))
        for why_not, each in zip(refused, assignments, strict=True)
    ]


def takers_of(
    campaign: Campaign, topic: Topic | None, kind: str, people: Sequence[Person]
) -> Takers:
    """Return which of these assessors could take a topic; without one, who could take none."""
    if topic is None:
        return Takers(why_not_in_conflict(campaign), notes_about(people, 0))
    if SharedQueue.objects.filter(topic=topic).exists():
        return _nobody(people, f"topic {topic} is shared")
    primary = None
    if kind == Kind.PRIMARY:
        primary = Assignment.objects.primary().filter(topic=topic).first()
    if primary and not primary.taken_back_at:
        return _nobody(people, f"topic {topic} has a primary assessor already")
    [refused] = why_not_of_each(assessors_of(campaign), [Work(topic, primary)])
    pooled = PoolEntry.objects.pooled().filter(topic=topic)
    n_documents = pooled.count() if kind == Kind.PRIMARY else 1
    return Takers(refused, notes_about(people, n_documents))


def _nobody(people: Sequence[Person], why: str) -> Takers:
    return Takers(dict.fromkeys((person.id for person in people), why), {})


def notes_about(people: Sequence[Person], n_documents: int) -> dict[int, str]:
    """Return warnings about people who would get this many documents more."""
    notes = {}
    for person in people:
        about = [OF_A_TEAM] if person.is_in_conflict else []
        if not person.has_room_for(n_documents):
            about.append(f"would have more than their limit of {person.limit:,}")
        if about:
            notes[person.id] = "; ".join(about)
    return notes


def _open_topics(
    sizes: Mapping[int, int], by_topic: dict[int, dict[str, int]], second: Sample
) -> list[OpenTopic]:
    kinds = [Kind.PRIMARY, Kind.SECOND] if second else [Kind.PRIMARY]
    lacking = [pk for pk in sizes if any(kind not in by_topic[pk] for kind in kinds)]
    authors = _authors(lacking)
    graded = _n_graded(lacking) if second.by_grade else {}
    waiting = Assignment.objects.going_on(lacking) if second else {}
    numbers = Topic.objects.filter(pk__in=lacking).values_list("pk", "number")
    return [
        OpenTopic(
            number,
            sizes[pk],
            primary=by_topic[pk].get(Kind.PRIMARY),
            needs_second=Kind.SECOND not in by_topic[pk],
            n_graded=graded.get(pk),
            n_waiting=waiting[pk].n_open if pk in waiting else 0,
            barred=frozenset(by_topic[pk].values()) | authors[pk],
        )
        for pk, number in numbers
    ]


def _n_graded(topics: Iterable[int]) -> dict[int, int]:
    """Return by id how many first grades these topics have, where the first assessor is done."""
    primary = Assignment.objects.primary().filter(topic__in=topics)
    done = primary.filter(n_entries=DECIDED, n_judged__gt=0)
    return dict(done.values_list("topic", "n_judged"))


def n_without_primary(pool: Pool) -> int:
    """Count the topics of a pool that are not shared and need a primary assessor."""
    primary = Assignment.objects.primary().provided_for()
    given = primary.filter(topic__campaign=pool.campaign_id).values("topic")
    pooled = PoolEntry.objects.in_pool(pool).filter(topic=OuterRef("pk"))
    topics = Topic.objects.filter(campaign=pool.campaign_id, shared_queue=None)
    return topics.exclude(pk__in=given).filter(Exists(pooled)).count()


def _authors(topics: Iterable[int]) -> dict[int, frozenset[int]]:
    found: dict[int, frozenset[int]] = defaultdict(frozenset)
    current = Judgment.objects.served().current().filter(topic__in=topics)
    for topic, author in current.values_list("topic", "assessor").distinct():
        found[topic] |= {author}
    return found


def judging_of(topic: Topic) -> list[Judging]:
    """Return who judges or has judged a topic, the primary assessor first."""
    given = Assignment.objects.counting().on_record().filter(topic=topic).order_by("kind", "pk")
    return [
        Judging(
            person=each.assessor,
            kind=each.kind,
            n_decided=each.n_decided,
            n_documents=each.n_expected,
            is_taken_back=each.taken_back_at is not None,
            address=reverse("desk:assignment", args=[topic.campaign.slug, each.pk]),
        )
        for each in given.with_left().select_related("assessor")
    ]
