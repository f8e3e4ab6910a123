"""Pass on the topics of an assessor who is removed, or let them wait."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.urls import reverse
from django.utils.text import get_text_list

from accounts.models import User
from assess.access.assigning import Work, assessors_of, why_not_of_each
from assess.assignments import lock_assigning, pass_on
from assess.core.plan import Person
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.judging import Judgment
from assess.planning import OF_A_TEAM, people_of
from assess.services.handover import leave, left_by
from campaigns.from_above import Holding, Piece, Released
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from pooling.models.pools import Pool
from trec.words import counted, verb

# How many topics a sentence names.
NAMED = 40


def find_work(membership: Membership) -> list[Holding]:
    """Return the topics that an assessor has, and the judgments that they have given."""
    if membership.role != Role.ASSESSOR:
        return []
    holdings, user = [], membership.user
    if own := list(_assignments_of(membership).dealt()):
        holdings.append(_topics(membership.campaign, own))
    if n := _assignments_of(membership).exclude(queue=None).count():
        rest = f"The rest of {'the group goes' if n == 1 else 'each group goes'} on"
        back = "If they come back, add them again on the shared topic's page."
        outcome = f"{rest}, and can have what {user} was lent. {back}"
        holdings.append(Holding(counted(n, "shared topic"), outcome))
    current = Judgment.objects.current().filter(topic__campaign=membership.campaign)
    if n := current.filter(assessor=user).count():
        outcome = f"They stay {user}'s and go on counting, unless you set them aside"
        holdings.append(Holding(counted(n, "judgment"), f"{outcome} on the topic's page."))
    return holdings


def _topics(campaign: Campaign, assignments: Sequence[Assignment]) -> Holding:
    """Return the topics, and which of them each of the other assessors cannot take over."""
    n_open = sum(each.n_open for each in assignments)
    what = f"{counted(len(assignments), 'topic')}, {counted(n_open, 'document')} open"
    if n_finished := sum(not each.n_open for each in assignments):
        what += f" ({n_finished:,} finished)"
    pieces = [
        Piece(
            f"Topic {_name(each)}",
            f"{each.n_open:,} of {counted(each.n_entries, 'document')} open",
            reverse("desk:assignment", args=[campaign.slug, each.pk]),
        )
        for each in assignments
    ]
    outcome = "You choose who takes them over."
    return Holding(what, outcome, pieces, *_of_others(campaign, assignments))


def _of_others(
    campaign: Campaign, assignments: Sequence[Assignment]
) -> tuple[dict[int, str], dict[int, str], list[str]]:
    """Return `refused`, `notes` and `shortfalls` of a holding of these assignments."""
    refused, notes, shortfalls = {}, {}, []
    people = assessors_of(campaign).in_bulk()
    for person, reasons in _refusals(campaign, assignments):
        if len(reasons) == len(assignments):
            refused[person.id] = next(iter(reasons.values()))
            continue
        about = [OF_A_TEAM] if person.is_in_conflict else []
        if reasons:
            n = counted(len(assignments), "topic")
            about.append(f"cannot take {len(reasons):,} of {n}")
            groups = _by_reason(assignments, reasons).items()
            which = " ".join(f"{_listed(topics, 'Topic')}: {why}." for why, topics in groups)
            name = people.get(person.id, "Somebody")  # who has just left
            shortfalls.append(f"{name} {about[-1]}. {which}")
        if about:
            notes[person.id] = "; ".join(about)
    return refused, notes, shortfalls


def _refusals(
    campaign: Campaign, assignments: Sequence[Assignment]
) -> list[tuple[Person, dict[int, str]]]:
    """Return which of somebody's assignments each other assessor cannot take over, and why.

    Reasons are by id, as the end of a sentence. Where a limit leaves no room for all, those with
    something left to judge come first.
    """
    work = [Work(each.topic, each) for each in assignments]
    pairs = zip(assignments, why_not_of_each(assessors_of(campaign), work), strict=True)
    unfinished_first = sorted(pairs, key=lambda pair: not pair[0].n_open)
    others = [each for each in people_of(campaign) if each.id != assignments[0].assessor_id]
    return [(each, _reasons(each, unfinished_first)) for each in others]


def _reasons(
    person: Person, refused: Sequence[tuple[Assignment, Mapping[int, str]]]
) -> dict[int, str]:
    reasons = {}
    for assignment, why_not in refused:
        if person.id in why_not:
            reasons[assignment.pk] = why_not[person.id]
        elif person.has_room_for(assignment.n_entries):
            person = person.with_more(assignment.n_entries)
        else:
            reasons[assignment.pk] = f"would have more than their limit of {person.limit:,}"
    return reasons


def lock_work(membership: Membership) -> None:
    """Lock an assessor's topics: assigning and judging come before or after the removal."""
    if membership.role != Role.ASSESSOR or not Pool.objects.of(membership.campaign):
        return
    lock_assigning(membership.campaign)
    list(_assignments_of(membership).select_for_update(of=("self",), no_key=True))


