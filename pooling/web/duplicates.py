"""The page of duplicates: which documents of a topic say the same, or nearly the same."""

from datetime import datetime
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.access import why_not
from accounts.pages import UserRequest, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, listed, page
from cleverdon.trec.streams import storable
from collection.models.imports import Import
from collection.models.texts import Topic
from jobs.models import Job
from pooling.access import Pools
from pooling.models.batches import Batch
from pooling.models.likenesses import Duplicates, Likeness
from pooling.services import request_duplicates
from pooling.tasks import find_duplicates


class TopicDuplicates(NamedTuple):
    topic: Topic
    found: Duplicates


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def duplicates(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers what was found last, of one topic or of all, and have it found again."""
    campaign = guarded(request, slug, Pools.see_duplicates)
    if request.method == "POST":
        if refusal := attempt(request_duplicates, user=request.user, campaign=campaign):
            messages.error(request, refusal)
        return redirect("pooling:duplicates", slug)
    number = request.GET.get("topic", "")
    topic = get_object_or_404(campaign.topic_set, number=storable(number)) if number else None
    # Read before its result: if the job ends meanwhile, the page still loads itself again.
    job = Job.objects.about(find_duplicates.name, campaign.pk)
    context = {
        "job": job,
        "is_looking": job and not job.is_finished,
        "why_not_find": why_not(Pools.find_duplicates, request.user, campaign),
        "topic": topic,
        **last_search(campaign),
        **_found(request, campaign, topic),
    }
    return page(request, "pooling/duplicates.html", campaign, "pool", **context)


def last_search(campaign: Campaign) -> dict[str, Any]:
    """Return the job that found what there is, and whether documents have changed since."""
    jobs = Job.objects.filter(kind=find_duplicates.name, subject_id=campaign.pk)
    last = jobs.filter(state=Job.State.DONE).select_related("created_by").order_by("pk").last()
    return {"last": last, "is_outdated": last and _has_changed_since(campaign, last.started_at)}


def _has_changed_since(campaign: Campaign, at: datetime | None) -> bool:
    batches = Batch.objects.filter(campaign=campaign, created_at__gt=at).built()
    imports = Import.objects.filter(campaign=campaign, kind=Import.Kind.DOCUMENTS)
    return batches.exists() or imports.filter(imported_at__gt=at).exists()


def _found(request: UserRequest, campaign: Campaign, topic: Topic | None) -> dict[str, Any]:
    rows = Likeness.objects.of(campaign)
    counts = rows.of_each_topic()
    topics = campaign.topic_set.defer("description", "narrative")
    found = [TopicDuplicates(each, counts[each.pk]) for each in topics if each.pk in counts]
    shown = rows.filter(topic=topic) if topic else rows
    shown = shown.select_related("topic", "item")
    in_order = shown.order_by("topic__sort_key", "topic__number", "group", "text", "item__key")
    return {
        "topics": found,
        "n_documents": sum(each.found.n_documents for each in found),
        "n_exact": sum(each.found.n_exact for each in found),
        "n_near": sum(each.found.n_documents - each.found.n_exact for each in found),
        "n_without_document": Batch.objects.filter(campaign=campaign).n_missing(),
        "rows": listed(request, in_order),
    }
