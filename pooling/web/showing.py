"""The pool's page: the current pool, the choice of another, its forecast."""

from typing import Any

from django.http import HttpResponse

from accounts.access import why_not
from accounts.pages import UserRequest
from campaigns.models.campaign import Campaign
from campaigns.web.frame import page, sentences
from jobs.models import Job
from pooling import tasks
from pooling.access import check_can_build, check_can_freeze, check_can_unfreeze
from pooling.models import Pool
from pooling.web.drawing import forecast_pictures, pool_pictures
from pooling.web.figures import forecast_figures, pool_figures
from pooling.web.forms import PoolForm


def pool_page(
    request: UserRequest, campaign: Campaign, *, form: PoolForm | None = None, refusal: str = ""
) -> HttpResponse:
    """Show the pool and, until it is frozen, the choice of another."""
    # Read before the pool: if the job ends in between, the page shows it running and reloads.
    job = Job.objects.recent(campaign).filter(kind=tasks.build_pool.name).first()
    pool = Pool.objects.for_summary().current_of(campaign)
    why = why_not(check_can_build, request.user, campaign)
    context: dict[str, Any] = {"pool": pool, "job": job, "refusal": refusal, "why_not_build": why}
    if pool:
        context |= pool_figures(pool)
        context["why_not_freeze"] = why_not(check_can_freeze, request.user, pool)
        context["why_not_unfreeze"] = why_not(check_can_unfreeze, request.user, pool)
    pictures = pool_pictures(pool, context) if pool else {}
    if not why:
        data = request.GET if request.GET.keys() & {"depth", "strategy"} else None
        form = form or PoolForm(data, campaign=campaign, current=pool)
        context |= {"form": form, **forecast_of(form, campaign)}
        pictures |= forecast_pictures(context)
    return page(request, "pooling/pool.html", campaign, "pool", **context, pictures=pictures)


def forecast_of(form: PoolForm, campaign: Campaign) -> dict[str, Any]:
    """Return the figures for the form's choice, or what is wrong with it."""
    if chosen := form.chosen():
        return forecast_figures(campaign, chosen)
    return {"faults": sentences(form) or "Choose at least one run."}
