"""Ask somebody to decide where assessors differ, and keep what they are served up to date."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.access import Refused, check
from accounts.models import User
from assess import leases
from assess.access.assigning import Assignments, Work, why_not_of_each
from assess.access.judging import Judging
from assess.assignments import Kind, Placed, count_entries, lock_assigning, pass_on, serve_more
from assess.events import AssessEvent
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from assess.models.disputes import decided, disputes
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from campaigns.acting import act
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.pools import seeds
from cleverdon.trec.words import counted
from collection.models.texts import Topic
from pooling.models.pools import Pool

NONE = "Every document whose grades are so far apart is decided, or has its adjudicator."


class Asked(NamedTuple):
    """The topics that somebody adjudicates now, and why others were left out, as sentences."""

    made: list[Assignment]
    left_out: list[str]

    @property
    def n_documents(self) -> int:
        return sum(each.n_open for each in self.made)


@act(Assignments.assign)
def adjudicate(
    *,
    user: User,
    campaign: Campaign,
    assessor: User,
    least_steps: int = 1,
    topics: Iterable[Topic] | None = None,
) -> Asked:
    """Have somebody decide the documents with grades so many steps of the scale apart.

    They get what is in dispute of these topics, or of all, now and later; but for topics that
    somebody else adjudicates, or that they have judged in. An adjudication that was taken back goes
    on, and their own gets what is less far apart too.
    """
    pool = lock_assigning(campaign)
    rows = campaign.topic_set.all() if topics is None else topics
    waiting = waiting_for(assessor, campaign, rows, least_steps)
    if not waiting:
        raise Refused(NONE)
    reasons = [why.get(assessor.pk) for why in why_not_of_each([assessor], waiting)]
    taken = [work for work, why in zip(waiting, reasons, strict=True) if not why]
    left_out = sorted({f"{assessor} {why}." for why in reasons if why})
    if not taken:
        raise Refused(" ".join(left_out))
    made = [_given(work, assessor, least_steps, pool, user) for work in taken]
    asked = Asked(made, left_out)
    what = f"{assessor}: {counted(asked.n_documents, 'document')} of {counted(len(made), 'topic')}"
    AuditEvent.record(
        campaign,
        user,
        AssessEvent.ADJUDICATION_ASKED,
        what,
        assignments=[each.pk for each in made],
        topics=[each.topic.number for each in made],
        least_steps=least_steps,
    )
    return asked


def waiting_for(
    assessor: User, campaign: Campaign, topics: Iterable[Topic], least_steps: int
) -> list[Work]:
    """Return the topics with something in dispute that nobody has, or was taken back.

    Also those where the assessor adjudicates only what is farther apart.
    """
    every = {each.pk: each for each in topics}
    settled = decided(every)
    found = {
        each.topic for each in disputes(campaign, every, least_steps) if each.item not in settled
    }
    there = Assignment.objects.filter(kind=Kind.ADJUDICATION, topic__in=found)
    before = {each.topic_id: each for each in there.select_related("topic")}
    return [
        Work(topic, before.get(pk))
        for pk, topic in every.items()
        if pk in found and (pk not in before or _is_wider(before[pk], assessor, least_steps))
    ]


def _is_wider(before: Assignment, assessor: User, least_steps: int) -> bool:
    if before.taken_back_at:
        return True
    return before.assessor_id == assessor.pk and least_steps < (before.least_steps or 1)


def _given(work: Work, assessor: User, least_steps: int, pool: Pool, user: User) -> Assignment:
    """Give a topic's disputes to somebody, or what is left of them."""
    seed = seeds.seed_for(pool.seed, work.topic.number, Kind.ADJUDICATION.value)
    of = {"topic": work.topic, "pool": pool, "kind": Kind.ADJUDICATION, "seed": seed}
    assignment = work.assignment or Assignment(**of, assessor=assessor, created_by=user)
    assignment.least_steps = least_steps
    assignment.save()
    if work.assignment:
        pass_on(assignment, assessor)
    refresh(assignment)
    return assignment


def bring(*, assessor: User, assignment: Assignment) -> list[int]:
    """Serve an adjudicator what came into dispute. Return the changed positions.

    Does nothing in an assignment of another kind. Refused where they may not judge.
    """
    if not assignment.is_adjudication:
        return []
    with transaction.atomic():
        locked = lock_assignment(assignment.pk, assessor)
        check(Judging.judge, assessor, locked)
        changed = refresh(locked)
    assignment.n_changes, assignment.n_entries = locked.n_changes, locked.n_entries
    assignment.n_later = locked.n_later
    return changed


def refresh(assignment: Assignment) -> list[int]:
    """Serve what is in dispute now behind the rest, and give up what no longer is, unless decided.

    The farthest comes first. Return the positions that changed. The assignment is locked.
    """
    wanted = _wanted(assignment)
    entries = list(assignment.entries.select_related("judgment"))
    _ask_again(assignment, entries)
    is_open = [each for each in entries if each.state not in Judgment.DECIDED_STATES]
    gone = [each for each in is_open if each.item_id not in wanted and not each.is_given_up]
    back = [each for each in is_open if each.item_id in wanted and _differs(each, wanted)]
    had = {each.item_id for each in entries}
    new = {item: steps for item, steps in wanted.items() if item not in had}
    if gone:
        leases.give_up(assignment, gone, timezone.now())
    for each in back:
        each.given_up_at, each.priority = None, wanted[each.item_id]
    AssignmentEntry.objects.bulk_update(back, ["given_up_at", "priority"])
    _serve(assignment, new)
    if not (gone or back or new):
        return []
    count_entries(assignment)
    assignment.n_changes += 1  # which an open page compares
    assignment.save(update_fields=["n_changes", "n_later"])
    added = range(len(entries), len(entries) + len(new))
    return sorted([*(each.position for each in (*gone, *back)), *added])


def _wanted(assignment: Assignment) -> dict[int, int]:
    """Return what is in dispute as far as it is asked for: steps by item."""
    topic, least_steps = assignment.topic, assignment.least_steps or 1
    return {each.item: each.steps for each in disputes(topic.campaign, [topic.pk], least_steps)}


def _ask_again(assignment: Assignment, entries: Iterable[AssignmentEntry]) -> None:
    """Have documents again that an adjudicator before could not judge."""
    again = [each for each in entries if each.state == "cannot_judge" and each.own is None]
    if not again:
        return
    rows = AssignmentEntry.objects.filter(pk__in=[each.pk for each in again])
    given = [each.judgment_id for each in again if each.judgment_id]
    Judgment.objects.filter(pk__in=given).update(set_aside_at=timezone.now())
    rows.update(judgment=None)
    for each in again:
        each.judgment = None
    assignment.n_cannot_judge -= len(again)
    assignment.save(update_fields=["n_cannot_judge"])


def _differs(entry: AssignmentEntry, wanted: dict[int, int]) -> bool:
    return entry.is_given_up or entry.priority != wanted[entry.item_id]


def _serve(assignment: Assignment, new: Mapping[int, int]) -> None:
    """Serve items with this many steps between their grades, shuffled among equals."""
    for steps in sorted(set(new.values()), reverse=True):
        found = [str(item) for item, its in new.items() if its == steps]
        drawn = [int(item) for item in seeds.shuffled(found, assignment.seed)]
        serve_more(assignment, [Placed(item, assignment.kind) for item in drawn], priority=steps)
