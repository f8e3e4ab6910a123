"""Choose runs and depth, see the forecast, have the pool built."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import can, why_not
from accounts.pages import UserRequest, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.web.frame import attempt, guarded, is_shown, open_to_visitors, page, part, sentences
from pooling import services
from pooling.access import Batches, Pools, batches_seen
from pooling.models.pools import LOW, Pool
from pooling.web.forecasting import forecast_figures, forecast_job
from pooling.web.forms import BatchForm
from pooling.web.showing import extend_page, pool_page, to_draft

MAX_BATCH_BYTES = 100_000_000


@open_to_visitors
@require_safe
def pool(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers the pool and its choices, and others the released pool."""
    campaign = guarded(request, slug, Pools.see)
    if can(Campaigns.organize, request.user, campaign):
        return pool_page(request, campaign)
    batches = list(batches_seen(request.user, campaign).for_list())
    version = batches[0].version or 0  # what is not there cannot be released
    context = {
        "version": version,
        "n_entries": sum(each.n_entries for each in batches),
        "sha256": get_object_or_404(Pool, campaign=campaign).sha256_at(version),
        "batches": batches,
    }
    return page(request, "pooling/released.html", campaign, "pool", **context)


@signed_in
@require_safe
def extend(request: UserRequest, slug: str) -> HttpResponse:
    """Show the choice of a batch, with its forecast."""
    return extend_page(request, guarded(request, slug, Batches.see))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def forecast(request: UserRequest, slug: str) -> HttpResponse:
    """Show the forecast for a choice; a POST has a worker prepare what it is counted from."""
    campaign = guarded(request, slug, Batches.see)
    if (job := forecast_job(campaign)) and not job.is_finished and is_shown(request, job.stage):
        return HttpResponse(status=204)
    sent = request.POST if request.method == "POST" else request.GET
    form = BatchForm(sent, campaign=campaign)
    given = {"user": request.user, "campaign": campaign}
    if request.method == "POST" and (refusal := attempt(services.request_forecast, **given)):
        form.add_error(None, refusal)
    if not request.htmx:
        query = sent.copy()
        for name in ("csrfmiddlewaretoken", "by-hand-documents"):  # it may be too long
            query.pop(name, None)
        return redirect(f"{reverse('pooling:extend', args=[slug])}?{query.urlencode()}")
    context = {"form": form, "pool": form.pool, "low": LOW, **forecast_figures(campaign, form)}
    return part(request, "pooling/_forecast.html", campaign, **context)


@signed_in
@require_POST
def build(request: UserRequest, slug: str) -> HttpResponse:
    """Have a draft built; a refusal shows the current page with the choice that was sent."""
    campaign = guarded(request, slug, Batches.see)
    if why := why_not(Batches.build, request.user, campaign):
        return extend_page(request, campaign, refusal=why)
    form = BatchForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return extend_page(request, campaign, form=form, refusal=sentences(form))
    chosen = form.choice() | {"user": request.user, "campaign": campaign}
    refused = partial(extend_page, request, campaign, form=form)
    return to_draft(slug, services.request_batch, refused, **chosen)


@signed_in
@require_POST
def import_batch(request: UserRequest, slug: str) -> HttpResponse:
    """Make a draft of an exported batch."""
    campaign = guarded(request, slug, Batches.see)
    file = request.FILES.get("file")
    if file is None:
        return pool_page(request, campaign, refusal="Choose the file of a batch first.")
    if file.size is None or file.size > MAX_BATCH_BYTES:
        return pool_page(request, campaign, refusal="The file of a batch has at most 100 MB.")
    given = {"user": request.user, "campaign": campaign, "file": file}
    return to_draft(slug, services.import_batch, partial(pool_page, request, campaign), **given)
