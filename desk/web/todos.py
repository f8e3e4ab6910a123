"""What needs an organizer now: open questions, topics without assessors, idle or late people."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse
from django.utils.text import get_text_list

from assess.access.judging import is_to_open, what_waits
from assess.core.pace import DAY, usual_pace
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from assess.models.pacing import who_judged
from campaigns.dates import Date
from campaigns.models.campaign import Campaign
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted, first_of, verb
from desk.core.needs import Need, on_replaced
from desk.core.outlook import NAMED
from desk.web.workload import AssessorWork, EverybodysWork
from questions.models import Question

# After so many days without a judgment an assessor with documents left has stopped judging.
STILL_DAYS = 5
# In so many days before the deadline everybody who has not begun is named.
LAST_DAYS = 3
TOO_FEW_HAVE_NOT = "Too few of the group have not had them yet."


def todos_of(campaign: Campaign, work: EverybodysWork, now: datetime) -> list[Need]:
    """Return what needs an organizer now."""
    found: list[Need] = []
    if campaign.archived_at:
        return found
    if n_asked := Question.objects.n_open([campaign]).get(campaign.pk, 0):
        why = "The assessor may be waiting with the document on the screen."
        found.append(Need(questions_wait(n_asked), why, "questions:questions", "Answer…"))
    if n_without := work.n_without:
        title = f"{counted(n_without, 'topic')} {verb(n_without, 'has')} no assessor"
        why = "The primary assessor's grades are the official ones."
        found.append(Need(title, why, "assess:distribute", "Assign topics…"))
    if not what_waits(campaign):
        found += _stuck(campaign, work.n_stuck)
        found += _taken_back(campaign)
        found += _standing_still(campaign, work.people, now) + _too_late(campaign, work.people)
        found += _not_begun(campaign, work.people, now)
    elif not is_to_open(campaign):
        found += _left_at_the_close(campaign, work)
    return found


def _left_at_the_close(campaign: Campaign, work: EverybodysWork) -> list[Need]:
    n_decided = work.done["n_official"] + work.done["n_impossible"]
    n = max(work.pool.n_entries - n_decided, 0) if work.pool else 0
    if not n:
        return []
    title = f"{counted(n, 'document')} {verb(n, 'was')} unjudged when judging closed"
    dates = reverse("campaigns:settings_of", args=[campaign.slug, "dates"])
    return [Need(title, "Nobody can judge any more.", "", "Change the date…", at=dates)]


# What waits for somebody else once it was taken back, and the page where it is given to them.
WAITING = {
    Assignment.Kind.SECOND: ("second opinion", "assess:distribute", "#waiting-title", "See which"),
    Assignment.Kind.ADJUDICATION: (
        "adjudication", "agreement:adjudication", "", "Ask somebody…",
    ),
}  # fmt: skip


def _taken_back(campaign: Campaign) -> Iterator[Need]:
    """Yield what was taken back and given to nobody since, second opinions say, with the topics."""
    rows = Assignment.objects.in_campaign(campaign)
    asked = rows.filter(kind=Assignment.Kind.ADJUDICATION, taken_back_at__isnull=False)
    found: dict[str, set[str]] = defaultdict(set)
    for waiting in (rows.waiting(), asked.unfinished()):
        for kind, number in waiting.values_list("kind", "topic__number"):
            found[kind].add(number)
    for kind, (what, view, part, act) in WAITING.items():
        if topics := sorted(found[kind], key=natural_key):
            n = len(topics)
            title = f"{counted(n, what)} {verb(n, 'waits')} for an assessor"
            why = f"Of topic{'' if n == 1 else 's'} {first_of(topics, NAMED)}."
            yield Need(title, why, "", act, at=reverse(view, args=[campaign.slug]) + part)


def todos_on_replaced(campaign: Campaign) -> list[Need]:
    """Return what rests on replaced texts; the overview has its numbers from elsewhere."""
    if campaign.archived_at:
        return []
    return on_replaced(
        Judgment.objects.counting().on_earlier().filter(topic__campaign=campaign).count(),
        KnownGrade.objects.controls_of(campaign).on_earlier().count(),
        KnownGrade.objects.of(campaign).to_practice_again().count(),
    )


def questions_wait(n: int) -> str:
    return f"{counted(n, 'question')} from assessors {verb(n, 'waits')}"


def _stuck(campaign: Campaign, n_by_queue: Mapping[int, int]) -> list[Need]:
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
    return [Need(title, TOO_FEW_HAVE_NOT, "", button, at=at)]


def _standing_still(
    campaign: Campaign, people: Sequence[AssessorWork], now: datetime
) -> list[Need]:
    still = [each for each in people if each.idle_days(now) >= STILL_DAYS]
    still.sort(key=lambda each: -each.n_left)
    found = [
        Need(
            f"{each.user} {'has stopped judging' if each.pace.last_at else 'has not started'}",
            f"No judgment for {counted(each.idle_days(now), 'day')}; "
            f"{counted(each.n_left, 'document')} {verb(each.n_left, 'waits')}.",
            "",
            "See the topics",
            at=_topics_of(campaign, each),
        )
        for each in still[:NAMED]
    ]
    if (n_more := len(still) - NAMED) > 0:
        title = f"{counted(n_more, 'other assessor')} {verb(n_more, 'stands')} still"
        why = "The table of assessors shows since when."
        found.append(Need(title, why, "", "See who", at="#people-title"))
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


def _not_begun(campaign: Campaign, people: Sequence[AssessorWork], now: datetime) -> list[Need]:
    """Return who has judged nothing, though at the usual pace their time would not suffice.

    In the last days everybody who has not begun; whoever stands still is named as such.
    """
    closes_at = campaign.judging_closes_at
    if closes_at is None:
        return []
    days, usual = (closes_at - now) / DAY, usual_pace([each.pace for each in people], now)
    late = [
        each
        for each in people
        if each.n_left and not each.pace.last_at and each.idle_days(now) < STILL_DAYS
        if days <= LAST_DAYS or (usual and each.n_left / usual > days)
    ]
    late.sort(key=lambda each: -each.n_left)
    left = Date("", closes_at, is_past=False).left
    return [
        Need(
            f"{each.user} has not started",
            f"{counted(each.n_left, 'document')}, {left} left.",
            "",
            "See the topics",
            at=_topics_of(campaign, each),
        )
        for each in late[:NAMED]
    ]


def _too_late(campaign: Campaign, people: Sequence[AssessorWork]) -> list[Need]:
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
        Need(
            f"{get_text_list(names, 'and')} will miss the deadline",
            f"At the pace of the last seven days, by up to {days}.",
            "",
            "Give topics to others…",
            at=_topics_of(campaign, late[0]),
            other=("Change the date…", dates),
        )
    ]
