"""Reopen judgments, set those of an assignment aside, and bring them back."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils import timezone

from accounts.access import Refused, check_seen
from accounts.models import User
from assess import leases
from assess.access.assigning import check_is_independent
from assess.access.judging import Judging
from assess.core.answers import Answer, Provenance
from assess.core.deciding import Change
from assess.core.purposes import COUNTING
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.judging import COUNTERS, Judgment, JudgmentQuerySet
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from assess.services.adjudicating import refresh
from assess.services.changes import Changes, announce
from assess.services.handover import locked_all, locked_assignment
from campaigns.acting import act
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted

State = Judgment.State
AT_ONCE = 1000  # judgments in a statement


class BroughtBack(NamedTuple):
    """How many judgments came back, of those set aside together.

    Of shared documents, `n_full` have all judgments wanted from others, and `n_open` were only
    put off or reopened, and are others' since the topic was taken back.
    """

    n: int
    n_aside: int
    n_full: int = 0
    n_open: int = 0

    @property
    def n_again(self) -> int:
        return self.n_aside - self.n - self.n_full - self.n_open


@act(Judging.reopen)
def reopen(*, user: User, assignment: Assignment, docno: str = "", seen: str | None = None) -> int:
    """Have one document judged again, or without a docno all decided ones. Tell how many.

    The grades stay in each judgment's history. `seen` is as in `reset`.
    """
    locked = _locked(assignment, seen)
    decided = _judgments(locked).decided()
    if docno:
        decided = decided.filter(item__key=docno)  # both times, where it comes again
    every = list(decided.order_by("change"))
    judgments = [each for each in every if each.purpose in COUNTING]
    if not judgments:
        which = f"Document {docno} has no judgment to reopen" if docno else "All documents are open"
        but = _but_controls([] if docno else every)
        raise Refused(f"{which} for topic {locked.topic}.{but}")
    _reopen(locked, every, user)
    _record(locked, user, AssessEvent.TOPIC_REOPENED, docno or f"{len(judgments):,} judged")
    return len(judgments)


@act(Judging.reset)
def reset(*, user: User, assignment: Assignment, seen: str | None = None) -> int:
    """Set all judgments of an assignment aside, to judge it from the start. Tell how many.

    Documents of a shared topic go back to the queue, for anybody of the group. `restore` brings the
    judgments back. `seen` is the version of the assignment's `n_changes`.
    """
    locked = _locked(assignment, seen)
    items = list(_judgments(locked).counting().values_list("item", flat=True))
    if not items:
        but = _but_controls(_judgments(locked))
        raise Refused(
            f"Nothing is judged in this assignment of topic {locked.topic}, "
            f"so there is nothing to set aside.{but}"
        )
    _judgments(locked).update(set_aside_at=timezone.now())
    locked.entries.update(judgment=None)
    if locked.is_shared:
        leases.end(locked)
    _changed(locked, items)
    _record(locked, user, AssessEvent.TOPIC_RESET, f"{len(items):,}")
    return len(items)


@act(Judging.restore)
def restore(*, user: User, assignment: Assignment, set_aside_at: datetime) -> BroughtBack:
    """Bring back judgments set aside together, except of documents judged again since.

    A newer judgment that is only put off or reopened is set aside instead. Of a shared topic that
    was taken back only decided judgments come back: the rest is for others to judge.
    """
    locked = locked_assignment(assignment)
    check_not_given_up(locked)
    pairs, done = _to_bring_back(locked, set_aside_at)
    if not done.n_aside:
        raise Refused(NOTHING_ASIDE)
    if not done.n:
        raise Refused(_why_nothing(done, locked))
    for author in {judgment.assessor for _, judgment in pairs}:
        check_is_independent(author, locked)
    _put_back(pairs)
    _changed(locked, [judgment.item_id for _, judgment in pairs])
    _record(locked, user, AssessEvent.JUDGMENTS_BROUGHT_BACK, f"{done.n:,}")
    return done


def check_not_given_up(assignment: Assignment) -> None:
    """Refuse to open documents of a sample that was given up: nobody would judge them."""
    if assignment.given_up_at:
        raise Refused(
            f"This sample of topic {assignment.topic} was given up: give it to somebody first."
        )


def _locked(assignment: Assignment, seen: str | None) -> Assignment:
    locked = locked_assignment(assignment)
    check_not_given_up(locked)
    what = f"The assignment of topic {locked.topic}, now with {locked.n_judged:,} judged,"
    check_seen(seen, version(locked.n_changes), what)
    return locked


def _record(assignment: Assignment, user: User, kind: AssessEvent, what: str) -> None:
    subject = f"{assignment.topic}, {assignment.assessor} ({assignment.kind}): {what}"
    campaign = assignment.topic.campaign
    AuditEvent.record(campaign, user, kind, subject, assignment=assignment.pk)


def _to_bring_back(
    assignment: Assignment, set_aside_at: datetime
) -> tuple[list[tuple[AssignmentEntry, Judgment]], BroughtBack]:
    """Return the judgments that can come back, with their entries, and counts of own documents."""
    entries = assignment.entries.to_be_judged()
    if assignment.is_adjudication:  # what the assessors agree on by now stays aside
        refresh(assignment)
        entries = entries.held()
    still_open = {(each.item_id, each.purpose): each for each in entries}
    aside = assignment.judgments.filter(set_aside_at=set_aside_at).select_related("assessor")
    every = [(still_open.get((each.item_id, each.purpose)), each) for each in aside]
    fitting = [(entry, judgment) for entry, judgment in every if entry]
    coming = [
        (entry, judgment)
        for entry, judgment in fitting
        if not (assignment.has_left_group and judgment.state in Judgment.OPEN_STATES)
    ]
    own = [judgment for _, judgment in every if judgment.purpose in COUNTING]
    n = sum(judgment.purpose in COUNTING for _, judgment in coming)
    n_full, n_open = _n_full(assignment, own), len(fitting) - len(coming)
    return coming, BroughtBack(n, len(own), n_full, n_open)


def _but_controls(judgments: Iterable[Judgment]) -> str:
    """Tell the organizer, who may know of controls, that some were answered."""
    return " Only controls have been answered so far." if any(judgments) else ""


def _n_full(assignment: Assignment, aside: Sequence[Judgment]) -> int:
    """Count those of these judgments whose documents have all judgments from others."""
    if assignment.is_adjudication:
        gone = assignment.entries.counting().exclude(given_up_at=None)
        return gone.filter(item__in=[each.item_id for each in aside]).count()
    if not assignment.is_shared:
        return 0
    entries = assignment.entries.counting().filter(item__in=[each.item_id for each in aside])
    is_decided = Q(judgment__state__in=Judgment.DECIDED_STATES)
    with_room = assignment.entries.counting().to_be_judged().values("pk")
    return entries.exclude(is_decided).exclude(pk__in=with_room).count()


def _why_nothing(back: BroughtBack, of: Assignment) -> str:
    left = "were only put off or reopened, and left to others when the topic was taken back"
    full = "have all judgments wanted, from others"
    if of.is_adjudication:
        full = "are no longer in dispute"
    reasons = {"have been judged again": back.n_again, full: back.n_full, left: back.n_open}
    why = ", or ".join(reason for reason, n in reasons.items() if n)
    return f"There is nothing to bring back: these documents {why}."


def _put_back(pairs: Sequence[tuple[AssignmentEntry, Judgment]]) -> None:
    """Restore judgments that were set aside; they replace the current ones."""
    give_way = [entry.judgment_id for entry, _ in pairs if entry.judgment_id]
    Judgment.objects.served().filter(pk__in=give_way).update(set_aside_at=timezone.now())
    for entry, judgment in pairs:
        judgment.set_aside_at, entry.judgment = None, judgment
    entries, judgments = zip(*pairs, strict=True)
    Judgment.objects.bulk_update(judgments, ["set_aside_at"], batch_size=AT_ONCE)
    AssignmentEntry.objects.bulk_update(entries, ["judgment"], batch_size=AT_ONCE)


def _judgments(assignment: Assignment) -> JudgmentQuerySet:
    return assignment.judgments.current()


def _reopen(assignment: Assignment, judgments: Sequence[Judgment], by: User) -> None:
    """Reopen these judgments, in their order; who has left a shared topic is lent none of them."""
    changes = Changes(assignment)
    for start in range(0, len(judgments), AT_ONCE):
        some = judgments[start : start + AT_ONCE]
        entries = assignment.entries.filter(judgment__in=some).order_by("judgment__change")
        for entry in entries.select_related("item", "judgment", "shared"):
            kept = entry.judgment.ratings if entry.judgment else {}
            answer = Answer(entry.docno, State.REOPENED, kept)
            changes.make(entry, Change(answer, entry.state, State.REOPENED), Provenance(), by)
        changes.write()
    if assignment.has_left_group:
        leases.end(assignment)


def _changed(assignment: Assignment, items: Sequence[int]) -> None:
    """Recount a locked assignment's judgments; decide these items anew, and announce it."""
    rows = _judgments(assignment).filter(purpose=assignment.kind).order_by()
    counts = dict.fromkeys(COUNTERS.values(), 0)
    for state, n in rows.values_list("state").annotate(n=Count("pk")):
        counts[COUNTERS[state]] += n
    for name, count in counts.items():
        setattr(assignment, name, count)
    # It only grows: the preliminary board compares it to notice changes.
    assignment.n_changes += 1
    assignment.save(update_fields=["n_changes", *counts])
    if assignment.is_shared:
        leases.settle(assignment)
    if assignment.is_official:
        OfficialGrade.objects.decide(assignment.topic.campaign, items)
    announce(assignment)


