"""The page *Judging*: an assessor's topics, and everybody's work for organizers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import quote, urlencode

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.access import can, why_not
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from assess.access.assigning import Assignments
from assess.access.judging import Judging, is_to_open, judging_is_open, what_waits, why_not_now
from assess.core.pace import ENOUGH, Pace, in_words
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.judging import Judgment
from assess.models.pacing import dwells, last_judged, paces
from assess.models.serving import BEFORE, AssignmentEntry, as_served
from assess.models.totals import SERVED
from assess.tasks import last_assigning
from assess.web.sharing_page import QUEUES, queues_of
from assess.web.sorting import ASSIGNMENTS
from assess.web.strips import Marks, marks_of
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People
from campaigns.access.roles import is_judging_over
from campaigns.models.campaign import Campaign
from campaigns.noun import Field, Noun
from campaigns.web.frame import attempt, guarded, is_viewed, listed, page, tabled
from campaigns.web.lists import csv_of
from cleverdon.trec.streams import storable
from desk.queue import more
from desk.web.drawing import own_days
from desk.web.todos import todos_of, todos_on_replaced
from desk.web.totals import totals_of
from desk.web.workload import assignment_figures, everybodys_work
from practice.web.page import offer_of
from questions.models import Question
from questions.web.question_page import asking_of


def inbox(
    user: User,
    campaign: Campaign,
    theirs: AssignmentQuerySet,
    shown: Sequence[Assignment],
    now: datetime,
) -> dict[str, Any]:
    """Return what the page shows of somebody's topics; `shown` are those on this page."""
    pace = paces(campaign, now, user, dwells(campaign, user)).get(user.pk, Pace())
    at, shown = last_judged(theirs, user), as_served(shown)
    marks = marks_of(AssignmentEntry.objects.all(), shown, blind=True)
    sizes = theirs.sizes(SERVED)
    topics = {each.pk: _topic(each, marks.get(each.pk, []), at, pace) for each in shown}
    # How much of a shared topic others will judge is not known, so it has no date.
    done_on = pace.done_on(sizes["n_own_left"], campaign.day_of(now))
    last, is_over = campaign.last_day_of_judging, is_judging_over(campaign)
    n_days_to_spare = (last - done_on).days if last and done_on else None
    going_on = _to_go_on_with(shown, at)
    return {
        "going_on": going_on and topics[going_on.pk],
        "my_topics": list(topics.values()),
        **sizes,
        "n_before": theirs.n_before(SERVED).get(user.pk, 0),
        "time_left": _time_for(pace, sizes["n_own_left"] or sizes["n_left"]),
        "pace": pace,
        "done_on": None if is_over else done_on,
        "n_days_to_spare": n_days_to_spare,
        "n_days_late": -min(n_days_to_spare or 0, 0),
        "n_enough": ENOUGH,
        "is_to_open": is_to_open(campaign),
        "is_over": is_over,
    }


def _topic(
    assignment: Assignment, marks: Marks, at: Mapping[int, datetime], pace: Pace
) -> dict[str, Any]:
    return {
        "assignment": assignment,
        "marks": marks,
        "n_before": Counter(marks)[BEFORE],
        "last_at": at.get(assignment.pk),
        "time_left": _time_for(pace, assignment.n_left),
    }


def _time_for(pace: Pace, n_documents: int) -> str:
    """Write how long these documents take; "" without a pace."""
    minutes = pace.dwell.minutes_for(n_documents)
    return "" if minutes is None else in_words(minutes)


def _to_go_on_with(shown: Sequence[Assignment], at: Mapping[int, datetime]) -> Assignment | None:
    """Return the unfinished topic that was judged last, or else the first of the list."""
    unfinished = [each for each in shown if not each.is_finished]
    judged = [each for each in unfinished if each.pk in at]
    if judged:
        return max(judged, key=lambda each: at[each.pk])
    return next(iter(unfinished), None)


# Fewer than elsewhere, as each row has a picture.
ASSIGNMENTS_PER_PAGE = 50


