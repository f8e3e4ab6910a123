"""The pages that draw on all apps: home, and a campaign's overview."""

from collections import Counter
from typing import Any

import numpy as np
from django.conf import settings
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.access import can, why_not
from accounts.pages import UserRequest, signed_in
from agreement.web.matrices import grade_matrix
from assess.models.judging import Judgment
from campaigns.access.roles import (
    check_can_organize,
    check_can_read_facts,
    check_can_read_guidelines,
    check_can_see_topics,
    memberships_of,
)
from campaigns.dates import dates_of, next_date
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.web.frame import guarded, listed, open_to_visitors, page, part
from desk.web.todos import STILL_DAYS, n_standing_still, questions_wait, todos_of
from desk.web.workload import everybodys_work
from evaluation.access import check_scores_shown
from evaluation.tasks import score_runs
from jobs.models import Job
from overview.core import samples
from overview.core.needs import Need, headline, needs
from overview.core.stages import ATTENTION, DONE, EMPTY, PROGRESS, CampaignFacts, Stage, stages
from overview.facts import campaign_facts, failed_jobs, member_facts
from overview.judging import progress
from overview.steps import Step, next_steps
from questions.models.questions import Question
from runs.insights import scores_of
from runs.models import Run
from runs.web.run_forms import RunForm
from trec.words import counted, verb

SHOWN_JOBS, SHOWN_EVENTS, SHOWN_RUNS = 5, 8, 8


@signed_in
@require_safe
def home(request: UserRequest) -> HttpResponse:
    """Show a person their campaigns and, for each role, the next step; archived ones are only named."""
    theirs = Campaign.objects.of(request.user)
    members = member_facts(request.user, theirs.filter(archived_at__isnull=True))
    organized = [m.campaign.pk for m in members if Role.ORGANIZER in m.roles]
    facts = campaign_facts(organized, exact=False)
    still = n_standing_still(
        [m.campaign for m in members if m.campaign.pk in facts], timezone.now()
    )
    asked = Question.objects.n_open([m.campaign for m in members if m.campaign.pk in facts])
    rows, n_urgent = [], 0
    for member in members:
        found = facts.get(member.campaign.pk, CampaignFacts())
        chain = stages(found)
        pk = member.campaign.pk
        waiting = [*_asked(asked.get(pk, 0)), *_still(still[pk])]
        steps = next_steps(member, chain, needs(chain, found, waiting))
        n_urgent += any(step.is_urgent for step in steps)
        rows.append(
            {
                "campaign": member.campaign,
                "stages": chain if Role.ORGANIZER in member.roles else [],
                "steps": steps,
                "date": next_date(member.campaign, member.roles, member.team),
            }
        )
    archived = theirs.filter(archived_at__isnull=False)
    context = {"rows": rows, "archived": archived, "n_urgent": n_urgent}
    return render(request, "overview/home.html", context)


@open_to_visitors
@require_safe
def overview(request: UserRequest, slug: str) -> HttpResponse:
    """Show what the campaign is about and its dates, to members what to do next, and to organizers its stages and latest jobs."""
    campaign = guarded(request, slug, check_can_read_facts)
    members = Membership.objects.filter(campaign=campaign).select_related("user", "team")
    members = members.filter(Q(role=Role.ORGANIZER) | Q(user=request.user.pk))
    mine = [each for each in members if each.user_id == request.user.pk]
    user_roles = {each.role for each in mine}
    context: dict[str, Any] = {
        "organizers": [each for each in members if each.role == Role.ORGANIZER],
        "shows_guidelines": can(check_can_read_guidelines, user_roles, campaign),
        "why_no_scores": why_not(check_scores_shown, user_roles, campaign),
    }
    member = None
    if Role.ORGANIZER in user_roles:
        context |= _organized(campaign)
    if user_roles:
        [member] = member_facts(request.user, Campaign.objects.filter(pk=campaign.pk))
    context["steps"] = next_steps(member, context.get("stages", [])) if member else []
    # What an organizer is to do stands above them.
    context["other_steps"] = [each for each in context["steps"] if each.role != Role.ORGANIZER]
    if Role.PARTICIPANT in user_roles and Role.ORGANIZER not in user_roles:
        context |= _own_runs(request, campaign)
    context["dates"] = dates_of(campaign, user_roles, member.team if member else None)
    return page(request, "overview/overview.html", campaign, "overview", mine, **context)


