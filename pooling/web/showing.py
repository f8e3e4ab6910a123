"""The pool's page with its batches and drafts, and the page that extends it."""

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.access import why_not
from accounts.pages import UserRequest
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, page
from pooling.access import Batches
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.pools import LOW, Pool
from pooling.web.drawing import topics_picture
from pooling.web.figures import pool_figures
from pooling.web.forecasting import forecast_figures
from pooling.web.forms import BatchForm


def pool_page(request: UserRequest, campaign: Campaign, *, refusal: str = "") -> HttpResponse:
    """Show the pool with its batches and drafts."""
    pool = Pool.objects.of(campaign)
    batches = Batch.objects.for_list()
    context: dict[str, Any] = {
        "pool": pool,
        "batches": batches.frozen_of(campaign),
        "drafts": batches.drafts_of(campaign),
        "refusal": refusal,
        "why_not_build": why_not(Batches.build, request.user, campaign),
        "low": LOW,
    }
    if pool:
        context |= pool_figures(pool)
        context["topics"] = topics_picture(campaign, context["per_topic"])
    return page(request, "pooling/pool.html", campaign, "pool", **context)


def extend_page(
    request: UserRequest, campaign: Campaign, *, form: BatchForm | None = None, refusal: str = ""
) -> HttpResponse:
    """Show what can be chosen for a batch that begins or extends the pool, and the forecast."""
    context: dict[str, Any] = {"refusal": refusal, "low": LOW}
    if why := why_not(Batches.build, request.user, campaign):
        context |= {"why_not_build": why, "pool": Pool.objects.of(campaign)}
    else:
        form = form or first_choice(request, campaign)
        context |= {"form": form, "pool": form.pool, **forecast_figures(campaign, form)}
    return page(request, "pooling/extend.html", campaign, "pool", **context)


def to_draft(
    slug: str, service: Callable[..., Batch], refused: Callable[..., HttpResponse], **given: Any
) -> HttpResponse:
    """Ask the service for a draft and go to its page, or show what `refused` makes of a refusal."""
    made: list[Batch] = []
    if refusal := attempt(lambda: made.append(service(**given))):
        return refused(refusal=refusal)
    return redirect("pooling:batch", slug, made[0].pk)


def first_choice(request: UserRequest, campaign: Campaign) -> BatchForm:
    """Return the form with what the address says, or as the newest batch was chosen."""
    if "strategy" in request.GET:
        return BatchForm(request.GET, campaign=campaign)
    has_runs = Exists(Contributor.objects.filter(batch=OuterRef("pk")))
    current = Batch.objects.filter(has_runs).current_of(campaign)
    return BatchForm(campaign=campaign, current=current)
