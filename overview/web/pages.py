"""Home, a campaign's overview, what is searched, and throwing a rehearsal away."""

from collections import Counter
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import can, why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People
from campaigns.access.roles import roles, team_of
from campaigns.access.topics import current_round, topics_seen
from campaigns.dates import dates_of, next_date
from campaigns.events import CampaignEvent
from campaigns.from_above import TABS
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.web.campaign_forms import DeletionForm
from campaigns.web.frame import done, guarded, open_to_visitors, page, part
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted, verb
from collection.access import Topics
from desk.core.needs import Need
from desk.web.todos import STILL_DAYS, n_standing_still, questions_wait, todos_of
from desk.web.totals import totals_of
from desk.web.workload import everybodys_work
from evaluation.access import Scores
from jobs.models import Job
from overview.access import NOTHING_TO_THROW_AWAY, WholeCampaigns
from overview.core.needs import MOST, headline, needs
from overview.core.stages import CampaignFacts, stages
from overview.facts import campaign_facts, failed_jobs, member_facts
from overview.judging import burn_up_of
from overview.reminders import reminders_of
from overview.services.rehearsal import describe_rehearsal, throw_away_rehearsal
from overview.steps import next_steps
from overview.web.drawing import burn_up
from questions.models import Question
from runs.from_above import scores_of
from runs.models import Run

SHOWN_JOBS, SHOWN_EVENTS, SHOWN_RUNS = 5, 8, 8


def front(request: HttpRequest) -> HttpResponseBase:
    """Show people their campaigns, and visitors the public ones, if there are any."""
    is_visit = request.method == "GET" and not request.user.is_authenticated
    public = list(Campaign.objects.public()) if is_visit else []
    if not public:
        return home(request)
    rows = [
        (each, [tab for tab in sorted(TABS) if tab.is_for(request.user, (), each)])
        for each in public
    ]
    return render(request, "overview/public.html", {"rows": rows})


@signed_in
@require_safe
def home(request: UserRequest) -> HttpResponse:
    """Show a user's campaigns with the next step in each role; archived ones are only named."""
    campaigns = Campaign.objects.of(request.user)
    members = member_facts(request.user, campaigns.filter(archived_at__isnull=True))
    organized = [m.campaign for m in members if Role.ORGANIZER in m.roles]
    facts = campaign_facts([each.pk for each in organized], exact=False)
    still = n_standing_still(organized, timezone.now())
    asked = Question.objects.n_open(organized)
    rows: list[dict[str, Any]] = []
    for member in members:
        campaign, pk = member.campaign, member.campaign.pk
        contents = facts.get(pk, CampaignFacts())
        chain = stages(contents)
        waiting = [*_asked(asked.get(pk, 0)), *_still(still[pk])]
        row = {
            "campaign": campaign,
            "stages": chain if Role.ORGANIZER in member.roles else [],
            "steps": next_steps(member, chain, needs(chain, contents, waiting)),
            "date": next_date(campaign, member.roles, member.team),
        }
        rows.append(row)
    context = {
        "rows": rows,
        "archived": campaigns.filter(archived_at__isnull=False),
        "can_create": can(Campaigns.create, request.user, None),
        "n_urgent": sum(any(step.is_urgent for step in row["steps"]) for row in rows),
    }
    return render(request, "overview/home.html", context)


@open_to_visitors
@require_safe
def overview(request: UserRequest, slug: str) -> HttpResponse:
    """Show the campaign and its dates, to members the next step, to organizers stages and jobs."""
    campaign = guarded(request, slug, Campaigns.see)
    user_roles = roles(request.user, campaign)
    organizers = Membership.objects.filter(campaign=campaign, role=Role.ORGANIZER)
    context: dict[str, Any] = {
        "organizers": organizers.select_related("user"),
        "shows_guidelines": can(Campaigns.read_guidelines, request.user, campaign),
        "why_no_scores": why_not(Scores.see, request.user, campaign),
        "current_round": current_round(user_roles, campaign),
    }
    member = None
    if Role.ORGANIZER in user_roles:
        context |= _organized(campaign)
        if "people-sort" in request.GET:
            context["work"] = _people(request, campaign)
    if user_roles:
        [member] = member_facts(request.user, Campaign.objects.filter(pk=campaign.pk))
    context["steps"] = next_steps(member, context.get("stages", [])) if member else []
    # Those of organizers are above, with the stages.
    context["other_steps"] = [each for each in context["steps"] if each.role != Role.ORGANIZER]
    if Role.PARTICIPANT in user_roles and Role.ORGANIZER not in user_roles:
        context |= _own_runs(request, campaign)
    context["dates"] = dates_of(campaign, user_roles, member.team if member else None)
    return page(request, "overview/overview.html", campaign, "overview", **context)


