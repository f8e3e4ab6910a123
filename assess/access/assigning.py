"""Who may assign topics, and who can take which."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from accounts.access import Refused, Verb, Verbs
from accounts.models import User
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from campaigns.access.roles import campaign_of, organizes
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from cleverdon.trec.words import counted, verb
from collection.models.texts import Topic
from pooling.models.contributors import Contributor
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool


def has_frozen_pool(_: User, thing: object) -> None:
    """Refuse while no pool is frozen."""
    if Pool.objects.of(campaign_of(thing)) is None:
        raise Refused("Topics can be assigned once the pool is frozen.")


class Assignments(Verbs):
    see = Verb(organizes)
    assign = distribute = limit_assessors = Verb(organizes, has_frozen_pool)
    hand_over = take_back = give_up = Verb(organizes, has_frozen_pool)


def assessors_of(campaign: Campaign) -> QuerySet[User]:
    return User.objects.filter(membership__campaign=campaign, membership__role=Role.ASSESSOR)


def check_can_distribute(campaign: Campaign, second: Sample) -> None:
    n_assessors = assessors_of(campaign).count()
    if not n_assessors:
        raise Refused("Invite assessors first: there is nobody to assign topics to.")
    if second and n_assessors < 2:
        raise Refused("A second judgment needs a second assessor: invite one more.")


def in_conflict(campaign: Campaign) -> QuerySet[User]:
    """Return the people whose team has a run in the frozen pool."""
    pool = Pool.objects.of(campaign)
    pooled = Contributor.objects.filter(batch__pool=pool, run__campaign=campaign, is_read=True)
    return User.objects.filter(
        membership__campaign=campaign, membership__team__in=pooled.values("run__team")
    )


def check_can_be_assigned(assessor: User, topic: Topic, kind: str) -> None:
    if SharedQueue.objects.filter(topic=topic).exists():
        raise Refused(f"Topic {topic} is shared: add {assessor} to those who judge it.")
    if kind == Assignment.Kind.SHARED:
        raise Refused("A topic is shared among a group, not assigned to one person.")
    primary = None
    if kind == Assignment.Kind.PRIMARY:
        primary = Assignment.objects.primary().filter(topic=topic).first()
    check_can_work_on(assessor, topic, primary)
    if primary and not primary.taken_back_at:
        raise Refused(f"Topic {topic} already has a primary assessor.")


def check_can_draw_by_grade(topic: Topic) -> None:
    """Refuse while documents of the topic have no first grade, or where none will have one."""
    primary = Assignment.objects.primary().filter(topic=topic).first()
    if primary is None:
        raise Refused(f"Topic {topic} has no primary assessor, so nothing to be drawn by grade.")
    if n := primary.n_open:
        documents = f"{counted(n, 'document')} of topic {topic} {verb(n, 'has')}"
        raise Refused(
            f"{documents} no first grade yet: draw by grade once the primary assessor is done."
        )
    if not primary.n_judged:
        raise Refused(f"No document of topic {topic} could be judged, so none has a first grade.")


class Work(NamedTuple):
    topic: Topic
    assignment: Assignment | None = None


def why_not_of_each(people: Iterable[User], work: Sequence[Work]) -> list[dict[int, str]]:
    """Return for each topic who could not take it and why, as the end of a sentence.

    The number of queries does not depend on the number of people or topics.
    """
    if not work:
        return []
    campaign = work[0].topic.campaign
    asked = {person.pk for person in people}
    assessors = set(assessors_of(campaign).values_list("pk", flat=True))
    never = dict.fromkeys(asked - assessors, f"is not an assessor of {campaign}")
    conflicted = why_not_in_conflict(campaign)
    engaged = _engaged(work)
    return [
        {
            pk: why
            for pk, why in {**conflicted, **engaged[each.topic.pk], **never}.items()
            if pk in asked
        }
        for each in work
    ]


def why_not_in_conflict(campaign: Campaign) -> dict[int, str]:
    """Return who can take no topic at all because of a run in the pool, and why."""
    if not campaign.refuses_conflicts:
        return {}
    why = "cannot judge: their team has a run in the pool, which the settings rule out"
    return dict.fromkeys(in_conflict(campaign).values_list("pk", flat=True), why)


def _engaged(work: Sequence[Work]) -> dict[int, dict[int, str]]:
    """Return by topic who has, or has judged in, another assignment of it, as words."""
    its = [each.assignment.pk for each in work if each.assignment]
    others = Assignment.objects.counting().filter(topic__in=[each.topic for each in work])
    others = others.exclude(pk__in=its)
    given = Judgment.objects.served().current().filter(assignment__in=others).order_by()
    authors = given.values_list("topic", "assessor", "topic__number", "assignment__kind")
    engaged: dict[int, dict[int, str]] = {each.topic.pk: {} for each in work}
    for topic, person, number, kind in authors.distinct():
        engaged[topic][person] = (
            f"has judged documents of topic {number} already, in its {kind} assignment"
        )
    live = others.live().order_by("topic")
    for topic, person, number in live.values_list("topic", "assessor", "topic__number"):
        engaged[topic][person] = f"already judges topic {number}"
    return engaged


def check_can_work_on(assessor: User, topic: Topic, assignment: Assignment | None = None) -> None:
    """Refuse somebody who could not judge a topic, or take over this assignment of it."""
    pooled = PoolEntry.objects.pooled().filter(topic=topic)
    if not pooled.exists():
        raise Refused(f"Topic {topic} is not in the frozen pool, so it has no documents to judge.")
    [reasons] = why_not_of_each([assessor], [Work(topic, assignment)])
    if assessor.pk in reasons:
        raise Refused(f"{assessor} {reasons[assessor.pk]}.")


def check_is_independent(assessor: User, assignment: Assignment) -> None:
    engaged = _engaged([Work(assignment.topic, assignment)])[assignment.topic_id]
    if assessor.pk in engaged:
        raise Refused(f"{assessor} {engaged[assessor.pk]}.")