NOTHING_ASIDE = (
    "There is nothing to bring back: no judgment was set aside then, or these are back already."
)
NONE = "Nothing is judged on an earlier text any more."


def version_of(judgments: Iterable[Judgment]) -> str:
    return version(sorted((each.pk, each.change) for each in judgments))


@act(Judging.reopen_earlier)
def reopen_earlier(*, user: User, campaign: Campaign, seen: str | None = None) -> int:
    """Reopen all judgments of an earlier text or statement. Tell how many.

    Refused once judging is closed: nobody could judge again. `seen` is `version_of` those
    that the page showed. A judgment under way is waited for.
    """
    found = Judgment.objects.served().on_earlier().filter(topic__campaign=campaign)
    concerned = found.order_by("assignment").values_list("assignment", flat=True).distinct()
    locked = locked_all(campaign, concerned)
    rows = list(found.filter(assignment__in=locked).order_by("pk"))
    own = [each for each in rows if each.purpose in COUNTING]
    if not own:
        raise Refused(NONE)
    check_seen(seen, version_of(own), f"The list, now of {counted(len(own), 'judgment')},")
    for pk, assignment in locked.items():
        _reopen(assignment, [each for each in rows if each.assignment_id == pk], user)
    documents = sorted({f"{each.topic.number} {each.docno}" for each in own})
    detail = {"documents": documents, "assignments": [*locked]}
    n = counted(len(own), "judgment")
    AuditEvent.record(campaign, user, AssessEvent.EARLIER_REOPENED, n, **detail)
    return len(own)
