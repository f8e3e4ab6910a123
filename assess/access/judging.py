"""Who may judge, and who may read judgments, in which state."""

from collections.abc import Collection

from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused, Verb, Verbs, why_not
from accounts.models import User
from assess.access.assigning import Assignments, why_not_in_conflict
from assess.from_above import ANSWER_PRACTICE, READ_PRACTICE
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.access.roles import campaign_of, is_not_archived, member_roles, organizes, roles
from campaigns.access.windows import check_window
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent
from cleverdon.trec.words import counted, verb


def may_answer_now(user: User, assignment: Assignment) -> None:
    """Refuse once judging or practice is closed."""
    if assignment.is_practice:
        ANSWER_PRACTICE(user, assignment.topic.campaign)
    else:
        judging_is_open(user, assignment)


def has_no_conflict(user: User, assignment: Assignment) -> None:
    """Refuse if their team has a run in the pool, and the settings rule that out.

    They may have joined it since they were given the topic.
    """
    if not assignment.is_practice and user.pk in why_not_in_conflict(assignment.topic.campaign):
        raise NotYours(
            "Your team has a run in the pool, which the settings rule out for assessors."
        )


def is_for_judging(user: User, campaign: Campaign) -> None:
    """Let organizers and assessors pass.

    It checks the role alone: the page says what is not possible at the moment.
    """
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


def judging_is_open(_: User, thing: object) -> None:
    """Refuse once judging is closed."""
    campaign = campaign_of(thing)
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


def reads_assignment(user: User, assignment: Assignment) -> None:
    """Let the assessor who has the topic pass.

    Refuse before judging opens, or where practice may not be read.

    They read their own judgments and what they were given after judging closed too. For others
    the assignment does not exist, but organizers and its former assessors read that it is
    somebody else's.
    """
    campaign = assignment.topic.campaign
    if assignment.is_practice:
        if assignment.assessor_id != user.pk:
            raise NotThere
        READ_PRACTICE(user, campaign)
        return
    # Locked, it has come with the roles of the person.
    known = getattr(assignment, "roles", None)
    user_roles = set(roles(user, campaign) if known is None else known)
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


def _may_know_of(assignment: Assignment, user: User, user_roles: Collection[str]) -> bool:
    """Whether somebody may know of another's assignment: an organizer, or who had it before."""
    if Role.ORGANIZER in user_roles:
        return True
    if Judgment.objects.served().filter(assignment=assignment, assessor=user).exists():
        return True
    left = [{"assignment": assignment.pk, "assessor": user.pk}]
    events = AuditEvent.objects.filter(campaign=assignment.topic.campaign)
    return events.filter(detail__left__contains=left).exists()


class Judging(Verbs):
    see_topics_to_judge = Verb(is_for_judging)
    read = Verb(reads_assignment)
    judge = Verb(read, may_answer_now, has_no_conflict)
    mark_words = Verb(read, is_not_archived)
    see = download = correct = Verb(organizes)
    reopen = reset = restore = Assignments.assign
    reopen_earlier = Verb(Assignments.assign, judging_is_open)