@signed_in
@require_safe
def judging(request: UserRequest, slug: str) -> HttpResponse:
    """Show assessors their topics, and organizers everybody's."""
    campaign = guarded(request, slug, Judging.see_topics_to_judge)
    now = timezone.now()
    _bring_disputes(request, campaign)
    live = Assignment.objects.in_campaign(campaign).live().with_left(SERVED).with_reopened(SERVED)
    theirs = live.filter(assessor=request.user).unfinished_first()
    mine = listed(request, theirs, name="mine")
    context: dict[str, Any] = {"mine": mine, "n_documents": 0, "n_left": 0}
    if mine.paginator.count:
        context |= inbox(request.user, campaign, theirs, list(mine), now)
        if any(context["pace"].days):
            context["days"] = own_days(context["pace"], now.astimezone(campaign.zone))
    else:
        given = Judgment.objects.served().current().filter(topic__campaign=campaign)
        context["n_given"] = given.filter(assessor=request.user).count()
    context["asking"] = asking_of(request.user, campaign)
    context["practice"] = offer_of(request.user, campaign)
    context["why_not_now"] = why_not_now(campaign, context["n_left"])
    if can(Campaigns.organize, request.user, campaign):
        context |= _everybodys(request, campaign, now)
    return page(request, "desk/judging.html", campaign, "judging", **context)


def _bring_disputes(request: UserRequest, campaign: Campaign) -> None:
    """Serve an adjudicator what came into dispute since they looked last."""
    if is_viewed(request) or why_not(judging_is_open, request.user, campaign):
        return
    rows = Assignment.objects.filter(kind=Assignment.Kind.ADJUDICATION, assessor=request.user)
    for each in rows.live().filter(topic__campaign=campaign).select_related("topic__campaign"):
        attempt(more, assessor=request.user, assignment=each)


def _everybodys(request: UserRequest, campaign: Campaign, now: datetime) -> dict[str, Any]:
    """Return what organizers see: everybody's work, and the assignments, filtered."""
    words = storable(request.GET.get("q", ""))[:100]
    progress = request.GET.get("progress", "")
    everything = Assignment.objects.in_campaign(campaign).on_record()
    who = storable(request.GET.get("who", ""))[:150]
    theirs = User.objects.filter(assignment__topic__campaign=campaign)
    person = theirs.filter(username=who).first() if who else None
    matching = everything.matching(words, "")
    if person:
        matching = matching.filter(assessor=person)
    by_progress = matching.n_by_progress()
    shown = matching.matching("", progress).with_reopened().with_left()
    assignments = listed(request, shown, ASSIGNMENTS, per_page=ASSIGNMENTS_PER_PAGE)
    work = everybodys_work(campaign, now)
    narrowing = {"q": words, **({"who": person.username} if person else {})}
    return {
        **work._asdict(),
        "totals": totals_of(request, work.people),
        "todos": [*todos_of(campaign, work, now), *todos_on_replaced(campaign)],
        "job": last_assigning(campaign),
        "why_not_assign": why_not(Assignments.assign, request.user, campaign),
        "what_waits": what_waits(campaign),
        "queues": tabled(request, queues_of(campaign), QUEUES),
        "n_assignments": everything.count(),
        "assignments": assignments,
        "rows": assignment_figures(list(assignments), work.times),
        "n_asked": Question.objects.in_campaign(campaign).count(),
        "words": words,
        "narrowed": f"?{urlencode(narrowing, quote_via=quote)}",
        "person": person,
        "progress": progress,
        "progresses": list(by_progress.items()),
        "n_found": sum(by_progress.values()),
    }


ASSESSORS = Noun(
    name="assessors",
    see=People.see,
    rows=lambda _, campaign: everybodys_work(campaign, timezone.now()).people,
    fields={
        "user": Field(str, lambda each: each.user.username),
        "name": Field(str, lambda each: each.user.get_full_name()),
        "topics": Field(int, lambda each: each.total["n_topics"]),
        "documents": Field(int, lambda each: each.total["n_documents"]),
        "judged": Field(int, lambda each: each.total["judged"]),
        "cannot_judge": Field(int, lambda each: each.total["impossible"]),
        "by_others_before": Field(int, lambda each: each.total["n_before"]),
        "later": Field(int, lambda each: each.total["n_put_off"]),
        "reopened": Field(int, lambda each: each.total["n_reopened"]),
        "timed": Field(int, lambda each: each.pace.dwell.n),
        "median_seconds": Field(
            float | None,
            lambda each: round(each.pace.dwell.seconds, 1) if each.pace.dwell.is_known else None,
        ),
        "per_hour": Field(int | None, lambda each: each.pace.dwell.an_hour),
        "last_two_weeks": Field(int, lambda each: sum(each.pace.days), "judgments"),
        "last_judged_at": Field(datetime | None, lambda each: each.pace.last_at),
        "done_by": Field(
            date | None,
            lambda each: each.likely.done if each.likely and each.n_left else None,
            "at the present pace",
        ),
    },
)
assessors = csv_of(ASSESSORS)
