"""What organizers see of shared topics: how many judgments the documents have, and who gives them."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Q

from assess.models import Assignment, AssignmentEntry, SharedQueue
from assess.models.sharing import IS_SETTLED
from campaigns.models import Campaign

if TYPE_CHECKING:
    from collections.abc import Iterable


class Queue(NamedTuple):
    """A shared topic in the list of them."""

    queue: SharedQueue
    n_documents: int
    n_settled: int
    n_people: int

    @property
    def lacks_people(self) -> bool:
        return self.n_settled < self.n_documents and self.n_people < self.queue.n_wanted


class Member(NamedTuple):
    """Somebody of the group, and how many documents they are lent now."""

    assignment: Assignment
    n_lent: int


class Step(NamedTuple):
    """How many documents have so many judgments."""

    n_judgments: int
    n_documents: int


def queues_of(campaign: Campaign) -> list[Queue]:
    """Return the shared topics in their order."""
    rows = SharedQueue.objects.filter(topic__campaign=campaign).select_related("topic")
    counted = rows.annotate(
        n=Count("documents"), n_settled=Count("documents", filter=_settled())
    )
    live = Assignment.objects.live().filter(queue__in=rows).order_by()
    people = dict(live.values_list("queue").annotate(n=Count("pk")))
    return [
        Queue(each, each.n, each.n_settled, people.get(each.pk, 0))
        for each in counted.order_by("topic")
    ]


def _settled() -> Q:
    return Q(documents__n_judged__gte=F("documents__n_wanted")) | Q(
        documents__n_impossible__gte=F("documents__n_wanted")
    )


def steps_of(queue: SharedQueue) -> list[Step]:
    """Return how many documents have how many judgments, from none to all."""
    found = queue.documents.all().n_by_judgments()
    most = max([queue.n_wanted, *found])
    return [Step(n, found.get(n, 0)) for n in range(most + 1)]


def members_of(queue: SharedQueue, now: datetime) -> list[Member]:
    """Return who judges a shared topic, or has; those who still do first."""
    its: Iterable[Assignment] = Assignment.objects.filter(queue=queue).select_related("assessor").with_reopened()  # fmt: skip
    live = AssignmentEntry.objects.filter(assignment__queue=queue, leased_until__gt=now)
    rows = live.order_by().values_list("assignment")
    lent = dict(rows.annotate(n=Count("pk")))
    found = [Member(each, lent.get(each.pk, 0)) for each in its]
    return sorted(found, key=lambda each: (each.assignment.taken_back_at is not None, str(each.assignment.assessor)))  # fmt: skip


def n_settled(queue: SharedQueue) -> int:
    return queue.documents.filter(IS_SETTLED).count()
