"""Pages of shared topics: sharing them, and how far one is."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Refused, why_not
from accounts.fields import SeenForm
from accounts.models import BY_NAME
from accounts.pages import UserRequest, signed_in
from assess.access.assigning import Assignments, assessors_of
from assess.access.judging import what_waits
from assess.access.sharing import SharedTopics, is_untouched
from assess.assignments import NOT_FROZEN
from assess.models.sharing import SharedQueue
from assess.services import sharing
from assess.web.assigning import plan_page
from assess.web.assigning_forms import DistributionForm, PageAct, act_sent
from assess.web.sharing_forms import ChangeSharingForm, JoinForm, ShareForm
from assess.web.sharing_page import MEMBERS, members_of, outcomes_of, steps_of, why_stuck
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, done, guarded, page, tabled
from cleverdon.trec.words import counted
from pooling.models.pools import Pool


@signed_in
@require_POST
def share(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, SharedTopics.share)
    pool = Pool.objects.of(campaign)
    if pool is None:  # at this moment
        raise Refused(NOT_FROZEN)
    form = ShareForm(request.POST, campaign=campaign, pool=pool)
    if form.is_valid():
        values = {**form.cleaned_data, "assessors": list(form.cleaned_data["assessors"])}
        act = partial(sharing.share, user=request.user, campaign=campaign, **values)
        if queues := done(form, act):
            people = counted(len(values["assessors"]), "assessor")
            messages.success(request, f"{counted(len(queues), 'topic')} shared among {people}.")
            return redirect("desk:judging", slug)
    return plan_page(request, campaign, DistributionForm(), share_form=form)


ACTS = {
    "change": PageAct(
        ChangeSharingForm,
        sharing.change_sharing,
        lambda queue: (
            f"Each document gets {counted(queue.n_wanted, 'judgment')}, "
            f"and is lent for {counted(queue.lease_minutes, 'minute')}."
        ),
    ),
    "join": PageAct(
        JoinForm,
        sharing.join_sharing,
        lambda queue: f"Topic {queue.topic} is shared with them too.",
    ),
    "unshare": PageAct(
        SeenForm,
        sharing.unshare,
        lambda topic: f"Topic {topic} is not shared any more: it can be assigned.",
    ),
}


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def shared(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, SharedTopics.see)
    queues = SharedQueue.objects.select_related("topic__campaign")
    queue = get_object_or_404(queues, pk=pk, topic__campaign=campaign)
    refusal = ""
    if request.method == "POST":
        refusal = attempt(act_sent, request=request, campaign=campaign, acts=ACTS, queue=queue)
        if not refusal:
            if SharedQueue.objects.filter(pk=pk).exists():
                return redirect("assess:shared", slug, pk)
            return redirect("assess:distribute", slug)
    now = queues.filter(pk=pk).first()
    if now is None:  # stopped at this moment
        raise Refused(refusal)
    context = _shown(request, campaign, now)
    return page(request, "assess/shared.html", campaign, "judging", refusal=refusal, **context)


def _shown(request: UserRequest, campaign: Campaign, queue: SharedQueue) -> dict[str, Any]:
    terms = {"n_wanted": queue.n_wanted, "lease_minutes": queue.lease_minutes}
    typed = {name: request.POST[name] for name in terms if name in request.POST}
    now = timezone.now()
    members, outcomes = members_of(queue, now), outcomes_of(queue, now)
    live = [each.assessor_id for each, _ in members if not each.taken_back_at]
    others = assessors_of(campaign).exclude(pk__in=live).order_by(*BY_NAME)
    return {
        "queue": queue,
        "topic": queue.topic,
        "steps": steps_of(queue),
        "n_documents": outcomes.now.n_documents,
        "n_settled": outcomes.now.n_settled,
        "n_tied": queue.documents.all().tied(campaign).count(),
        "outcomes": outcomes,
        "why_stuck": why_stuck(queue, outcomes.now, len(live)),
        "members": tabled(request, members, MEMBERS),
        "n_people": len(live),
        "seen": sharing.version_of(queue, live),
        "change_form": ChangeSharingForm(initial=terms | typed),
        "join_form": JoinForm(assessors=others) if others.exists() else None,
        "is_begun": bool(why_not(is_untouched, request.user, queue)),
        "why_not_assign": why_not(Assignments.assign, request.user, campaign),
        "what_waits": what_waits(campaign),
    }
