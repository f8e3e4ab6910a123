"""A shared topic, and what its people are lent."""

from datetime import datetime, timedelta

from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.serving import AssignmentEntry
from assess.models.sharing import SharedQueue
from assess.services import sharing
from campaigns.models.campaign import Campaign
from tests import make
from tests.db.judging import answer


def shared(campaign, people, *, n_wanted=2, minutes=30, number="1") -> SharedQueue:
    [queue] = sharing.share(
        user=make.organizer_of(campaign),
        campaign=campaign,
        topics=[campaign.topic_set.get(number=number)],
        assessors=people,
        n_wanted=n_wanted,
        lease_minutes=minutes,
    )
    return queue


def one_topic(olga, pat, assessors, n: int) -> Campaign:
    """A campaign with a pool of one topic and this many documents."""
    docnos = [f"d{number:02}" for number in range(n)]
    people = {"assessors": assessors, "participants": {"A": [pat]}}
    campaign = make.campaign(olga, topics=["1"], docnos=docnos, **people)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=n)
    return campaign


def of(queue: SharedQueue, person) -> Assignment:
    return Assignment.objects.get(queue=queue, assessor=person)


def lent(assignment: Assignment) -> list[str]:
    """Lend what there is to the assessor; return what is open, in order."""
    sharing.lend(assessor=assignment.assessor, assignment=assignment)
    entries = assignment.entries.still_open().order_by("position")
    return list(entries.values_list("item__key", flat=True))


def judge_all(assignment: Assignment, grade: int) -> list[str]:
    """Judge whatever comes until nothing does."""
    order = []
    while lent(assignment) and (entry := assignment.entries.next_open()):
        answer(assignment, entry.docno, grade=grade)
        order.append(entry.docno)
    return order


def n_judged(queue: SharedQueue) -> dict[str, int]:
    return dict(queue.documents.order_by("item__key").values_list("item__key", "n_judged"))


def live(now: datetime | None = None):
    return AssignmentEntry.objects.filter(leased_until__gt=now or timezone.now())


class Clock:
    """A clock that is set on by hand."""

    def __init__(self, monkeypatch) -> None:
        self.ahead = timedelta()
        now = timezone.now
        monkeypatch.setattr(timezone, "now", lambda: now() + self.ahead)

    def on(self, minutes: float) -> None:
        self.ahead += timedelta(minutes=minutes)
