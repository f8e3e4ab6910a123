"""Pass on the topics of an assessor who is removed, or let them wait."""

from collections.abc import Sequence
from typing import Any, cast

from django.utils.text import get_text_list

from accounts.models import User
from assess.access.assigning import Work, assessors_of, why_not_of_each
from assess.assignments import lock_assigning, pass_on
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.planning import Takers, notes_about, people_of
from assess.services.handover import leave, left_by
from campaigns.models.people import Membership, Role
from cleverdon.trec.words import verb
from pooling.models.pools import Pool

# How many topics a sentence names.
NAMED = 40


def assignments_of(membership: Membership) -> AssignmentQuerySet:
    """Return what an assessor has now, shared topics too."""
    if membership.role != Role.ASSESSOR:
        return Assignment.objects.none()
    rows = Assignment.objects.in_campaign(membership.campaign).live()
    return rows.filter(assessor=membership.user)


def takers_of(membership: Membership) -> Takers:
    """Return who can take over none of a member's topics, and what to know of the others."""
    campaign, assignments = membership.campaign, list(assignments_of(membership).filter(queue=None))
    if not assignments:
        return Takers({}, {})
    refusals = _why_not(assessors_of(campaign), assignments)
    refused: dict[int, str] = {}
    notes = notes_about(people_of(campaign), sum(each.n_entries for each in assignments))
    for person in sorted(set().union(*refusals)):
        lost = [each for each, why in zip(assignments, refusals, strict=True) if person in why]
        if len(lost) == len(assignments):
            refused[person] = refusals[0][person]
        else:
            about = f"cannot take {listed(lost)}"
            notes[person] = "; ".join(filter(None, [about, notes.get(person, "")]))
    return Takers(refused, dict(sorted(notes.items())))


def lock_work(membership: Membership) -> None:
    """Lock an assessor's topics: assigning and judging come before or after the removal."""
    if membership.role != Role.ASSESSOR or not Pool.objects.of(membership.campaign):
        return
    lock_assigning(membership.campaign)
    list(assignments_of(membership).select_for_update(of=("self",), no_key=True))


def release_work(membership: Membership, successor: User | None) -> tuple[str, dict[str, Any]]:
    """Hand an assessor's locked topics over to a successor; what they cannot take waits.

    Return what became of them, in sentences, and details for the audit event.
    """
    rows = assignments_of(membership)
    own, shared = list(rows.filter(queue=None)), list(rows.exclude(queue=None))
    if not own and not shared:
        return "", {}
    left = [left_by(each) for each in (*own, *shared)]
    passed_on = _taken_by(successor, own) if successor else []
    waiting = [each for each in own if each not in passed_on]
    for each in (*shared, *waiting):
        leave(each)
    for each in passed_on:
        pass_on(each, cast("User", successor))
    sentences = [f"{successor} takes over {listed(passed_on)}."] if passed_on else []
    if unfinished := [each for each in waiting if not each.is_finished]:
        waits = f"{verb(len(unfinished), 'waits')} to be assigned."
        sentences.append(f"{listed(unfinished, 'Topic')} {waits}")
    return " ".join(sentences), {
        "topics": [_name(each) for each in (*own, *shared)],
        "successor": successor.username if successor else "",
        "passed_on": [_name(each) for each in passed_on],
        "left": left,
    }


def _taken_by(successor: User, assignments: Sequence[Assignment]) -> list[Assignment]:
    refusals = _why_not([successor], assignments)
    pairs = zip(assignments, refusals, strict=True)
    return [each for each, why_not in pairs if successor.pk not in why_not]


def _why_not(people: Any, assignments: Sequence[Assignment]) -> list[dict[int, str]]:
    return why_not_of_each(people, [Work(each.topic, each) for each in assignments])


def listed(assignments: Sequence[Assignment], noun: str = "topic") -> str:
    """Return these topics in words, as in "topics 1 (primary) and 4 (second)"."""
    names = [_name(each) for each in assignments]
    if len(names) > NAMED:
        names[NAMED:] = [f"{len(names) - NAMED:,} more"]
    return f"{noun}{'s' if len(names) > 1 else ''} {get_text_list(names, 'and')}"


def _name(assignment: Assignment) -> str:
    return f"{assignment.topic} ({assignment.kind})"
