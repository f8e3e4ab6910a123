"""Pages and files of topics."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models.functions import Left
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import can, why_not
from accounts.fields import SeenForm
from accounts.pages import UserRequest, signed_in
from api.web.uploads import sent
from campaigns.access.campaign import Campaigns
from campaigns.from_above import Progress, progress_of
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Column, Figure, Shown, Sorting
from campaigns.web.frame import guarded, open_to_visitors, page, sentences, streamed
from campaigns.web.lists import page_of
from cleverdon.trec.topics import HIDDEN
from cleverdon.trec.versions import version
from collection.access import Imports, Topics
from collection.from_above import JUDGING
from collection.models.imports import Import
from collection.models.texts import Topic, TopicQuerySet, seen_of
from collection.nouns import TOPICS
from collection.services import collection
from collection.uses import check_can_split, fixed_among, why_not_delete_all
from collection.web.forms import HiddenForm, TopicsForm
from collection.web.texts import imports_of, is_done, text_page, uploaded, versions_file

# Few campaigns have more topics: they are on one page.
TOPICS_PER_PAGE = 300
BEGINNING = 201  # characters of a description, of which the list shows one less
TOPIC_FIELDS = ("number", "title", "description", "narrative")


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def topics(request: UserRequest, slug: str) -> HttpResponse:
    is_post = request.method == "POST"
    campaign = guarded(request, slug, Imports.upload if is_post else Topics.see)
    form = TopicsForm(**sent(request, campaign, "file"))
    if form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("file", "is_short")}
        if row := uploaded(request, campaign, form, Import.Kind.TOPICS, given):
            return redirect("collection:import", slug, row.pk)
    return _topics_page(request, campaign, form)


def _by(progress: Mapping[int, Progress]) -> Sorting:
    """Return what topics are sorted by: also by progress, for those who see it."""
    columns: dict[str, Shown] = {
        "number": Column("sort_key", "number", is_number=True),
        "title": Column("title"),
    }
    if progress:
        columns["pooled"] = Figure(lambda topic: _of(progress, topic).n_pooled)
        columns["judged"] = Cell(lambda topic: _of(progress, topic).share)
    return Sorting("topics", unasked="Number", **columns)


def _of(progress: Mapping[int, Progress], topic: Topic) -> Progress:
    return progress.get(topic.pk, Progress(0, 0))


def _topics_page(
    request: UserRequest, campaign: Campaign, form: TopicsForm, refusal: str = "", **shown: object
) -> HttpResponse:
    at = reverse("collection:topics", args=[campaign.slug])
    organizes = can(Campaigns.organize, request.user, campaign)
    progress = progress_of(campaign) if organizes else {}
    how: dict[str, Any] = {"per_page": TOPICS_PER_PAGE, "at": at, "light": _light}
    topics = page_of(TOPICS, request, campaign, _by(progress), **how)
    hidden = campaign.topic_set.numbers_in(HIDDEN) if organizes else []
    opens_at = campaign.topics_open_at
    context = {
        "form": form,
        "hidden": hidden,
        "hidden_seen": version(hidden),
        "hidden_form": HiddenForm(initial={"numbers": " ".join(hidden)}, known=()),
        "why_not_hide": SimpleLazyObject(partial(_why_not_hide, campaign)),
        "refusal": refusal,
        "topics": topics,
        "rows": [(each, _of(progress, each)) for each in topics],
        "totals": Progress(*map(sum, zip(*progress.values(), strict=True))) if progress else None,
        "topics_closed": bool(opens_at and opens_at > timezone.now()),
        "n_pooled_topics": len(progress),
        "n_topics": TOPICS.rows(request.user, campaign).count(),
        "seen": seen_of(campaign.topic_set.all()),
        "search": topics.form,
        "imports": imports_of(request, campaign, Import.Kind.TOPICS, at),
        # Lazy: only organizers see it, and it reads pools and judgments.
        "why_not_delete": SimpleLazyObject(partial(why_not_delete_all, campaign, Topic)),
        **shown,
    }
    return page(request, "collection/topics.html", campaign, "topics", **context)


def _light(topics: TopicQuerySet) -> TopicQuerySet:
    """Read of each topic only how its description begins."""
    beginning = Left("description", BEGINNING)
    return topics.defer("description", "narrative").annotate(beginning=beginning)


def _why_not_hide(campaign: Campaign) -> str:
    """Return why no topic can be hidden or made public any more; "" if one can."""
    numbers = set(campaign.topic_set.values_list("number", flat=True))
    is_fixed = fixed_among(campaign, Topic, numbers, "split") >= numbers
    return why_not(check_can_split, campaign, numbers) if is_fixed else ""


@signed_in
@require_POST
def delete_topics(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug, Campaigns.organize), SeenForm(request.POST)
    if is_done(request, campaign, form, collection.delete_topics):
        messages.success(request, "All topics are deleted.")
        return redirect("collection:topics", slug)
    return _topics_page(request, campaign, TopicsForm(), sentences(form))


@signed_in
@require_POST
def hide_topics(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Topics.hide)
    known = list(campaign.topic_set.values_list("number", flat=True))
    form = HiddenForm(request.POST, known=known)
    if is_done(request, campaign, form, collection.hide_topics):
        messages.success(request, "The hidden topics are saved.")
        return redirect("collection:topics", slug)
    return _topics_page(request, campaign, TopicsForm(), sentences(form), hidden_form=form)


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def topic(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    is_post = request.method == "POST"
    campaign = guarded(request, slug, Campaigns.organize if is_post else Topics.see)
    seen = TOPICS.rows(request.user, campaign)
    found = get_object_or_404(seen, pk=pk)
    delete = partial(collection.delete_topic, user=request.user, topic=found)
    organizes = can(Campaigns.organize, request.user, campaign)
    shown = {
        "neighbors": found.neighbors(seen),
        "progress": progress_of(campaign).get(found.pk) if organizes else None,
        "judging": [each for judging in JUDGING(found) for each in judging] if organizes else [],
    }
    return text_page(request, campaign, found, found.earlier.all(), delete, **shown)


@signed_in
@require_safe
def topic_versions(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, Topics.see_versions)
    found = get_object_or_404(Topic, campaign=campaign, pk=pk)
    return versions_file(found, TOPIC_FIELDS, f"topic-{found.pk}-versions.jsonl")


def _json_lines(topics: Iterable[Topic], told: Collection[str]) -> Iterator[str]:
    """Yield topics as they can be imported, with a split that is `told`."""
    for topic in topics:
        names = (*TOPIC_FIELDS, "split") if topic.split in told else TOPIC_FIELDS
        fields = {name: getattr(topic, name) for name in names}
        yield f"{json.dumps(fields, ensure_ascii=False)}\n"


def _tsv(topics: Iterable[Topic], _: Collection[str]) -> Iterator[str]:
    """Yield the number and the title of each topic; white space in a title is a blank."""
    return (f"{topic.number}\t{' '.join(topic.title.split())}\n" for topic in topics)


TOPIC_FORMATS = {
    "jsonl": ("application/jsonl", _json_lines),
    "tsv": ("text/tab-separated-values", _tsv),
}


@open_to_visitors
@require_safe
def topics_file(request: UserRequest, slug: str, kind: str) -> StreamingHttpResponse:
    """Download the topics, for systems that make runs."""
    campaign = guarded(request, slug, Topics.see)
    if kind not in TOPIC_FORMATS:
        raise Http404
    content_type, _ = TOPIC_FORMATS[kind]
    return streamed(
        topic_lines(request.user, campaign, kind), f"{slug}-topics.{kind}", content_type
    )


def topic_lines(user: Any, campaign: Campaign, kind: str) -> Iterator[str]:
    """Return the topics that somebody sees as the lines of a file."""
    told = [HIDDEN] if can(Campaigns.organize, user, campaign) else []
    _, write = TOPIC_FORMATS[kind]
    return write(TOPICS.rows(user, campaign), told)
