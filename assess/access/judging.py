"""Who may judge, and who may read judgments, in which state."""

from collections.abc import Collection

from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused, why_not
from accounts.models import User
from assess.access.assigning import why_not_in_conflict
from assess.from_above import ANSWER_PRACTICE, READ_PRACTICE
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.access.roles import member_roles, roles
from campaigns.access.windows import check_window
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent, check_not_archived
from cleverdon.trec.words import counted, verb


def check_can_judge(
    user: User, assignment: Assignment, user_roles: Collection[str] | None = None
) -> None:
    """Refuse somebody who may not judge this; their roles are looked up if not given."""
    campaign = assignment.topic.campaign
    check_can_read_judgments(user, assignment, user_roles)
    if assignment.is_practice:
        ANSWER_PRACTICE(user, campaign)
        return
    check_takes_judgments(campaign)
    # They may have joined a team since they were given the topic.
    if user.pk in why_not_in_conflict(campaign):
        raise NotYours(
            "Your team has a run in the pool, which the settings rule out for assessors."
        )


def check_is_for_judging(user: User, campaign: Campaign) -> None:
    """Check the role alone: the page says what is not possible at the moment."""
    if not {Role.ORGANIZER, Role.ASSESSOR} & member_roles(user, campaign):
        raise NotYours(f"Judging is for the assessors and organizers of {campaign}.")


class MadeForAnother(Refused):
    """Refused because the page was made for somebody else, who had typed what was sent.

    The page sends it again until they have signed in.
    """

    status = 401


def check_is_reader(user: User, reader: int | None) -> None:
    """Refuse what comes from a page made for another `reader`; None if the page names none."""
    if reader not in {None, user.pk}:
        raise MadeForAnother(
            f"This page belongs to somebody else; {user} has signed in since. "
            "Sign in again as the person who wrote it."
        )


def check_takes_judgments(campaign: Campaign) -> None:
    check_window(campaign, "Judging", None, campaign.judging_closes_at)


def why_not_now(campaign: Campaign, n_open: int) -> str:
    """Say why an assessor cannot judge what they have left now; "" while judging is open."""
    why = _why_not_open(campaign)
    if not n_open or not why:
        return ""
    if is_to_open(campaign):
        return f"{why} {counted(n_open, 'document')} {verb(n_open, 'waits')} for you."
    return f"{why} {n_open:,} of your documents stayed unjudged."


def what_waits(campaign: Campaign) -> str:
    """Say why nobody can judge now what is assigned; "" if judging is open or all is archived."""
    why = _why_not_open(campaign)
    if not why or campaign.archived_at:
        return ""
    if is_to_open(campaign):
        return f"{why} What is assigned waits until then."
    return f"{why} What is assigned can be judged only if that date is put off in the settings."


def _why_not_open(campaign: Campaign) -> str:
    opens_at, closes_at = campaign.judging_opens_at, campaign.judging_closes_at
    return why_not(check_window, campaign, "Judging", opens_at, closes_at)


def is_to_open(campaign: Campaign) -> bool:
    """Whether nothing can be read yet, because judging opens later."""
    opens_at = campaign.judging_opens_at
    return bool(not campaign.archived_at and opens_at and timezone.now() < opens_at)


def check_can_read_judgments(
    user: User, assignment: Assignment, user_roles: Collection[str] | None = None
) -> None:
    """Let assessors read their own judgments and what they were given, after judging closed too.

    For others the assignment does not exist, but organizers and its former assessors read that
    it is somebody else's.
    """
    campaign = assignment.topic.campaign
    if assignment.is_practice:
        if assignment.assessor_id != user.pk:
            raise NotThere
        READ_PRACTICE(user, campaign)
        return
    user_roles = set(roles(user, campaign) if user_roles is None else user_roles)
    is_theirs = assignment.assessor_id == user.pk
    if not is_theirs and not _may_know_of(assignment, user, user_roles):
        raise NotThere
    if not user_roles & ({Role.ASSESSOR} if is_theirs else {Role.ASSESSOR, Role.ORGANIZER}):
        raise NotYours(f"You are no longer an assessor of {campaign}.")
    if not is_theirs:
        raise NotYours(f"Topic {assignment.topic} was given to somebody else to judge.")
    if assignment.taken_back_at:
        raise NotYours(f"Topic {assignment.topic} was taken back from you.")
    # What is archived can be read, even if judging never opened.
    if not campaign.archived_at:
        check_window(campaign, "Judging", campaign.judging_opens_at, None)


def check_can_mark_words(user: User, assignment: Assignment) -> None:
    """Let assessors change words they marked, even after judging closed, unless archived."""
    check_can_read_judgments(user, assignment)
    check_not_archived(assignment.topic.campaign)


def _may_know_of(assignment: Assignment, user: User, user_roles: Collection[str]) -> bool:
    """Whether somebody may know of another's assignment: an organizer, or who had it before."""
    if Role.ORGANIZER in user_roles:
        return True
    if Judgment.objects.served().filter(assignment=assignment, assessor=user).exists():
        return True
    left = [{"assignment": assignment.pk, "assessor": user.pk}]
    events = AuditEvent.objects.filter(campaign=assignment.topic.campaign)
    return events.filter(detail__left__contains=left).exists()
