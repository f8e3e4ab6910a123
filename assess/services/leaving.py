"""What becomes of an assessor's work when they are removed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import inf

from django.utils.text import get_text_list

from accounts.models import User
from assess.assignments import lock_assigning, pass_on
from assess.core.plan import Person
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.judging import Judgment
from assess.planning import OF_A_TEAM, Takers, people_of, takers_of_each
from assess.services.handover import leave, left_by
from campaigns.from_above import Holding, Piece, Released, Successors
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from pooling.models import Pool
from trec.words import counted, verb

# Topics that a sentence names.
NAMED = 40


def find_work(membership: Membership) -> list[Holding]:
    """Return the topics that an assessor has, and the judgments that they have given."""
    if membership.role != Role.ASSESSOR:
        return []
    holdings = []
    if held := list(_held(membership).dealt()):
        holdings.append(_topics(membership.campaign, held))
    if shared := _held(membership).exclude(queue=None).count():
        outcome = f"The rest of {'the group goes' if shared == 1 else 'each group goes'} on, and can have what {membership.user} was lent. If they come back, add them again on the shared topic's page."
        holdings.append(Holding(counted(shared, "shared topic"), outcome))
    given = Judgment.objects.current().filter(topic__campaign=membership.campaign)
    n = given.filter(assessor=membership.user).count()
    if n:
        outcome = f"They stay {membership.user}'s and go on counting, unless you set them aside on the topic's page."
        holdings.append(Holding(counted(n, "judgment"), outcome))
    return holdings


def _topics(campaign: Campaign, held: Sequence[Assignment]) -> Holding:
    """Return the topics with who could take over each, and how many of them."""
    takers = takers_of_each(campaign, held)
    n_open = sum(each.n_open for each in held)
    n_finished = sum(not each.n_open for each in held)
    what = f"{counted(len(held), 'topic')}, {counted(n_open, 'document')} open"
    if n_finished:
        what += f" ({n_finished:,} finished)"
    pieces = [
        Piece(
            each.pk,
            f"Topic {_name(each)}",
            f"{each.n_open:,} of {counted(each.n_entries, 'document')} open",
            *found,
        )
        for each, found in zip(held, takers, strict=True)
    ]
    refused, notes = _of_all(held, takers, people_of(campaign))
    outcome = "You choose who takes them over."
    return Holding(what, outcome, pieces, refused, notes)


def _of_all(
    held: Sequence[Assignment], takers: Sequence[Takers], people: Sequence[Person]
) -> Takers:
    """Tell of each assessor how much of all this they could not take, and whether they are of a team with a run in the pool."""
    n_held, refused, notes = len(held), {}, {}
    for person in people:
        whys = [each.refused[person.id] for each in takers if person.id in each.refused]
        n_left = len(whys) + len(_without_room(held, takers, person.id, _room(person)))
        if n_left == n_held:
            refused[person.id] = (whys or [takers[0].notes[person.id]])[0]
            continue
        said = [OF_A_TEAM] if person.is_in_conflict else []
        if n_left:
            said.append(f"cannot take {n_left:,} of {counted(n_held, 'topic')}")
        if said:
            notes[person.id] = "; ".join(said)
    return Takers(refused, notes)


def _room(person: Person) -> float:
    """Return how many documents more somebody takes."""
    return inf if person.limit is None else person.limit - person.n_documents


def _without_room(
    held: Sequence[Assignment], takers: Sequence[Takers], person: int, room: float
) -> set[int]:
    """Return which of these somebody has no room for, those with something left to judge coming first."""
    without = set()
    pairs = zip(held, takers, strict=True)
    for each, found in sorted(pairs, key=lambda pair: not pair[0].n_open):
        if person in found.refused:
            continue
        if each.n_entries > room:
            without.add(each.pk)
        else:
            room -= each.n_entries
    return without


def lock_work(membership: Membership) -> None:
    """Keep an assessor's topics as they are. Whoever assigns one at this moment comes before or after, and so does a judgment."""
    if membership.role != Role.ASSESSOR or not Pool.objects.frozen_of(membership.campaign):
        return
    lock_assigning(membership.campaign)
    list(_held(membership).select_for_update(of=("self",), no_key=True))