def release_work(membership: Membership, successor: User | None) -> Released:
    """Hand an assessor's locked topics over to a successor; what they cannot take waits."""
    if membership.role != Role.ASSESSOR:
        return Released()
    rows = _assignments_of(membership)
    own, shared = list(rows.dealt()), list(rows.exclude(queue=None))
    if not own and not shared:
        return Released()
    left = [left_by(each) for each in (*own, *shared)]
    reasons = _why_not(membership.campaign, own, successor) if own else {}
    passed_on = [each for each in own if successor and each.pk not in reasons]
    waiting = [each for each in own if each not in passed_on]
    for each in (*shared, *waiting):
        leave(each)
    if successor:
        for each in passed_on:
            pass_on(each, successor)
    detail = {
        "topics": [_name(each) for each in (*own, *shared)],
        "successor": successor.username if successor else "",
        "passed_on": [_name(each) for each in passed_on],
        "left": left,
    }
    sentences = [f"{successor} takes over {_listed(passed_on)}."] if passed_on else []
    why_each = reasons or dict.fromkeys((each.pk for each in waiting), "")
    for why, topics in _by_reason(waiting, why_each).items():
        waits = f"{_listed(topics, 'Topic')} {verb(len(topics), 'waits')} to be assigned"
        sentences.append(f"{waits}, as {successor} {why}." if why else f"{waits}.")
    return Released(" ".join(sentences), detail)


def _why_not(
    campaign: Campaign, assignments: Sequence[Assignment], successor: User | None
) -> dict[int, str]:
    if successor is None:
        return {}
    for person, reasons in _refusals(campaign, assignments):
        if person.id == successor.pk:
            return reasons
    why = f"is not an assessor of {campaign}"
    return dict.fromkeys((each.pk for each in assignments), why)


def _by_reason(
    assignments: Sequence[Assignment], reasons: Mapping[int, str]
) -> dict[str, list[Assignment]]:
    """Group these assignments by reason, without those that have none."""
    groups: dict[str, list[Assignment]] = defaultdict(list)
    for each in assignments:
        if each.pk in reasons:
            groups[reasons[each.pk]].append(each)
    return groups


def _listed(assignments: Sequence[Assignment], noun: str = "topic") -> str:
    names = [_name(each) for each in assignments]
    if len(names) > NAMED:
        names[NAMED:] = [f"{len(names) - NAMED:,} more"]
    return f"{noun}{'s' if len(names) > 1 else ''} {get_text_list(names, 'and')}"


def _name(assignment: Assignment) -> str:
    return f"{assignment.topic} ({assignment.kind})"


def _assignments_of(membership: Membership) -> AssignmentQuerySet:
    rows = Assignment.objects.in_campaign(membership.campaign).live()
    return rows.filter(assessor=membership.user)
