"""Who may assign topics, and who can be given which."""

from django.db.models import QuerySet

from accounts.access import Refused
from accounts.models import User
from assess.models import Assignment, Judgment
from campaigns.access import check_can_organize, roles
from campaigns.models import Campaign, Role, Topic
from pooling.models import Contributor, Pool, PoolEntry


def check_can_assign(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if Pool.objects.frozen_of(campaign) is None:
        raise Refused(
            "Topics can be assigned once the pool is frozen: until then there is nothing to judge."
        )


def assessors_of(campaign: Campaign) -> QuerySet[User]:
    return User.objects.filter(
        membership__campaign=campaign, membership__role=Role.ASSESSOR
    )


def check_can_distribute(campaign: Campaign, second_share: float) -> None:
    n_assessors = assessors_of(campaign).count()
    if not n_assessors:
        raise Refused("There is nobody to assign topics to: invite assessors first.")
    if second_share and n_assessors < 2:
        raise Refused("A second judgment needs a second assessor: invite one more.")


def in_conflict(campaign: Campaign) -> QuerySet[User]:
    """Return the people whose team has a run in the frozen pool: they could judge for their own run."""
    pool = Pool.objects.frozen_of(campaign)
    pooled = Contributor.objects.filter(pool=pool, run__campaign=campaign)
    return User.objects.filter(
        membership__campaign=campaign,
        membership__team__in=pooled.values("run__team"),
    )


def check_can_be_assigned(assessor: User, topic: Topic, kind: str) -> None:
    primary = None
    if kind == Assignment.Kind.PRIMARY:
        primary = Assignment.objects.primary().filter(topic=topic).first()
    check_can_work_on(assessor, topic, primary)
    if primary and not primary.taken_back_at:
        raise Refused(f"Topic {topic} already has a primary assessor.")


def check_can_work_on(
    assessor: User, topic: Topic, assignment: Assignment | None = None
) -> None:
    """Refuse somebody who could not judge a topic, or an assignment of it that there is already."""
    campaign = topic.campaign
    if Role.ASSESSOR not in roles(assessor, campaign):
        raise Refused(f"{assessor} is not an assessor of {campaign}.")
    pooled = PoolEntry.objects.filter(topic=topic, pool__state=Pool.State.FROZEN)
    if not pooled.exists():
        raise Refused(
            f"Topic {topic} is not in the frozen pool, so it has no documents to judge."
        )
    check_is_independent(assessor, topic, assignment)
    if (
        campaign.refuses_conflicts
        and in_conflict(campaign).filter(pk=assessor.pk).exists()
    ):
        raise Refused(
            f"The team of {assessor} has a run in the pool, and by the settings of {campaign} nobody judges then."
        )


def check_is_independent(
    assessor: User, topic: Topic, assignment: Assignment | None = None
) -> None:
    """Refuse whoever has, or has judged in, another assignment of the topic: nobody is compared with themselves."""
    others = Assignment.objects.filter(topic=topic)
    if assignment:
        others = others.exclude(pk=assignment.pk)
    if others.live().filter(assessor=assessor).exists():
        raise Refused(f"{assessor} already judges topic {topic}.")
    given = Judgment.objects.current().filter(assignment__in=others, assessor=assessor)
    earlier = given.select_related("assignment").first()
    if earlier:
        raise Refused(
            f"{assessor} has judged documents of topic {topic} already, in its {earlier.assignment.kind} assignment."
        )