def _own_runs(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the newest runs of a participant's team, each with its main score."""
    runs = Run.objects.visible_to(request.user, campaign)
    scores = scores_of(request.user, campaign)
    newest = [(run, scores.by_run.get(run.pk)) for run in runs.for_list()[:SHOWN_RUNS]]
    return {"runs": newest, "measure": scores.measure, "against": scores.against}


@signed_in
@require_safe
def collection(request: UserRequest, slug: str) -> HttpResponse:
    """Show members what is searched, where it is, and what happens when."""
    campaign = guarded(request, slug)
    mine = list(memberships_of(request.user, campaign))
    team = next((each.team for each in mine if each.team), None)
    # Of a part, the number would tell how large the pool is.
    is_whole = campaign.has_whole_collection
    context: dict[str, Any] = {
        "n_documents": campaign.document_set.count() if is_whole else None,
        "n_topics": campaign.topic_set.count(),
        "why_no_topics": why_not(check_can_see_topics, request.user, campaign),
        "dates": dates_of(campaign, {each.role for each in mine}, team),
    }
    return page(request, "overview/collection.html", campaign, "collection", mine, **context)


@signed_in
@require_safe
def overview_people(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers the assessors with their pace; the overview asks for it once it stands."""
    campaign = guarded(request, slug, check_can_organize)
    work = everybodys_work(campaign, timezone.now())
    return part(request, "overview/_people.html", campaign, **work._asdict())


def _asked(n: int) -> list[Need]:
    return [Need(questions_wait(n), "", "questions:questions", "Answer…")] if n else []


def _still(n: int) -> list[Need]:
    """Return what home says of assessors who stand still; the overview names them."""
    if not n:
        return []
    title = f"{counted(n, 'assessor')} {verb(n, 'has')} not judged for {STILL_DAYS} days or more"
    return [Need(title, "", "desk:judging", "Open")]


def _organized(campaign: Campaign) -> dict[str, Any]:
    """Return what the organizers of a campaign see of it: how it stands, what needs them, and what was done."""
    facts = campaign_facts([campaign.pk])[campaign.pk]
    chain = stages(facts)
    work = everybodys_work(campaign, timezone.now(), with_times=False) if facts.n_assigned else None
    outlook = work.outlook if work else None
    todos = todos_of(campaign, work, timezone.now()) if work else []
    jobs = Job.objects.filter(campaign=campaign)
    by_state = Counter(dict(jobs.order_by().values_list("state").annotate(n=Count("pk"))))
    n_done = by_state[Job.State.DONE]
    n_failed = facts.n_failed_jobs
    unfinished = Q(pk__in=jobs.unfinished().values("pk"))
    going = jobs.filter(unfinished | Q(pk__in=failed_jobs().values("pk")))
    events = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
    found = needs(
        chain,
        facts,
        [
            Need(each.title, each.why, "", each.button, at=each.at, other=each.other)
            for each in todos
        ],
    )
    heading = headline(chain, found, facts, outlook)
    first = next((each for each in found[:1] if each.is_stage or each.title == heading), None)
    return {
        "facts": facts,
        "stages": chain,
        "outlook": outlook,
        "pictures": {"judgments": progress(campaign, facts, outlook)},
        "headline": heading,
        "first": first,
        # What the heading says, with its button, is not said twice.
        "needs": found[1:] if first and first.title == heading else found,
        "jobs": going.order_by("-pk").listed()[:SHOWN_JOBS] if by_state.total() > n_done else [],
        "n_done": n_done,
        "n_failed": n_failed,
        "n_waiting_jobs": by_state[Job.State.WAITING] + by_state[Job.State.RUNNING],
        "events": events[:SHOWN_EVENTS],
    }


def _example_jobs() -> list[Job]:
    """Return an unsaved job in each state; one of the two running ones does not know its total."""
    state = Job.State
    examples: list[dict[str, Any]] = [
        {"state": state.WAITING},
        {"state": state.RUNNING},
        {"state": state.RUNNING, "progress": 40, "total": 100},
        {"state": state.DONE, "outcome": "4 runs scored on 25 topics of qrels v1."},
        {"state": state.FAILED, "outcome": "The worker was lost three times."},
    ]
    kind = score_runs.name
    return [Job(pk=n, kind=kind, **values) for n, values in enumerate(examples, 1)]


@require_safe
def style(request: UserRequest) -> HttpResponse:
    """Show every component in every state, in development."""
    if not settings.DEBUG:
        raise Http404
    context = {
        "states": [
            ("Run", Run.State.values),
            ("Judgment", ["unjudged", *Judgment.State.values]),
            ("Job", Job.State.values),
            ("Stage", [EMPTY, PROGRESS, DONE, ATTENTION]),
        ],
        "steps": [
            Step(Role.ASSESSOR, "12 documents are waiting for your judgment.", "overview"),
            Step(
                Role.PARTICIPANT, "No scores have been released yet.", "overview", is_urgent=False
            ),
        ],
        "pages": [listed(request, range(250)).paginator.page(n) for n in (1, 2, 3)],
        "jobs": _example_jobs(),
        "runs": [
            {
                "tag": f"run-{n}",
                "kind": "yours" if n % 7 == 3 else "pooled",
                "ap": f"{1 / (n + 1):.3f}",
                "p10": f"{n * 7 % 10 / 10:.3f}",
            }
            for n in range(1, 25)
        ],
        "grades": Campaign(level=1).scale.grades,
        "form": RunForm(),
        "refused_form": RunForm({"tag": ".bad"}),
        "stages": [
            Stage(state, "overview", 7, "of 9", state, "", is_next=state == PROGRESS)
            for state in (EMPTY, PROGRESS, DONE, ATTENTION)
        ],
        "campaign": {"slug": "example"},
        **samples.of_each_form(),
        "matrix": grade_matrix(
            np.array([[9, 3, 1, 0], [2, 5, 1, 0], [0, 1, 4, 1], [1, 0, 1, 3]]),
            Campaign(level=1).scale,
        ),
    }
    return render(request, "overview/style.html", context)
