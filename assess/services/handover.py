"""Hand a topic over, take it back, or take back all assignments that are not begun."""

from collections.abc import Iterable

from django.utils import timezone

from accounts.access import Invalid, Refused, check_seen
from accounts.models import User
from assess import leases
from assess.access.assigning import Assignments, check_can_work_on
from assess.assignments import lock_assigning, pass_on
from assess.events import AssessEvent
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from assess.models.serving import AssignmentEntry
from campaigns.acting import act
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.streams import storable
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted

MAX_REASON = 2000  # characters
NOT_HANDED_OVER = (
    "A shared topic cannot be handed over. Take it back: "
    "the others of its group are lent what is left."
)


@act(Assignments.hand_over)
def hand_over(
    *, user: User, assignment: Assignment, assessor: User, seen: str | None = None
) -> Assignment:
    """Give an assignment to another assessor, or back to the one it was taken from.

    Its judgments stay their authors' and still count. `seen` is the version of its `holder`.
    """
    locked = locked_assignment(assignment)
    check_seen(seen, version(locked.holder), _named(locked))
    if locked.is_shared:
        raise Refused(NOT_HANDED_OVER)
    if locked.holder == assessor.pk:
        raise Refused(f"{assessor} has topic {locked.topic} already.")
    check_can_work_on(assessor, locked.topic, locked)
    earlier, left = locked.assessor, left_by(locked)
    pass_on(locked, assessor)
    way = f"back to {assessor}" if earlier == assessor else f"from {earlier} to {assessor}"
    _record(locked, user, AssessEvent.TOPIC_HANDED_OVER, way, left)
    return locked


@act(Assignments.take_back)
def take_back(*, user: User, assignment: Assignment, seen: str | None = None) -> Assignment:
    """Take an assignment from its assessor. Its judgments still count; it waits for another one."""
    locked = locked_assignment(assignment)
    check_seen(seen, version(locked.holder), _named(locked))
    if locked.taken_back_at:
        raise Refused(f"Topic {locked.topic} has been taken back already.")
    leave(locked)
    way = f"from {locked.assessor}"
    _record(locked, user, AssessEvent.TOPIC_TAKEN_BACK, way, left_by(locked))
    return locked


@act(Assignments.give_up)
def give_up(
    *, user: User, assignment: Assignment, reason: str, seen: str | None = None
) -> Assignment:
    """Do without the second judgments that wait for somebody. Those that there are still count.

    To hand it over takes it up again. `seen` is the version of its `holder`.
    """
    locked = locked_assignment(assignment)
    check_seen(seen, version(locked.holder), _named(locked))
    if not locked.waits:
        raise Refused(_why_not_given_up(locked))
    locked.given_up_at, locked.given_up_why = timezone.now(), _worded(reason)
    locked.save(update_fields=["given_up_at", "given_up_why"])
    campaign, what = locked.topic.campaign, f"{locked.topic}, {counted(locked.n_open, 'document')}"
    detail = {"assignment": locked.pk, "judged": locked.n_judged, "reason": locked.given_up_why}
    AuditEvent.record(campaign, user, AssessEvent.SAMPLE_GIVEN_UP, what, **detail)
    return locked


def _worded(reason: str) -> str:
    words = storable(reason).strip()
    if not words:
        raise Invalid("reason", "Say why: the reason stays on record.")
    if len(words) > MAX_REASON:
        raise Invalid("reason", f"A reason has at most {MAX_REASON:,} characters.")
    return words


def _why_not_given_up(assignment: Assignment) -> str:
    topic = assignment.topic
    if assignment.kind != Assignment.Kind.SECOND:
        return f"Only a second judgment can be done without, not the {assignment.kind} one."
    if not assignment.taken_back_at:
        return f"{assignment.assessor} has topic {topic}: take it back first."
    if assignment.given_up_at:
        return f"This sample of topic {topic} has been given up already."
    return f"Nothing of topic {topic} waits: all documents of the sample are judged."


def _record(
    assignment: Assignment, user: User, kind: AssessEvent, way: str, left: dict[str, int]
) -> None:
    AuditEvent.record(
        assignment.topic.campaign,
        user,
        kind,
        f"{assignment.topic} {way} ({assignment.kind})",
        assignment=assignment.pk,
        judged=assignment.n_judged,
        left=[left],
    )


@act(Assignments.take_back)
def take_back_unbegun(*, user: User, campaign: Campaign, seen: str | None = None) -> int:
    """Take back every assignment without a judgment, except shared topics. Tell how many.

    `seen` is the version of their ids, sorted.
    """
    lock_assigning(campaign)
    rows = Assignment.objects.in_campaign(campaign).unbegun()
    unbegun = list(rows.select_for_update(of=("self",), no_key=True))
    now = version(sorted(each.pk for each in unbegun))
    check_seen(seen, now, f"What is not begun, now {counted(len(unbegun), 'assignment')},")
    if not unbegun:
        raise Refused(_none_unbegun(campaign))
    for assignment in unbegun:
        leave(assignment)
    detail = {
        "assignments": [f"{each.topic}, {each.assessor} ({each.kind})" for each in unbegun],
        "left": [left_by(each) for each in unbegun],
    }
    what = f"{len(unbegun):,} not begun"
    AuditEvent.record(campaign, user, AssessEvent.TOPICS_TAKEN_BACK, what, **detail)
    return len(unbegun)


def _none_unbegun(campaign: Campaign) -> str:
    live = Assignment.objects.in_campaign(campaign).live()
    if live.dealt().exists():
        return "Every assignment has been begun: take them back one by one."
    if live.exists():
        return "Every topic that somebody has is shared: take shared topics back one by one."
    return "Nobody has a topic: there is nothing to take back."


def _named(assignment: Assignment) -> str:
    whose = f"now with {assignment.assessor}" if assignment.holder else "taken back by now"
    return f"The assignment of topic {assignment.topic}, {whose},"


def locked_assignment(assignment: Assignment) -> Assignment:
    """Return the assignment, locked with its shared documents."""
    return locked_all(assignment.topic.campaign, [assignment.pk])[assignment.pk]


def locked_all(campaign: Campaign, pks: Iterable[int]) -> dict[int, Assignment]:
    """Return the assignments with these ids, sorted, as `locked_assignment` does.

    Assignments come before documents, as in judging.
    """
    lock_assigning(campaign)
    locked = {pk: lock_assignment(pk) for pk in pks}
    of_shared = [each for each in locked.values() if each.is_shared]
    entries = AssignmentEntry.objects.counting().filter(assignment__in=of_shared)
    leases.lock(entries.values_list("shared", flat=True))
    return locked


def left_by(assignment: Assignment) -> dict[str, int]:
    """Return who leaves an assignment, for the audit event: they may read why it is gone."""
    return {"assignment": assignment.pk, "assessor": assignment.assessor_id}


def leave(assignment: Assignment) -> None:
    """Take a locked assignment from its assessor, who stays on record; leases end."""
    if assignment.is_shared:
        leases.end(assignment)
    assignment.taken_back_at = timezone.now()
    assignment.save(update_fields=["taken_back_at"])
