"""Shared topics on pages: how many judgments the documents have, and who gives them."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count

from assess.access.sharing import MOST_WANTED
from assess.core.pace import Likely
from assess.core.sharing import Prospect, prospect
from assess.models.assigning import Assignment
from assess.models.pacing import shared_pace
from assess.models.serving import AssignmentEntry
from assess.models.sharing import SharedQueue, tallies_of
from campaigns.access.roles import is_judging_over
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Figure, Sorting
from cleverdon.trec.words import counted

# How many numbers of judgments on either side of the present one are shown.
NEAR = 3


QUEUES = Sorting(
    "queues",
    topic=Cell(lambda each: each.queue.topic.number),
    judgments_each=Figure(lambda each: each.queue.n_wanted),
    settled=Cell(lambda each: each.prospect.share),
    assessors=Figure(lambda each: each.n_people),
)
MEMBERS = Sorting(
    "members",
    assessor=Cell(lambda row: row[0].assessor),
    judged=Figure(lambda row: row[0].n_judged),
    cannot_be_judged=Figure(lambda row: row[0].n_cannot_judge),
    lent_now=Figure(lambda row: row[1]),
)


class Queue(NamedTuple):
    queue: SharedQueue
    prospect: Prospect
    n_people: int

    @property
    def lacks_people(self) -> bool:
        return self.prospect.n_open > 0 and self.n_people < self.queue.n_wanted


def queues_of(campaign: Campaign) -> list[Queue]:
    rows = SharedQueue.objects.filter(topic__campaign=campaign).select_related("topic")
    live = Assignment.objects.live().filter(queue__in=rows).order_by()
    people = dict(live.values_list("queue").annotate(n=Count("pk")))
    found = prospects_of(campaign)
    return [
        Queue(each, found.get(each.pk, Prospect()), people.get(each.pk, 0))
        for each in rows.order_by("topic")
    ]


def prospects_of(campaign: Campaign) -> dict[int, Prospect]:
    """Return how far the documents of each shared topic are, by its queue's id."""
    queues = SharedQueue.objects.filter(topic__campaign=campaign)
    found = tallies_of(queues.values_list("pk", flat=True))
    return {queue: prospect(tallies) for queue, tallies in found.items()}


class Outcomes(NamedTuple):
    """How far a shared topic is, when it is likely done, and what other numbers would mean."""

    now: Prospect
    likely: Likely | None
    others: list[Prospect]


def outcomes_of(queue: SharedQueue, now: datetime) -> Outcomes:
    """Return how far a shared topic is, and what the nearest possible numbers would mean."""
    tallies = tallies_of([queue.pk])[queue.pk]
    here = prospect(tallies)
    campaign = queue.topic.campaign
    today = campaign.day_of(now)
    pace = shared_pace(campaign, now, [queue.pk])
    likely = (
        None if here.n_stuck or is_judging_over(campaign) else pace.likely(here.n_lacking, today)
    )
    most = min(Assignment.objects.who_give(queue).count(), MOST_WANTED)
    numbers = range(max(queue.n_wanted - NEAR, 1), min(queue.n_wanted + NEAR, most) + 1)
    others = [prospect(tallies, n) for n in numbers]
    return Outcomes(here, likely, others if len(others) > 1 else [])


def why_stuck(queue: SharedQueue, now: Prospect, n_people: int) -> str:
    """Say why documents cannot get their judgments; "" if they can."""
    if n_people < queue.n_wanted and now.n_open:
        people = counted(n_people, "assessor")
        wanted = counted(queue.n_wanted, "judgment")
        return f"{people} cannot give {wanted}: add somebody, or ask for fewer."
    if not now.n_stuck:
        return ""
    its, them = ("its", "it") if now.n_stuck == 1 else ("their", "them")
    why = f"too few of the group have not had {them} yet"
    if now.n_had_by_all == now.n_stuck:
        why = f"everybody in the group has had {them}"
    documents = counted(now.n_stuck, "document")
    return f"{documents} cannot get {its} judgments: {why}. Add somebody, or ask for fewer."


def steps_of(queue: SharedQueue) -> list[tuple[int, int]]:
    """Return how many documents have each number of judgments."""
    found = queue.documents.all().n_by_judgments()
    most = max([queue.n_wanted, *found])
    return [(n, found.get(n, 0)) for n in range(most + 1)]


def members_of(queue: SharedQueue, now: datetime) -> list[tuple[Assignment, int]]:
    """Return who judges a shared topic, or has, and how many documents each is lent now.

    Present members come first.
    """
    its = Assignment.objects.filter(queue=queue).select_related("assessor").with_reopened()
    live = AssignmentEntry.objects.counting().filter(assignment__queue=queue, leased_until__gt=now)
    rows = live.order_by().values_list("assignment")
    lent = dict(rows.annotate(n=Count("pk")))
    present_first = sorted(its, key=lambda each: (bool(each.taken_back_at), str(each.assessor)))
    return [(each, lent.get(each.pk, 0)) for each in present_first]
