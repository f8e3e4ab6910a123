"""The pool's page: its batches, the drafts, and the choice of another."""

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.access import why_not
from accounts.pages import UserRequest
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, page
from pooling.access import check_can_build
from pooling.core.strategy.by_hand import BY_HAND
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.pools import LOW, Pool
from pooling.web.drawing import forecast_pictures, topics_picture
from pooling.web.figures import pool_figures
from pooling.web.forecasting import forecast_figures
from pooling.web.forms import BatchForm


def pool_page(
    request: UserRequest, campaign: Campaign, *, form: BatchForm | None = None, refusal: str = ""
) -> HttpResponse:
    """Show the pool with its batches, and what can be built to begin or extend it."""
    pool = Pool.objects.of(campaign)
    batches = Batch.objects.for_list()
    why = why_not(check_can_build, request.user, campaign)
    context: dict[str, Any] = {
        "pool": pool,
        "batches": batches.frozen_of(campaign),
        "drafts": batches.drafts_of(campaign),
        "refusal": refusal,
        "why_not_build": why,
        "low": LOW,
    }
    pictures = {}
    if pool:
        context |= pool_figures(pool)
        pictures["topics"] = topics_picture(campaign, context["per_topic"])
    if not why:
        form = form or first_choice(request, campaign)
        context |= {"form": form, **forecast_figures(campaign, form)}
        pictures |= forecast_pictures(context)
    return page(request, "pooling/pool.html", campaign, "pool", **context, pictures=pictures)


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
    asked = request.GET
    if asked.get("strategy") == BY_HAND.name and "documents" not in asked:  # nothing typed yet
        kept = ("strategy", "existing_sha256", "joins_duplicates")
        initial = {name: asked[name] for name in kept if name in asked}
        return BatchForm(campaign=campaign, initial=initial)
    data = asked if asked.keys() & {"depth", "strategy"} else None
    has_runs = Exists(Contributor.objects.filter(batch=OuterRef("pk")))
    current = Batch.objects.filter(has_runs).current_of(campaign)
    return BatchForm(data, campaign=campaign, current=current)
