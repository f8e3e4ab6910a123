"""The page of assigning: who judges what, and the plan of who is to judge what."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import why_not
from accounts.models import BY_NAME, User
from accounts.pages import UserRequest, signed_in
from assess import assignments
from assess.access.assigning import Assignments, assessors_of, check_can_distribute
from assess.access.judging import what_waits
from assess.core.plan import Person
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from assess.planning import plan_for, takers_of
from assess.services import assigning, handover
from assess.tasks import last_assigning
from assess.web.assigning_forms import AssignmentForm, DistributionForm, LimitsForm, offer
from assess.web.sharing_forms import ShareForm
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import done, guarded, page, tabled
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from collection.models.texts import Topic
from jobs.acting import stay
from pooling.models.pools import Pool
from pooling.web.duplicates import last_search

ASSIGNED = Sorting(
    "assigned",
    topic=Cell(lambda each: each.topic.number),
    documents=Figure(lambda each: each.n_documents),
    primary=Cell(lambda each: each.primary and each.primary.assessor),
    second=Cell(lambda each: each.seconds[0].assessor if each.seconds else None),
)
WAITING = Sorting(
    "waiting",
    topic=Cell(lambda each: each.topic.number),
    left=Figure(lambda each: each.n_open),
    last=Cell(lambda each: each.assessor),
    since=Figure(lambda each: each.taken_back_at),
)
PLAN = Sorting(
    "plan",
    topic=Cell(lambda row: row[0].topic),
    as_=Cell(lambda row: row[0].kind),
    assessor=Cell(lambda row: row[1]),
    documents=Figure(lambda row: row[0].n_documents),
)


class Assigned(NamedTuple):
    topic: Topic
    n_documents: int
    primary: Assignment | None
    seconds: list[Assignment]
    queue: SharedQueue | None

    @property
    def kind(self) -> str:
        if self.queue:
            return "shared"
        if self.primary is None or self.primary.taken_back_at:
            return "without an assessor"
        return "judged twice" if self.seconds else "judged once"


def topics_of(campaign: Campaign, pool: Pool, sizes: Mapping[int, int]) -> list[Assigned]:
    """Return the topics of a frozen pool in their order, of these sizes."""
    kinds: dict[int, dict[str, list[Assignment]]] = defaultdict(lambda: defaultdict(list))
    given = Assignment.objects.filter(pool=pool).select_related("assessor")
    for each in given.order_by("kind", "pk"):
        if each.kind == Assignment.Kind.PRIMARY or not each.taken_back_at:
            kinds[each.topic_id][each.kind].append(each)
    queues = {each.topic_id: each for each in SharedQueue.objects.filter(pool=pool)}
    return [
        Assigned(
            topic,
            sizes[topic.pk],
            next(iter(kinds[topic.pk][Assignment.Kind.PRIMARY]), None),
            kinds[topic.pk][Assignment.Kind.SECOND],
            queues.get(topic.pk),
        )
        for topic in campaign.topic_set.filter(pk__in=sizes).only("campaign", "number", "title")
    ]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def distribute(request: UserRequest, slug: str) -> HttpResponse:
    """Show the plan of who would get which topic, and carry it out."""
    campaign = guarded(request, slug, Assignments.distribute)
    if request.method != "POST":
        asked = request.GET if "second_percent" in request.GET else None
        return plan_page(request, campaign, DistributionForm(asked))
    form = DistributionForm(request.POST)
    if form.is_valid():
        act = partial(assigning.distribute, user=request.user, campaign=campaign)
        if done(form, partial(act, seen=form.cleaned_data["seen"], **form.sample())):
            messages.success(request, "A worker assigns the topics as shown.")
            return redirect("assess:distribute", slug)
    return plan_page(request, campaign, form)


def plan_page(
    request: UserRequest, campaign: Campaign, form: DistributionForm, **others: Any
) -> HttpResponse:
    job = last_assigning(campaign)
    is_busy = job is not None and not job.is_finished
    limits = others.get("limits_form") or LimitsForm(campaign=campaign)
    users = assessors_of(campaign).order_by(*BY_NAME).in_bulk()
    loads = {each.id: each for each in limits.people if each.id in users}  # some may have just left
    people = list(loads.values())
    pool = Pool.objects.of(campaign)
    sizes = pool.batches.n_by_topic() if pool else {}
    n_topics = Assignment.objects.in_campaign(campaign).live().n_topics_by_assessor()
    rows = Assignment.objects.in_campaign(campaign).unbegun()
    unbegun = sorted(rows.values_list("pk", flat=True))
    plan: dict[str, Any] = {}
    if not is_busy:
        plan = _plan(campaign, form, pool, people=people, users=users, sizes=sizes)
        plan["given"] = tabled(request, plan.get("given", []), PLAN)
    context: dict[str, Any] = {
        "form": form,
        "job": job,
        "assignment_form": _offering(
            request, campaign, people, others.pop("assignment_form", None)
        ),
        "limits_form": limits,
        "what_waits": what_waits(campaign),
        "duplicates": last_search(campaign) if campaign.serves_duplicates_together else None,
        "people": [
            (user, loads[pk], n_topics.get(pk, 0), limits[f"limit_{pk}"])
            for pk, user in users.items()
            if pk in loads
        ],
        "topics": tabled(request, topics_of(campaign, pool, sizes) if pool else [], ASSIGNED),
        "waiting": tabled(request, _waiting(campaign), WAITING),
        "share_form": ShareForm(campaign=campaign, pool=pool) if pool else None,
        "n_not_begun": len(unbegun),
        "unbegun_seen": version(unbegun),
        **plan,
        **others,
    }
    return page(request, "assess/distribute.html", campaign, "judging", **context)


def _waiting(campaign: Campaign) -> list[Assignment]:
    return list(Assignment.objects.in_campaign(campaign).waiting())


def _offering(
    request: UserRequest, campaign: Campaign, people: list[Person], form: AssignmentForm | None
) -> AssignmentForm:
    """Return the form for one topic, in which only people can be chosen who can take it."""
    if form is None:
        chosen = {
            name: request.GET[name] for name in AssignmentForm.base_fields if name in request.GET
        }
        form = AssignmentForm(initial=chosen, campaign=campaign)
    kind = form["kind"].value() or assignments.Kind.PRIMARY
    offer(form, takers_of(campaign, form.chosen_topic, kind, people))
    return form


def _plan(
    campaign: Campaign,
    form: DistributionForm,
    pool: Pool | None,
    *,
    people: list[Person],
    users: dict[int, User],
    sizes: dict[int, int],
) -> dict[str, Any]:
    """Return the plan for the sample in the form, with people's names; nothing if it is invalid."""
    sent = {name: form[name].value() for name in ("second_percent", "documents", "by_grade")}
    asked = DistributionForm(sent)
    if not asked.is_valid():
        return {}
    second = Sample(*asked.sample().values())
    if sentence := why_not(check_can_distribute, campaign, second):
        return {"why_no_plan": sentence}
    if pool is None:
        return {}
    plan = plan_for(campaign, pool, second, people=people, sizes=sizes)
    return {
        "plan": plan,
        "sent": {"second_percent": 0} | {name: each for name, each in sent.items() if each},
        "given": [(each, users[each.assessor]) for each in plan.given],
    }