def _own_runs(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the newest runs of a participant's team, each with its main score."""
    runs = Run.objects.visible_to(request.user, campaign)
    scores = scores_of(request.user, campaign)
    newest = [(run, scores.by_run.get(run.pk)) for run in runs.for_list()[:SHOWN_RUNS]]
    return {"runs": newest, "measure": scores.measure, "against": scores.against}


@signed_in
@require_safe
def collection(request: UserRequest, slug: str) -> HttpResponse:
    """Show members the collection and the dates."""
    campaign = guarded(request, slug)
    user_roles, team = roles(request.user, campaign), team_of(request.user, campaign)
    # The size of a part would reveal the size of the pool.
    n_documents = campaign.document_set.count() if campaign.has_whole_collection else 0
    n_topics = topics_seen(user_roles, campaign).count()
    documents = f"{counted(n_documents, 'document')}, " if n_documents else ""
    context: dict[str, Any] = {
        "heading": f"{documents}{counted(n_topics, 'topic')}",
        "n_documents": n_documents,
        "n_topics": n_topics,
        "why_no_topics": why_not(Topics.see, request.user, campaign),
        "dates": dates_of(campaign, user_roles, team),
    }
    return page(request, "overview/collection.html", campaign, "collection", **context)


@signed_in
@require_safe
def overview_people(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers the assessors with their pace: a part that the overview loads."""
    campaign = guarded(request, slug, People.see)
    return part(request, "overview/_people.html", campaign, **_people(request, campaign))


def _people(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    work = everybodys_work(campaign, timezone.now())
    return {**work._asdict(), "totals": totals_of(request, work.people)}


def _asked(n: int) -> list[Need]:
    return [Need(questions_wait(n), "", "questions:questions", "Answer…")] if n else []


def _still(n: int) -> list[Need]:
    """Return the need of assessors without judgments; the overview names them."""
    if not n:
        return []
    title = f"{counted(n, 'assessor')} {verb(n, 'has')} not judged for {STILL_DAYS} days or more"
    return [Need(title, "", "desk:judging", "Open")]


def _organized(campaign: Campaign) -> dict[str, Any]:
    facts = campaign_facts([campaign.pk])[campaign.pk]
    chain = stages(facts)
    work = (
        everybodys_work(campaign, timezone.now(), with_times=False)
        if facts.judging.n_assigned
        else None
    )
    outlook = work.outlook if work else None
    todos = todos_of(campaign, work, timezone.now()) if work else []
    jobs = Job.objects.filter(campaign=campaign)
    by_state = Counter(dict(jobs.order_by().values_list("state").annotate(n=Count("pk"))))
    n_done = by_state[Job.State.DONE]
    unfinished = Q(pk__in=jobs.unfinished().values("pk"))
    going = jobs.filter(unfinished | Q(pk__in=failed_jobs().values("pk")))
    events = AuditEvent.objects.filter(campaign=campaign).exclude(kind=CampaignEvent.REFUSED)
    picture = None
    if facts.judging.n_judged + facts.judging.n_cannot_judge:
        picture = burn_up(burn_up_of(campaign, facts), outlook)
    wanted = [*needs(chain, facts, todos), *reminders_of(campaign, timezone.now())]
    heading = headline(chain, wanted, facts, outlook)
    first = next((each for each in wanted[:1] if each.is_stage or each.title == heading), None)
    # Not the one in the heading.
    listed = wanted[1:] if first and first.title == heading else wanted
    return {
        "facts": facts,
        "stages": chain,
        "outlook": outlook,
        "burn_up": picture,
        "headline": heading,
        "first": first,
        "needs": listed[:MOST],
        "further_needs": listed[MOST:],
        "n_needs": len(listed),
        "jobs": going.order_by("-pk").listed()[:SHOWN_JOBS] if by_state.total() > n_done else [],
        "n_done": n_done,
        "n_failed": facts.n_failed_jobs,
        "n_waiting_jobs": by_state[Job.State.WAITING] + by_state[Job.State.RUNNING],
        "events": events.select_related("actor")[:SHOWN_EVENTS],
    }


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def rehearsal(request: UserRequest, slug: str) -> HttpResponse:
    """Throw the rehearsal away once the campaign's name is typed."""
    campaign = guarded(request, slug, Campaigns.organize)
    form = DeletionForm(**sent(request), campaign=campaign)
    act = partial(throw_away_rehearsal, user=request.user, campaign=campaign)
    if form.is_valid() and done(form, partial(act, seen=form.cleaned_data["seen"])):
        success = "The rehearsal is thrown away. The campaign is as before the pool."
        messages.success(request, success)
        return redirect("pooling:pool", slug)
    going = describe_rehearsal(campaign)
    why = why_not(WholeCampaigns.throw_away_rehearsal, request.user, campaign)
    why = why or ("" if going else NOTHING_TO_THROW_AWAY)
    context = {"form": form, "going": going, "seen": version(going), "why_not": why}
    return page(request, "overview/rehearsal.html", campaign, "settings", **context)
