"""Hand a topic over, take it back, take back all that nobody has begun."""

from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess import leases
from assess.access.assigning import check_can_assign, check_can_work_on
from assess.assignments import lock_assigning, pass_on
from assess.events import AssessEvent
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent

CHANGED_HANDS = "The assignment has changed hands since this page was opened. Look at it again."

NOT_HANDED_OVER = "A shared topic cannot be handed over. Take it back: the others of its group are lent what is left."


@in_campaign
def hand_over(
    *, user: User, assignment: Assignment, assessor: User, seen_holder: int | None = None
) -> Assignment:
    """Give an assignment to another assessor, or back to the one it was taken from.

    Its judgments stay their authors' and go on counting; the new assessor is served the documents that are left. With
    `seen_holder`, the `holder` that somebody had before their eyes, it is refused if that has changed.
    """
    locked = locked_assignment(user, assignment, seen_holder)
    if locked.is_shared:
        raise Refused(NOT_HANDED_OVER)
    if locked.holder == assessor.pk:
        raise Refused(f"{assessor} has topic {locked.topic} already.")
    check_can_work_on(assessor, locked.topic, locked)
    earlier, left = locked.assessor, [left_by(locked)]
    pass_on(locked, assessor)
    way = f"back to {assessor}" if earlier == assessor else f"from {earlier} to {assessor}"
    AuditEvent.record(
        locked.topic.campaign,
        user,
        AssessEvent.TOPIC_HANDED_OVER,
        f"{locked.topic} {way} ({locked.kind})",
        assignment=locked.pk,
        judged=locked.n_judged,
        left=left,
    )
    return locked


@in_campaign
def take_back(*, user: User, assignment: Assignment, seen_holder: int | None = None) -> Assignment:
    """Take an assignment from its assessor. Its judgments are kept and go on counting; it waits for somebody else."""
    locked = locked_assignment(user, assignment, seen_holder)
    if locked.taken_back_at:
        raise Refused(f"Topic {locked.topic} has been taken back already.")
    leave(locked)
    AuditEvent.record(
        locked.topic.campaign,
        user,
        AssessEvent.TOPIC_TAKEN_BACK,
        f"{locked.topic} from {locked.assessor} ({locked.kind})",
        assignment=locked.pk,
        judged=locked.n_judged,
        left=[left_by(locked)],
    )
    return locked


@in_campaign
def take_back_unbegun(*, user: User, campaign: Campaign) -> int:
    """Take back every assignment in which nothing has been judged yet, shared topics left out. Return their number."""
    check_can_assign(user, campaign)
    lock_assigning(campaign)
    rows = Assignment.objects.in_campaign(campaign).dealt().live().filter(n_changes=0)
    unbegun = list(rows.select_for_update(of=("self",), no_key=True))
    if not unbegun:
        raise Refused(_none_unbegun(campaign))
    for assignment in unbegun:
        leave(assignment)
    AuditEvent.record(
        campaign,
        user,
        AssessEvent.TOPICS_TAKEN_BACK,
        f"{len(unbegun):,} not begun",
        assignments=[f"{each.topic}, {each.assessor} ({each.kind})" for each in unbegun],
        left=[left_by(each) for each in unbegun],
    )
    return len(unbegun)


def _none_unbegun(campaign: Campaign) -> str:
    live = Assignment.objects.in_campaign(campaign).live()
    if live.dealt().exists():
        return "Every assignment has been begun: take them back one by one."
    if live.exists():
        return "Every topic that somebody has is shared: take shared topics back one by one."
    return "Nobody has a topic: there is nothing to take back."


def locked_assignment(
    user: User, assignment: Assignment, seen_holder: int | None = None
) -> Assignment:
    """Return the assignment, locked, for somebody who may assign; of a shared topic its documents too. A judgment being saved is waited for."""
    campaign = assignment.topic.campaign
    check_can_assign(user, campaign)
    lock_assigning(campaign)
    locked = lock_assignment(assignment.pk)
    if seen_holder is not None and seen_holder != locked.holder:
        raise Refused(CHANGED_HANDS)
    if locked.is_shared:
        leases.lock_all([locked])
    return locked


def locked_together(
    user: User, campaign: Campaign, assignments: QuerySet[Assignment]
) -> dict[int, Assignment]:
    """Return these assignments, locked, by id, for somebody who may assign; of shared topics their documents too.

    Assignments come before documents: whoever judges a shared topic locks theirs first, then documents.
    """
    check_can_assign(user, campaign)
    lock_assigning(campaign)
    pks = assignments.order_by("pk").values_list("pk", flat=True)
    locked = {pk: lock_assignment(pk) for pk in pks}
    leases.lock_all(locked.values())
    return locked


def left_by(assignment: Assignment) -> dict[str, int]:
    """Return who has an assignment now, for the event of its leaving them: they may go on reading why it is gone."""
    return {"assignment": assignment.pk, "assessor": assignment.assessor_id}


def leave(assignment: Assignment) -> None:
    """Make a locked assignment nobody's; its last assessor stays on record. What was lent to them of a shared topic others can have."""
    if assignment.is_shared:
        leases.end(assignment)
    assignment.taken_back_at = timezone.now()
    assignment.save(update_fields=["taken_back_at"])
