"""The pages that draw on all apps: home, and a campaign's overview."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.pages import UserRequest, signed_in
from assess.core.agreement import agreement
from assess.models import Judgment
from campaigns.core.charts import line_chart
from campaigns.forms import RunForm
from campaigns.models import Campaign, Job, Role, Run
from campaigns.pages import guarded, page
from evaluation.tasks import score_runs
from overview.core.stages import (
    ATTENTION,
    DONE,
    EMPTY,
    PROGRESS,
    CampaignFacts,
    Stage,
    stages,
)
from overview.facts import campaign_facts, member_facts
from overview.steps import Step, next_steps


@signed_in
@require_GET
def home(request: UserRequest) -> HttpResponse:
    """Show a person their campaigns and, for each role, the next step."""
    members = member_facts(request.user, Campaign.objects.of(request.user))
    organized = [m.campaign.pk for m in members if Role.ORGANIZER in m.roles]
    facts = campaign_facts(organized, exact=False)
    rows = []
    for member in members:
        known = facts.get(member.campaign.pk, CampaignFacts())
        rows.append((member.campaign, next_steps(member, stages(known))))
    return render(request, "overview/home.html", {"rows": rows})


@signed_in
@require_GET
def overview(request: UserRequest, slug: str) -> HttpResponse:
    """Show the stages of the campaign, what to do next, and its latest jobs."""
    campaign = guarded(request, slug)
    [member] = member_facts(request.user, Campaign.objects.filter(pk=campaign.pk))
    chain = stages(campaign_facts([campaign.pk])[campaign.pk])
    context: dict[str, Any] = {
        "stages": chain,
        "steps": next_steps(member, chain),
        "jobs": Job.objects.recent(campaign)[:5],
    }
    return page(request, "overview/overview.html", campaign, "overview", **context)


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


@require_GET
def style(request: UserRequest) -> HttpResponse:
    """Show every component in every state, in development."""
    if not settings.DEBUG:
        raise Http404
    chart = line_chart([5, 9, 12, 14, 15, 16], x_label="depth", y_label="documents")
    pages = Paginator(range(250), 100)
    context = {
        "states": [
            ("Run", Run.State.values),
            ("Judgment", ["unjudged", *Judgment.State.values]),
            ("Job", Job.State.values),
            ("Stage", [EMPTY, PROGRESS, DONE, ATTENTION]),
        ],
        "steps": [
            Step(
                Role.ASSESSOR, "12 documents are waiting for your judgment.", "overview"
            ),
            Step(
                Role.PARTICIPANT,
                "No scores have been released yet.",
                "overview",
                is_urgent=False,
            ),
        ],
        "pages": [pages.page(number) for number in pages.page_range],
        "jobs": _example_jobs(),
        "grades": Campaign(level=1).scale.grades,
        "form": RunForm(),
        "refused_form": RunForm({"tag": ".bad"}),
        "stages": [
            Stage(state, "overview", 7, "of 9", state, "", is_next=state == PROGRESS)
            for state in (EMPTY, PROGRESS, DONE, ATTENTION)
        ],
        "campaign": {"slug": "example"},
        "chart": chart,
        "marker": chart.at(3),
        "agreement": agreement([0, 1, 1, 2], [0, 1, 2, 2], [0, 1, 2]),
    }
    return render(request, "overview/style.html", context)
