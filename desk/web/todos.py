"""What needs an organizer now: questions, topics without assessors, documents out of reach, people who stand still or will be late."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse
from django.utils.text import get_text_list

from assess.access.judging import what_waits
from assess.core.pace import DAY
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from assess.models.pacing import who_judged
from campaigns.models.campaign import Campaign
from desk.core.outlook import NAMED
from desk.core.replaced import on_replaced
from desk.web.workload import Person, Work
from practice.models import PracticeDocument
from questions.models.questions import Question
from trec.words import counted, verb

# Whoever has something to judge and has not judged for so many days has stopped judging.
STILL_DAYS = 5
TOO_FEW_HAVE_NOT = "Too few of the group have not had them yet."


class Todo(NamedTuple):
    """Something that needs an organizer: what is so, why, and the button for it."""

    title: str
    why: str
    button: str
    at: str
    other: tuple[str, str] = ("", "")  # what else can be done, and where


def todos_of(campaign: Campaign, work: Work, now: datetime) -> list[Todo]:
    """Return what needs an organizer now, with its button."""
    found: list[Todo] = []
    if campaign.archived_at:
        return found
    if n_asked := Question.objects.n_open([campaign]).get(campaign.pk, 0):
        found.append(
            Todo(
                questions_wait(n_asked),
                "The assessor may be waiting with the document on the screen.",
                "Answer…",
                reverse("questions:questions", args=[campaign.slug]),
            )
        )
    if n_without := work.n_without:
        found.append(
            Todo(
                f"{counted(n_without, 'topic')} {verb(n_without, 'has')} no assessor",
                "Nobody judges it as primary assessor."
                if n_without == 1
                else "Nobody judges them as primary assessor.",
                "Assign topics…",
                reverse("assess:distribute", args=[campaign.slug]),
            )
        )
    if not what_waits(campaign):
        found += _stuck(campaign, work.n_stuck)
        found += _standing_still(campaign, work.people, now) + _too_late(campaign, work.people)
    return found


def todos_on_replaced(campaign: Campaign) -> list[Todo]:
    """Return what rests on replaced texts; the overview has it from the campaign's facts."""
    if campaign.archived_at:
        return []
    found = on_replaced(
        Judgment.objects.on_earlier().filter(topic__campaign=campaign).count(),
        KnownGrade.objects.of(campaign).on_earlier().count(),
        PracticeDocument.objects.filter(practice__campaign=campaign).to_be_confirmed().count(),
    )
    return [
        Todo(each.title, each.why, each.button, reverse(each.view, args=[campaign.slug]))
        for each in found
    ]


def questions_wait(n: int) -> str:
    return f"{counted(n, 'question')} from assessors {verb(n, 'waits')}"


def _stuck(campaign: Campaign, n_by_queue: Mapping[int, int]) -> list[Todo]:
    queues = [queue for queue, n in n_by_queue.items() if n]
    if not queues:
        return []
    n = sum(n_by_queue.values())
    there = reverse("desk:judging", args=[campaign.slug])
    if len(queues) == 1:
        there = reverse("assess:shared", args=[campaign.slug, queues[0]])
    return [
        Todo(
            f"{counted(n, 'document')} of {'a shared topic' if len(queues) == 1 else counted(len(queues), 'shared topic')} cannot get {'its' if n == 1 else 'their'} judgments",
            TOO_FEW_HAVE_NOT,
            "Add somebody…" if len(queues) == 1 else "See which",
            f"{there}#{'join-title' if len(queues) == 1 else 'queues-title'}",
        )
    ]


def _standing_still(campaign: Campaign, people: Sequence[Person], now: datetime) -> list[Todo]:
    still = [each for each in people if each.idle_days(now) >= STILL_DAYS]
    still.sort(key=lambda each: -each.n_left)
    there = reverse("desk:judging", args=[campaign.slug])
    found = [
        Todo(
            f"{each.user} has stopped judging"
            if each.pace.last_at
            else f"{each.user} has not started",
            f"No judgment for {counted(each.idle_days(now), 'day')}; {counted(each.n_left, 'document')} {verb(each.n_left, 'waits')}.",
            "See the topics",
            f"{there}?{urlencode({'who': each.user.username})}#who-title",
        )
        for each in still[:NAMED]
    ]
    if n_more := len(still) - NAMED if len(still) > NAMED else 0:
        others = counted(n_more, "other assessor")
        found.append(
            Todo(
                f"{others} {verb(n_more, 'stands')} still",
                "The table of assessors shows since when.",
                "See who",
                "#people-title",
            )
        )
    return found


def n_standing_still(campaigns: Iterable[Campaign], now: datetime) -> Counter[int]:
    """Return how many assessors have stopped judging in each of these campaigns, by its id: those whom its own page names."""
    open_now = [each for each in campaigns if not each.archived_at and not what_waits(each)]
    since = now - STILL_DAYS * DAY
    waiting = Assignment.objects.dealt().live().unfinished().filter(topic__campaign__in=open_now)
    of_whom = waiting.order_by().values_list("topic__campaign", "assessor")
    people = of_whom.annotate(last=Max("given_at")).filter(last__lte=since)
    idle = {(campaign, assessor) for campaign, assessor, _ in people}
    idle -= who_judged(since, idle)
    return Counter(campaign for campaign, _ in idle)


def _too_late(campaign: Campaign, people: Sequence[Person]) -> list[Todo]:
    late = [each for each in people if each.n_days_late]
    late.sort(key=lambda each: -each.n_days_late)
    if not late:
        return []
    names = [str(each.user) for each in late[:NAMED]]
    if len(late) > NAMED:
        names.append(counted(len(late) - NAMED, "other"))
    who = get_text_list(names, "and")
    days = counted(late[0].n_days_late, "day")
    title = f"{who} will miss the deadline"
    why = f"At the pace of the last seven days, by up to {days}."
    judging = reverse("desk:judging", args=[campaign.slug])
    theirs = urlencode({"who": late[0].user.username})
    dates = reverse("campaigns:settings_of", args=[campaign.slug, "dates"])
    return [
        Todo(
            title,
            why,
            "Give topics to others…",
            f"{judging}?{theirs}#who-title",
            ("Change the date…", dates),
        )
    ]
