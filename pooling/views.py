"""Pages of the pool: forecast, build, freeze, download."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, signed_in
from campaigns.access import check_can_organize
from campaigns.core.cells import cell
from campaigns.core.charts import line_chart
from campaigns.models import Campaign, Job
from campaigns.pages import guarded, page, sentences
from pooling import services, tasks
from pooling.access import check_can_build, check_can_freeze
from pooling.core.statistics import judging_hours
from pooling.forecast import forecast
from pooling.forms import FreezeForm, PoolForm
from pooling.models import Pool

SHOWN_DEPTHS = (1, 5, 10, 20, 30, 50, 100)


@signed_in
@require_GET
def pool(request: UserRequest, slug: str) -> HttpResponse:
    """Show the pool and, until it is frozen, the forecast for another choice of runs and depth."""
    campaign = guarded(request, slug, check_can_organize)
    # Read the job before the pool: if it ends in between, the page still shows it as running and loads itself again.
    job = Job.objects.recent(campaign).filter(kind=tasks.build_pool.name).first()
    current = Pool.objects.for_summary().current_of(campaign)
    context: dict[str, Any] = {
        "pool": current,
        "job": job,
        "why_not_build": why_not(check_can_build, request.user, campaign),
    }
    if current:
        context |= _built(request, current)
    if not context["why_not_build"]:
        context |= _choice(request, campaign, current)
    template = "pooling/_forecast.html" if request.htmx else "pooling/pool.html"
    return page(request, template, campaign, "pool", **context)


def _built(request: UserRequest, pool: Pool) -> dict[str, Any]:
    topics = pool.entries.values("topic__number", "topic__title")
    return {
        "per_topic": topics.annotate(n=Count("pk")).order_by(
            "topic__sort_key", "topic__number"
        ),
        "hours": judging_hours(pool.n_entries, pool.campaign.seconds_per_judgment),
        "n_without_document": pool.entries.without_document().count(),
        "why_not_freeze": why_not(check_can_freeze, request.user, pool),
    }


def _choice(
    request: UserRequest, campaign: Campaign, current: Pool | None
) -> dict[str, Any]:
    """Return the form and, when runs are chosen, the forecast for them."""
    initial = {"depth": current.depth} if current else {}
    data = request.GET if "depth" in request.GET else None
    form = PoolForm(data, campaign=campaign, initial=initial)
    if not form.has_runs:
        return {"form": None}
    if form.is_bound and not form.is_valid():
        return {"form": form}
    chosen = form.cleaned_data if form.is_bound else form.defaults()
    topics = list(campaign.topic_set.values_list("number", flat=True))
    sizes = forecast(chosen["runs"], topics)
    depth, seconds = chosen["depth"], campaign.seconds_per_judgment
    totals, per_topic = sizes.total.tolist(), sizes.by_topic[:, depth - 1].tolist()
    chart = line_chart(totals, x_label="depth", y_label="documents to judge")
    shown = [(k, sizes.at(k)) for k in SHOWN_DEPTHS]
    return {
        "form": form,
        "marker": chart.at(depth),
        "depth": depth,
        "size": sizes.at(depth),
        "forecast_hours": judging_hours(sizes.at(depth), seconds),
        "chart": chart,
        "by_depth": [(k, size, judging_hours(size, seconds)) for k, size in shown],
        "by_topic": zip(sizes.topics, per_topic, strict=True),
    }


@signed_in
@require_POST
def build(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    form = PoolForm(request.POST, campaign=campaign)
    if not form.is_valid():
        raise Refused(sentences(form))
    services.request_pool(user=request.user, campaign=campaign, **form.cleaned_data)
    return redirect("pooling:pool", slug)


@signed_in
@require_POST
def freeze(request: UserRequest, slug: str) -> HttpResponse:
    """Freeze the pool that the organizer looked at, identified by its hash."""
    campaign = guarded(request, slug, check_can_organize)
    form = FreezeForm(request.POST)
    if not form.is_valid():
        raise Refused("The page does not say which pool to freeze. Load it again.")
    current = Pool.objects.current_of(campaign)
    if current is None:
        raise Http404
    services.freeze_pool(user=request.user, pool=current, **form.cleaned_data)
    size = f"{current.n_entries:,} document{pluralize(current.n_entries)}"
    messages.success(request, f"The pool is frozen: {size}. Assign its topics next.")
    return redirect("assess:judging", slug)


@signed_in
@require_GET
def docnos(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the pooled docnos, or only those whose document has not been imported."""
    campaign = guarded(request, slug, check_can_organize)
    current = get_object_or_404(Pool, campaign=campaign)
    entries = current.entries.order_by("docno")
    if "missing" in request.GET:
        entries = entries.without_document()
    names = entries.values_list("docno", flat=True).distinct()
    return _download((f"{docno}\n" for docno in names.iterator()), f"{slug}-docnos.txt")


@signed_in
@require_GET
def contributions(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the pool: topic, docno, run and rank; no text in it is a formula."""
    campaign = guarded(request, slug, check_can_organize)
    current = get_object_or_404(Pool, campaign=campaign)
    return _download(_contribution_lines(current), f"{slug}-pool.tsv")


def _contribution_lines(pool: Pool) -> Iterator[str]:
    tags = dict(pool.contributors.values_list("run_id", "run__tag"))
    entries = pool.entries.order_by("topic__number", "docno")
    rows = entries.values_list("topic__number", "docno", "run_ids", "ranks")
    yield "topic\tdocno\trun\trank\n"
    for topic, docno, run_ids, ranks in rows.iterator():
        for run_id, rank in zip(run_ids, ranks, strict=True):
            yield f"{cell(topic)}\t{cell(docno)}\t{cell(tags[run_id])}\t{rank}\n"


def _download(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
