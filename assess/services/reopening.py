"""Reopen judgments, set those of an assignment aside, and bring them back."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess import leases
from assess.access.assigning import check_is_independent
from assess.events import AssessEvent
from assess.from_above import JUDGED
from assess.models.assigning import Assignment
from assess.models.controls import OF_CONTROLS
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment, JudgmentQuerySet
from assess.models.serving import AssignmentEntry
from assess.services.handover import locked_assignment
from campaigns.acting import in_campaign
from campaigns.models.trail import AuditEvent

State = Judgment.State
JUDGED_MEANWHILE = "This assignment has changed since the page was opened. Look at it again."


class BroughtBack(NamedTuple):
    """How many judgments came back, of those that were set aside together.

    Of the other documents of a shared topic, `n_full` have all judgments wanted from others, and `n_open` were only put off or
    reopened, and are others' since it was taken back; the rest had been judged again.
    """

    n: int
    n_aside: int
    n_full: int = 0
    n_open: int = 0

    @property
    def n_again(self) -> int:
        return self.n_aside - self.n - self.n_full - self.n_open


@in_campaign
def reopen(
    *, user: User, assignment: Assignment, docno: str = "", seen_changes: int | None = None
) -> int:
    """Have one document judged again, or without a docno all that were decided. Return their number.

    The grades no longer count until they are given again; each judgment's history keeps them. `seen_changes` is as in `reset`.
    """
    locked = locked_assignment(user, assignment)
    if seen_changes is not None and seen_changes != locked.n_changes:
        raise Refused(JUDGED_MEANWHILE)
    decided = _judgments(locked).decided()
    if docno:
        decided = decided.filter(docno=docno)  # both times, where it comes again
    every = list(decided.select_for_update(of=("self",), no_key=True).order_by("change"))
    judgments = [each for each in every if not each.control]
    if not judgments:
        which = f"Document {docno} is" if docno else "All documents are"
        raise Refused(
            f"{which} open for topic {locked.topic} already.{_but_controls([] if docno else every)}"
        )
    reopen_those(locked, every, user)
    if locked.is_shared:
        leases.settle(locked)
    what = docno or f"{len(judgments):,} judged"
    AuditEvent.record(
        locked.topic.campaign,
        user,
        AssessEvent.TOPIC_REOPENED,
        f"{locked.topic}, {locked.assessor} ({locked.kind}): {what}",
        assignment=locked.pk,
    )
    return len(judgments)


@in_campaign
def reset(*, user: User, assignment: Assignment, seen_changes: int | None = None) -> int:
    """Set all judgments of an assignment aside, so that its documents are judged from the first again. Return their number.

    Of a shared topic, its documents go back to the queue, from which anybody of the group is lent them. Nothing is deleted: `restore` brings them back. With `seen_changes`, the `n_changes` that somebody had before their
    eyes, it is refused if more has been judged since.
    """
    locked = locked_assignment(user, assignment)
    if seen_changes is not None and seen_changes != locked.n_changes:
        raise Refused(JUDGED_MEANWHILE)
    n = _judgments(locked).filter(control="").count()
    if not n:
        raise Refused(
            f"Nothing is judged in this assignment of topic {locked.topic}, so there is nothing to set aside.{_but_controls(_judgments(locked))}"
        )
    _judgments(locked).update(set_aside_at=timezone.now())
    locked.all_entries.update(judgment=None)
    _changed(locked)
    if locked.is_shared:
        leases.end(locked)
        leases.settle(locked)
    AuditEvent.record(
        locked.topic.campaign,
        user,
        AssessEvent.TOPIC_RESET,
        f"{locked.topic}, {locked.assessor} ({locked.kind}): {n:,}",
        assignment=locked.pk,
    )
    return n


@in_campaign
def restore(*, user: User, assignment: Assignment, set_aside_at: datetime) -> BroughtBack:
    """Bring back the judgments that were set aside together, but for documents judged again since, in a shared topic by others.

    What was only put off or reopened since gives way, and is set aside in turn. Of a shared topic that was taken back only what was
    decided comes back: the rest is for others to judge.
    """
    locked = locked_assignment(user, assignment)
    still_open = {(each.docno, each.control): each for each in locked.all_entries.to_be_judged()}
    aside = locked.all_judgments.filter(set_aside_at=set_aside_at)
    every = list(aside.select_related("assessor"))
    fitting = [each for each in every if (each.docno, each.control) in still_open]
    coming = [
        each
        for each in fitting
        if not (locked.has_left_group and each.state in Judgment.OPEN_STATES)
    ]
    together, back = ([each for each in some if not each.control] for some in (every, coming))
    if not together:
        raise Refused("There is nothing to bring back: these judgments are back already.")
    done = BroughtBack(
        len(back), len(together), _n_full(locked, together), len(fitting) - len(coming)
    )
    if not back:
        raise Refused(_why_nothing(done))
    for author in {judgment.assessor for judgment in coming}:
        check_is_independent(author, locked)
    _put_back([(still_open[each.docno, each.control], each) for each in coming])
    _changed(locked)
    if locked.is_shared:
        leases.settle(locked)
    AuditEvent.record(
        locked.topic.campaign,
        user,
        AssessEvent.JUDGMENTS_BROUGHT_BACK,
        f"{locked.topic}, {locked.assessor} ({locked.kind}): {len(back):,}",
        assignment=locked.pk,
    )
    return done


def _but_controls(judgments: Iterable[Judgment]) -> str:
    """Say to the organizer, who alone is told, what was answered all the same."""
    return " Only controls have been answered so far." if any(judgments) else ""


def _n_full(assignment: Assignment, aside: Sequence[Judgment]) -> int:
    """Return to how many of these nothing but the judgments of others leaves no room."""
    if not assignment.is_shared:
        return 0
    entries = assignment.entries.filter(docno__in=[each.docno for each in aside])
    is_decided = Q(judgment__state__in=Judgment.DECIDED_STATES)
    with_room = assignment.entries.to_be_judged().values("pk")
    return entries.exclude(is_decided).exclude(pk__in=with_room).count()


def _why_nothing(back: BroughtBack) -> str:
    found = {
        "have been judged again": back.n_again,
        "have all judgments wanted, from others": back.n_full,
        "were only put off or reopened, and left to others when the topic was taken back": back.n_open,
    }
    why = ", or ".join(said for said, n in found.items() if n)
    return f"There is nothing to bring back: these documents {why}."


def _put_back(pairs: Sequence[tuple[AssignmentEntry, Judgment]]) -> None:
    """Have judgments count again that were set aside; what their entries hold is set aside instead."""
    give_way = [entry.judgment_id for entry, _ in pairs if entry.judgment_id]
    Judgment.with_controls.filter(pk__in=give_way).update(set_aside_at=timezone.now())
    for entry, judgment in pairs:
        judgment.set_aside_at, entry.judgment = None, judgment
    entries, judgments = zip(*pairs, strict=True)
    Judgment.with_controls.bulk_update(judgments, ["set_aside_at"], batch_size=1000)
    AssignmentEntry.with_controls.bulk_update(entries, ["judgment"], batch_size=1000)


def _judgments(assignment: Assignment) -> JudgmentQuerySet:
    """Return the judgments that count of an assignment, with those of controls: to whoever judges they are all alike."""
    return assignment.all_judgments.current()


def _reopen(assignment: Assignment, judgments: Sequence[Judgment], by: User) -> None:
    """Reopen judgments of a locked assignment, each with its event."""
    events = []
    for change, judgment in enumerate(judgments, assignment.n_changes + 1):
        event = JudgmentEvent(
            judgment=judgment,
            assignment=assignment,
            client_id=uuid4(),
            by=by,
            from_state=judgment.state,
            from_grade=judgment.grade,
            to_state=State.REOPENED,
            comment=judgment.comment,
            document_version=judgment.document_version,
            topic_version=judgment.topic_version,
            change=change,
        )
        events.append(event)
        judgment.state, judgment.grade, judgment.reason = State.REOPENED, None, ""
        judgment.change, judgment.changed_at = change, event.at
    columns = ["state", "grade", "reason", "change", "changed_at"]
    Judgment.with_controls.bulk_update(judgments, columns, batch_size=1000)
    JudgmentEvent.objects.bulk_create(events, batch_size=1000)


def reopen_those(assignment: Assignment, judgments: Sequence[Judgment], by: User) -> None:
    """Reopen judgments of a locked assignment, and count its judgments anew."""
    _reopen(assignment, judgments, by)
    _changed(assignment, len(judgments))


def _changed(assignment: Assignment, n_changes: int = 1) -> None:
    """Count a locked assignment's judgments anew, and tell whoever follows the official grades."""
    counted = {
        "n_judged": Q(state=State.JUDGED),
        "n_later": Q(state__in=Judgment.OPEN_STATES),
        "n_cannot_judge": Q(state=State.CANNOT_JUDGE),
    }
    own, control = Q(control=""), ~Q(control="")
    states = _judgments(assignment).aggregate(
        **{name: Count("pk", filter=is_so & own) for name, is_so in counted.items()},
        **{
            OF_CONTROLS[name]: Count("pk", filter=is_so & control)
            for name, is_so in counted.items()
        },
    )
    for name, count in states.items():
        setattr(assignment, name, count)
    # Never less than before: the preliminary board sees by it that it is behind.
    assignment.n_changes += n_changes
    assignment.save(update_fields=["n_changes", *states])
    if assignment.is_official:
        campaign_id = assignment.topic.campaign_id
        transaction.on_commit(partial(JUDGED, campaign_id), robust=True)