@signed_in
@require_POST
@transaction.atomic
def limits(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Assignments.limit_assessors)
    # Locked, so that the service changes what the form compared.
    stay(campaign.pk)
    Membership.objects.locked(campaign, Role.ASSESSOR)
    form = LimitsForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return plan_page(request, campaign, DistributionForm(), limits_form=form)
    limits = {int(assessor): limit for assessor, limit in form.changes().items()}
    n = assigning.limit_assessors(user=request.user, campaign=campaign, limits=limits)
    messages.success(request, f"{counted(n, 'limit')} changed.")
    return redirect("assess:distribute", slug)


@signed_in
@require_POST
def assign(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Assignments.assign)
    form = AssignmentForm(request.POST, campaign=campaign)
    if form.is_valid():
        values = form.cleaned_data
        sample = {
            "share": values.pop("share") / 100,
            "n": values.pop("documents") or 0,
            "by_grade": values.pop("by_grade"),
        }
        if values["kind"] == assignments.Kind.PRIMARY:
            sample = {}
        if done(form, partial(assigning.assign, user=request.user, **sample, **values)):
            messages.success(
                request,
                f"Topic {values['topic']} is assigned to {values['assessor']} "
                f"as {values['kind']} assessor.",
            )
            return redirect("desk:judging", slug)
    return plan_page(request, campaign, DistributionForm(), assignment_form=form)


@signed_in
@require_POST
def take_back_unbegun(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    seen = request.POST.get("seen")
    n = handover.take_back_unbegun(user=request.user, campaign=campaign, seen=seen)
    messages.success(request, f"{counted(n, 'assignment')} taken back.")
    return redirect("assess:distribute", slug)
