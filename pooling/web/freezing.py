"""Freeze, unfreeze and delete the pool."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import why_not
from accounts.fields import SeenForm
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, page, sentences, whole_number
from pooling import access, services
from pooling.from_above import dependents_of
from pooling.models import Pool
from pooling.web.figures import pool_figures
from pooling.web.showing import pool_page
from trec.streams import storable
from trec.versions import version
from trec.words import counted


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def freeze(request: UserRequest, slug: str) -> HttpResponse:
    """Show what freezing means; freeze the pool that was shown, identified by its hash."""
    campaign = guarded(request, slug, check_can_organize)
    current = Pool.objects.for_summary().current_of(campaign)
    if current is None:
        return pool_page(request, campaign, refusal=access.GONE)
    refusal = ""
    if request.method == "POST":
        sha256 = storable(request.POST.get("sha256", ""))
        given = {"user": request.user, "pool": current, "sha256": sha256}
        refusal = attempt(services.freeze_pool, **given)
        if not refusal:
            size = counted(current.n_entries, "document")
            messages.success(request, f"The pool is frozen: {size}. Assign its topics next.")
            return redirect("desk:judging", slug)
    return _freezing(request, campaign, current.pk, refusal)


def _freezing(request: UserRequest, campaign: Campaign, key: int, refusal: str) -> HttpResponse:
    """Show the summary of a pool that can be frozen, or else the pool's page with the reason."""
    pool = Pool.objects.for_summary().filter(pk=key).first()
    why = why_not(access.check_can_freeze, request.user, pool) if pool else access.GONE
    if pool is None or why:
        return pool_page(request, campaign, refusal=why)
    unpooled = list(campaign.topic_set.exclude(pk__in=pool.entries.values("topic")))
    context = {"pool": pool, "refusal": refusal, "unpooled": unpooled, **pool_figures(pool)}
    return page(request, "pooling/freeze.html", campaign, "pool", **context)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def unfreeze(request: UserRequest, slug: str) -> HttpResponse:
    """Show what unfreezing removes, and unfreeze."""
    campaign = guarded(request, slug, check_can_organize)
    pool = Pool.objects.frozen_of(campaign)
    if pool is None:
        return pool_page(request, campaign, refusal=access.NOT_FROZEN)
    form = SeenForm(**sent(request))
    refusal = sentences(form)
    if form.is_valid():
        given = {"user": request.user, "pool": pool, **form.cleaned_data}
        refusal = attempt(services.unfreeze_pool, **given)
        if not refusal:
            messages.success(request, "The pool is no longer frozen.")
            return redirect("pooling:pool", slug)
    if why := why_not(access.check_can_unfreeze, request.user, pool):
        return pool_page(request, campaign, refusal=why)
    going = dependents_of(pool)
    context: dict[str, Any] = {
        "pool": pool,
        "refusal": refusal,
        "going": going,
        "seen": version(going),
    }
    return page(request, "pooling/unfreeze.html", campaign, "pool", **context)


@signed_in
@require_POST
def delete(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    key = whole_number(request.POST.get("pool", ""))
    pool = Pool.objects.filter(campaign=campaign, pk=key).first()
    if pool is None:
        return pool_page(request, campaign, refusal=access.GONE)
    if refusal := attempt(services.delete_pool, user=request.user, pool=pool):
        return pool_page(request, campaign, refusal=refusal)
    messages.success(request, f"The pool ({pool}) is deleted.")
    return redirect("pooling:pool", slug)
