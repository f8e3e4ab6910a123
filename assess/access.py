"""Who may assign, judge and publish, and in which state."""

from accounts.access import NotYours, Refused
from accounts.models import User
from assess.models import Assignment, Judgment
from campaigns.access import check_can_organize, check_window, roles
from campaigns.models import Campaign, Role, Topic
from pooling.models import Pool


def check_can_assign(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if Pool.objects.frozen_of(campaign) is None:
        raise Refused(
            "Topics can be assigned once the pool is frozen: until then there is nothing to judge."
        )


def check_can_be_assigned(assessor: User, topic: Topic) -> None:
    if Role.ASSESSOR not in roles(assessor, topic.campaign):
        raise Refused(f"{assessor} is not an assessor of {topic.campaign}.")
    if Assignment.objects.filter(topic=topic, assessor=assessor).exists():
        raise Refused(f"{assessor} already judges topic {topic}.")


def check_can_judge(user: User, assignment: Assignment) -> None:
    if assignment.assessor_id != user.pk:
        raise NotYours(f"Topic {assignment.topic} was given to somebody else to judge.")
    campaign = assignment.topic.campaign
    check_window(
        campaign, "Judging", campaign.judging_opens_at, campaign.judging_closes_at
    )


def check_can_publish(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if not Assignment.objects.filter(
        topic__campaign=campaign, kind=Assignment.Kind.PRIMARY, n_judged__gt=0
    ).exists():
        raise Refused(
            "There is nothing to publish yet: no primary assessor has judged a document."
        )


def check_grade(assignment: Assignment, state: str, grade: int | None) -> None:
    if state == Judgment.State.JUDGED and not assignment.topic.campaign.scale.has(
        grade
    ):
        raise Refused(f"{grade} is not a grade of this campaign's scale.")