def release_work(membership: Membership, successors: Successors) -> Released:
    """Hand an assessor's topics over to their successors, locked; what has none, or one who cannot take it, is taken back."""
    if membership.role != Role.ASSESSOR:
        return Released()
    held, shared = list(_held(membership).dealt()), list(_held(membership).exclude(queue=None))
    if not held and not shared:
        return Released()
    left = [left_by(each) for each in (*held, *shared)]
    for each in shared:
        leave(each)
    why_not = _why_not(membership.campaign, held, successors)
    given: dict[User, list[Assignment]] = defaultdict(list)
    waiting: dict[str, list[Assignment]] = defaultdict(list)
    for each in held:
        successor = successors.of(each.pk)
        if successor is None or each.pk in why_not:
            leave(each)
            waiting[why_not.get(each.pk, "")].append(each)
        else:
            pass_on(each, successor)
            given[successor].append(each)
    detail = {
        "topics": [_name(each) for each in (*held, *shared)],
        "successors": {
            successor.username: [_name(each) for each in theirs]
            for successor, theirs in given.items()
        },
        "left": left,
    }
    return Released(_outcome(given, waiting), detail)


def _why_not(
    campaign: Campaign, held: Sequence[Assignment], successors: Successors
) -> dict[int, str]:
    """Return by assignment why its successor cannot take it. Whoever gets all gets no more than their limit; one chosen for a topic may."""
    takers = takers_of_each(campaign, held)
    rooms = {person.id: _room(person) for person in people_of(campaign)}
    reasons = {}
    chosen: Counter[int] = Counter()
    for each, found in zip(held, takers, strict=True):
        successor = successors.of(each.pk)
        if successor and successor.pk not in rooms:
            reasons[each.pk] = f"{successor} is not an assessor of {campaign}"
        elif successor and successor.pk in found.refused:
            reasons[each.pk] = f"{successor} {found.refused[successor.pk]}"
        elif successor and each.pk in successors.of_pieces:
            chosen[successor.pk] += each.n_entries
    everybodys = successors.of_all
    if everybodys and everybodys.pk in rooms:
        rest = [
            (each, found)
            for each, found in zip(held, takers, strict=True)
            if each.pk not in successors.of_pieces
        ]
        room = rooms[everybodys.pk] - chosen[everybodys.pk]
        for pk in _without_room(
            [each for each, _ in rest], [found for _, found in rest], everybodys.pk, room
        ):
            reasons[pk] = f"{everybodys} would have more than their limit"
    return reasons


def _outcome(
    given: Mapping[User, Sequence[Assignment]], waiting: Mapping[str, Sequence[Assignment]]
) -> str:
    """Return in words who takes over what, and what waits, and why."""
    sentences = [
        f"{successor} takes over {_listed(theirs)}." for successor, theirs in given.items()
    ]
    for why, topics in waiting.items():
        waits = f"{_listed(topics)} {verb(len(topics), 'waits')} to be assigned"
        reason = f", as {why}" if why else ""
        sentences.append(f"{waits[0].upper()}{waits[1:]}{reason}.")
    return " ".join(sentences)


def _listed(assignments: Sequence[Assignment]) -> str:
    names = [_name(each) for each in assignments]
    if len(names) > NAMED:
        names[NAMED:] = [f"{len(names) - NAMED:,} more"]
    return f"topic{'s' if len(names) > 1 else ''} {get_text_list(names, 'and')}"


def _name(assignment: Assignment) -> str:
    return f"{assignment.topic} ({assignment.kind})"


def _held(membership: Membership) -> AssignmentQuerySet:
    rows = Assignment.objects.in_campaign(membership.campaign).live()
    return rows.filter(assessor=membership.user)
