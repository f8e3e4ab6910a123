"""What needs an organizer now: open questions, topics without assessors, idle or late people."""

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
from desk.web.workload import AssessorWork, EverybodysWork
from practice.models import PracticeDocument
from questions.models.questions import Question
from trec.words import counted, verb

# After so many days without a judgment an assessor with documents left has stopped judging.
STILL_DAYS = 5
TOO_FEW_HAVE_NOT = "Too few of the group have not had them yet."


class Todo(NamedTuple):
    """Something that needs an organizer, why, and the button for it."""

    title: str
    why: str
    button: str
    at: str
    other: tuple[str, str] = ("", "")  # what else can be done, and where


def todos_of(campaign: Campaign, work: EverybodysWork, now: datetime) -> list[Todo]:
    """Return what needs an organizer now."""
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
                "The primary assessor's grades are the official ones.",
                "Assign topics…",
                reverse("assess:distribute", args=[campaign.slug]),
            )
        )
    if not what_waits(campaign):
        found += _stuck(campaign, work.n_stuck)
        found += _standing_still(campaign, work.people, now) + _too_late(campaign, work.people)
    return found


def todos_on_replaced(campaign: Campaign) -> list[Todo]:
    """Return what rests on replaced texts; the overview has its numbers from elsewhere."""
    if campaign.archived_at:
        return []
    rows = on_replaced(
        Judgment.objects.on_earlier().filter(topic__campaign=campaign).count(),
        KnownGrade.objects.of(campaign).on_earlier().count(),
        PracticeDocument.objects.filter(practice__campaign=campaign).to_be_confirmed().count(),
    )
    return [
        Todo(each.title, each.why, each.button, reverse(each.view, args=[campaign.slug]))
        for each in rows
    ]


def questions_wait(n: int) -> str:
    return f"{counted(n, 'question')} from assessors {verb(n, 'waits')}"


def _stuck(campaign: Campaign, n_by_queue: Mapping[int, int]) -> list[Todo]:
    queues = [queue for queue, n in n_by_queue.items() if n]
    if not queues:
        return []
    n = sum(n_by_queue.values())
    documents, its = counted(n, "document"), "its" if n == 1 else "their"
    if len(queues) == 1:
        topics, button = "a shared topic", "Add somebody…"
        at = reverse("assess:shared", args=[campaign.slug, queues[0]]) + "#join-title"
    else:
        topics, button = counted(len(queues), "shared topic"), "See which"
        at = reverse("desk:judging", args=[campaign.slug]) + "#queues-title"
    title = f"{documents} of {topics} cannot get {its} judgments"
    return [Todo(title, TOO_FEW_HAVE_NOT, button, at)]


def _standing_still(
    campaign: Campaign, people: Sequence[AssessorWork], now: datetime
) -> list[Todo]:
    still = [each for each in people if each.idle_days(now) >= STILL_DAYS]
    still.sort(key=lambda each: -each.n_left)
    found = [
        Todo(
            f"{each.user} {'has stopped judging' if each.pace.last_at else 'has not started'}",
            f"No judgment for {counted(each.idle_days(now), 'day')}; "
            f"{counted(each.n_left, 'document')} {verb(each.n_left, 'waits')}.",
            "See the topics",
            _topics_of(campaign, each),
        )
        for each in still[:NAMED]
    ]
    if (n_more := len(still) - NAMED) > 0:
        title = f"{counted(n_more, 'other assessor')} {verb(n_more, 'stands')} still"
        why = "The table of assessors shows since when."
        found.append(Todo(title, why, "See who", "#people-title"))
    return found


def _topics_of(campaign: Campaign, person: AssessorWork) -> str:
    """Return the address of somebody's assignments."""
    judging = reverse("desk:judging", args=[campaign.slug])
    return f"{judging}?{urlencode({'who': person.user.username})}#who-title"


def n_standing_still(campaigns: Iterable[Campaign], now: datetime) -> Counter[int]:
    """Return by campaign how many assessors have stopped judging, as its own page says."""
    open_now = [each for each in campaigns if not each.archived_at and not what_waits(each)]
    since = now - STILL_DAYS * DAY
    waiting = Assignment.objects.dealt().live().unfinished().filter(topic__campaign__in=open_now)
    of_whom = waiting.order_by().values_list("topic__campaign", "assessor")
    people = of_whom.annotate(last=Max("given_at")).filter(last__lte=since)
    idle = {(campaign, assessor) for campaign, assessor, _ in people}
    idle -= who_judged(since, idle)
    return Counter(campaign for campaign, _ in idle)


def _too_late(campaign: Campaign, people: Sequence[AssessorWork]) -> list[Todo]:
    late = [each for each in people if each.n_days_late]
    late.sort(key=lambda each: -each.n_days_late)
    if not late:
        return []
    names = [str(each.user) for each in late[:NAMED]]
    if len(late) > NAMED:
        names.append(counted(len(late) - NAMED, "other"))
    days = counted(late[0].n_days_late, "day")
    dates = reverse("campaigns:settings_of", args=[campaign.slug, "dates"])
    return [
        Todo(
            f"{get_text_list(names, 'and')} will miss the deadline",
            f"At the pace of the last seven days, by up to {days}.",
            "Give topics to others…",
            _topics_of(campaign, late[0]),
            ("Change the date…", dates),
        )
    ]
