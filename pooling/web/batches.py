"""The page of a batch; freeze it, take it back, delete a draft or build it again."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import why_not
from accounts.fields import SeenForm
from accounts.pages import UserRequest, sent, signed_in
from campaigns.core.spans import spans
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.web.frame import attempt, guarded, listed, page, sentences
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.ranking import ORDER_RULES
from cleverdon.trec.streams import storable
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted, verb
from jobs.models import Job
from pooling import services, tasks
from pooling.access import Batches, is_up_to_date
from pooling.from_above import dependents_of, existing_judgments
from pooling.models.batches import Batch
from pooling.models.contributors import with_contributors
from pooling.models.entries import PoolEntry
from pooling.models.pools import LOW
from pooling.web.drawing import MOST_COMPARED, alike_picture, topics_picture
from pooling.web.figures import CONTRIBUTORS, batch_figures, missing_docnos
from pooling.web.showing import to_draft
from runs.access.teams import may_yet_submit
from runs.models import Run

MISSING_NAMED = 20  # docnos shown


@signed_in
@require_safe
def batch(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what a batch adds to the pool, and how it was formed."""
    campaign = guarded(request, slug, Batches.see)
    # Read before the batch: if the job ends in between, the page shows it running and reloads.
    job = Job.objects.about(tasks.build_batch.name, pk)
    shown = _batch_of(campaign, pk)
    return batch_page(request, shown, job=job)


def _batch_of(campaign: Campaign, key: int) -> Batch:
    return get_object_or_404(with_contributors(Batch.objects.all()), campaign=campaign, pk=key)


def batch_page(
    request: UserRequest, batch: Batch, *, refusal: str = "", job: Job | None = None
) -> HttpResponse:
    figures, user = batch_figures(batch), request.user
    drafts = Batch.objects.for_list().drafts_of(batch.campaign).exclude(pk=batch.pk)
    context = {
        "batch": batch,
        "of_topics": spans(batch.topics),
        "job": job,
        "refusal": refusal,
        "order": ORDER_RULES[batch.order_rule],
        "existing": _existing_name(batch),
        "swapped": [(ORDER_RULES[name], n) for name, n in batch.n_swapped.items() if n],
        "others": drafts.filter(state=Batch.State.BUILT),
        "twins": drafts.filter(sha256=batch.sha256) if batch.sha256 and not batch.pool_id else [],
        "why_not_freeze": why_not(Batches.freeze, user, batch),
        "grows": batch.pool_id and STRATEGIES[batch.strategy].is_adaptive,
        "low": LOW,
        "missing": missing_docnos(batch, MISSING_NAMED) if figures["n_without_document"] else [],
        "is_outdated": bool(why_not(is_up_to_date, user, batch)),
        "why_not_take_back": why_not(Batches.take_back, user, batch),
        **figures,
        "shown_contributors": listed(
            request, figures["contributors"], CONTRIBUTORS, name="contributors-page"
        ),
        "topics": topics_picture(batch.campaign, figures["per_topic"]),
        "alike": alike_picture(batch, figures),
        "most_compared": MOST_COMPARED,
    }
    return page(request, "pooling/batch.html", batch.campaign, "pool", **context)


def _existing_name(batch: Batch) -> str:
    """Return what the judgments that count in the batch are called, or else their hash."""
    found = existing_judgments(batch.campaign).get(batch.existing_sha256)
    return found.name if found else batch.existing_sha256


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def freeze(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what freezing means; freeze the draft that was shown, identified by its hash."""
    campaign = guarded(request, slug, Batches.see)
    draft = _batch_of(campaign, pk)
    refusal = ""
    if request.method == "POST":
        sha256 = storable(request.POST.get("sha256", ""))
        given = {"user": request.user, "batch": draft, "sha256": sha256}
        refusal = attempt(services.freeze_batch, **given)
        if not refusal:
            size = counted(draft.n_entries, "document")
            messages.success(request, _frozen_now(draft, size))
            return redirect("desk:judging", slug)
        draft = _batch_of(campaign, pk)  # what it was refused for may have changed it
    return _freezing(request, draft, refusal)


def _frozen_now(draft: Batch, size: str) -> str:
    if draft.base:
        return f"The pool has {size} more, behind those that assessors have already."
    return f"The pool is frozen: {size}. Assign its topics next."


def _freezing(request: UserRequest, draft: Batch, refusal: str) -> HttpResponse:
    """Show the summary of a draft that can be frozen, or else its page with the reason."""
    campaign = draft.campaign
    if why := why_not(Batches.freeze, request.user, draft):
        return batch_page(request, draft, refusal=why)
    of_topic = {"topic": OuterRef("pk")}
    pooled = PoolEntry.objects.with_grades_in(campaign).filter(**of_topic)
    unpooled = campaign.topic_set.exclude(Exists(draft.entries.filter(**of_topic)))
    context = {
        "batch": draft,
        "refusal": refusal,
        "unpooled": list(unpooled.exclude(Exists(pooled))),
        "grows": STRATEGIES[draft.strategy].is_adaptive,
        "low": LOW,
        "open_still": _open_still(draft),
        **batch_figures(draft),
    }
    return page(request, "pooling/freeze.html", campaign, "pool", **context)


def _open_still(draft: Batch) -> str:
    """Say who may still submit, and how many teams have, in the round of the draft; or ""."""
    campaign = draft.campaign
    why = may_yet_submit(campaign) if draft.round == campaign.round else ""
    if not why or not campaign.submission_closes_at:
        return ""
    teams = Team.objects.filter(campaign=campaign, is_baseline=False)
    valid = Run.objects.of_round(campaign, draft.round).valid()
    n = teams.filter(run__in=valid).distinct().count()
    sent = f"{n:,} of {counted(teams.count(), 'team')} {verb(n, 'has')} sent valid runs."
    later = "Of runs sent later, documents that only they found are not judged."
    return f"{why} {sent} {later}"


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what goes when a batch is taken back, and take it back."""
    campaign = guarded(request, slug, Batches.see)
    taken = _batch_of(campaign, pk)
    form = SeenForm(**sent(request))
    refusal = sentences(form)
    if form.is_valid():
        given = {"user": request.user, "batch": taken, **form.cleaned_data}
        refusal = attempt(services.take_back_batch, **given)
        if not refusal:
            messages.success(request, "The batch is a draft again.")
            return redirect("pooling:batch", slug, pk)
    if why := why_not(Batches.take_back, request.user, taken):
        return batch_page(request, taken, refusal=why)
    going = dependents_of(taken)
    context: dict[str, Any] = {
        "batch": taken,
        "refusal": refusal,
        "going": going,
        "seen": version(going),
    }
    return page(request, "pooling/take_back.html", campaign, "pool", **context)


@signed_in
@require_POST
def build_again(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Have another draft built by the choice of this one, in its place."""
    campaign = guarded(request, slug, Batches.see)
    batch = _batch_of(campaign, pk)
    refused = partial(batch_page, request, batch)
    return to_draft(slug, services.build_again, refused, user=request.user, batch=batch)


@signed_in
@require_POST
def delete(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, Batches.see)
    draft = _batch_of(campaign, pk)
    if refusal := attempt(services.delete_batch, user=request.user, batch=draft):
        return batch_page(request, draft, refusal=refusal)
    messages.success(request, f"The draft ({draft}) is deleted.")
    return redirect("pooling:pool", slug)
