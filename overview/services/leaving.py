"""Remove a member: what they have, and what becomes of it."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from accounts.access import check_seen
from accounts.models import User
from assess.models.judging import Judgment
from assess.planning import Takers
from assess.services.leaving import assignments_of, listed, lock_work, release_work, takers_of_all
from campaigns.access.people import check_can_remove, removals
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, InvitationQuerySet, InvitationUse, Membership, Role
from campaigns.models.trail import AuditEvent
from practice.models import Practice, answers_of
from runs.models import Run
from trec.versions import version
from trec.words import counted


class Holding(NamedTuple):
    """Something that a member has, and what becomes of it when they are removed."""

    what: str
    outcome: str


@in_campaign
def remove_member(
    *, user: User, membership: Membership, successor: User | None = None, seen: str | None = None
) -> str:
    """Remove a member and return what became of their work.

    What a successor can take over goes to them, the rest waits to be assigned. What the member has
    done stays theirs, also if they are invited again. The links by which they came are withdrawn,
    and those that they made as an organizer. `seen` is `seen_of` them.
    """
    links = _links_of(membership)
    list(links.select_for_update(no_key=True).order_by("pk"))
    # Organizers who remove each other do so one after the other: the second finds nothing to do.
    Membership.objects.locked(membership.campaign, Role.ORGANIZER)
    check_can_remove(user, membership)
    lock_work(membership)
    check_seen(seen, seen_of(membership), f"What {membership.user} has, listed below,")
    outcome, detail = release_work(membership, successor)
    AuditEvent.record(
        membership.campaign,
        user,
        CampaignEvent.MEMBER_REMOVED,
        f"{membership.user}, {membership.role}",
        user=membership.user_id,
        membership=membership.pk,
        role=membership.role,
        outcome=outcome,
        **detail,
    )
    _links_of(membership).update(withdrawn_at=timezone.now())
    membership.delete()
    return outcome


def seen_of(membership: Membership) -> str:
    """Return the version of all that the page says of what a member has."""
    return version(*holdings_of(membership), takers_of(membership))


def takers_of(membership: Membership) -> Takers:
    """Return who can take over none of a member's topics, and what to know of the others."""
    return takers_of_all(membership.campaign, list(assignments_of(membership).dealt()))


def holdings_of(membership: Membership) -> list[Holding]:
    of_role = {Role.ASSESSOR: _judging, Role.PARTICIPANT: _runs}.get(Role(membership.role))
    return [*_open_links(membership), *(of_role(membership) if of_role else ())]


def how_removed(campaign: Campaign, membership_id: int) -> str:
    """Return who removed a member, and who took over their work."""
    removed = removals(campaign, membership=membership_id)
    event = removed.select_related("actor").first()
    if event is None:
        return "This person has been removed already."
    outcome = event.detail["outcome"]
    return f"{event.subject} has already been removed by {event.actor}. {outcome}".strip()


def _links_of(membership: Membership) -> InvitationQuerySet:
    """Return the links to withdraw with a member: those they joined by, and an organizer's own."""
    joined_by = InvitationUse.objects.filter(user=membership.user).values("invitation")
    links = Q(pk__in=joined_by, role=membership.role)
    if membership.role == Role.ORGANIZER:
        links |= Q(created_by=membership.user)
    return Invitation.objects.filter(links, campaign=membership.campaign, withdrawn_at=None)


def _open_links(membership: Membership) -> Iterator[Holding]:
    links = _links_of(membership)
    n_made = links.filter(created_by=membership.user).n_open()
    n_others = links.exclude(created_by=membership.user).n_open()
    for n, whose in ((n_made, "made"), (n_others, "by which they joined")):
        if n:
            yield Holding(
                f"{counted(n, 'open link')} {whose}",
                f"Nobody can join by {'it' if n == 1 else 'them'} any more.",
            )


def _judging(membership: Membership) -> Iterator[Holding]:
    """Yield an assessor's topics, judgments and practice answers."""
    campaign, user, rows = membership.campaign, membership.user, assignments_of(membership)
    if own := list(rows.dealt()):
        n_open = sum(each.n_open for each in own)
        what = f"{counted(len(own), 'topic')}, {counted(n_open, 'document')} open"
        yield Holding(what, f"You choose who takes over {listed(own)}.")
    if n := rows.exclude(queue=None).count():
        rest = f"The rest of {'the group goes' if n == 1 else 'each group goes'} on"
        back = "If they come back, add them again on the shared topic's page."
        outcome = f"{rest}, and can have what {user} was lent. {back}"
        yield Holding(counted(n, "shared topic"), outcome)
    current = Judgment.objects.current().filter(topic__campaign=campaign, assessor=user)
    if n := current.count():
        outcome = f"They stay {user}'s and go on counting, unless you set them aside"
        yield Holding(counted(n, "judgment"), f"{outcome} on the topic's page.")
    if answers := answers_of(Practice.objects.of(campaign), [user.pk]):
        outcome = (
            f"They stay on the practice page, where {user} is marked as no longer an "
            "assessor. If they come back, they need not answer again."
        )
        yield Holding(counted(sum(map(len, answers.values())), "practice answer"), outcome)


def _runs(membership: Membership) -> Iterator[Holding]:
    runs = Run.objects.filter(campaign=membership.campaign, submitted_by=membership.user)
    if n := runs.filter(team=membership.team).count():
        yield Holding(f"{counted(n, 'run')} uploaded", f"They stay with team {membership.team}.")
