"""The lists of a campaign as files."""

from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize, check_can_see_topics
from campaigns.access.runs import (
    check_can_see_released_runs,
    check_can_see_runs,
    released_of,
)
from campaigns.lists import (
    TOPIC_FORMATS,
    events_csv,
    people_csv,
    released_runs_csv,
    runs_csv,
)
from campaigns.models.people import Membership
from campaigns.models.run import Run
from campaigns.models.trail import AuditEvent
from campaigns.pages import guarded, open_to_visitors, streamed


@open_to_visitors
@require_safe
def topics(request: UserRequest, slug: str, kind: str) -> StreamingHttpResponse:
    """Download the topics, in their order, as whoever makes runs needs them."""
    campaign = guarded(request, slug, check_can_see_topics)
    if kind not in TOPIC_FORMATS:
        raise Http404
    content_type, write = TOPIC_FORMATS[kind]
    return streamed(write(campaign.topic_set.all()), f"{slug}-topics.{kind}", content_type)  # fmt: skip


@signed_in
@require_safe
def runs(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the list of the runs that the person may see."""
    campaign = guarded(request, slug, check_can_see_runs)
    rows = Run.objects.visible_to(request.user, campaign)
    return streamed(runs_csv(rows.iterator()), f"{slug}-runs.csv", "text/csv")


@open_to_visitors
@require_safe
def released_runs(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the list of the runs that are released."""
    campaign = guarded(request, slug, check_can_see_released_runs)
    rows = released_of(campaign)
    lines = released_runs_csv(rows.iterator())
    return streamed(lines, f"{slug}-released-runs.csv", "text/csv")


@signed_in
@require_safe
def people(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    members = Membership.objects.for_people(campaign)
    return streamed(people_csv(members), f"{slug}-people.csv", "text/csv")


@signed_in
@require_safe
def events(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download who did what, the first first."""
    campaign = guarded(request, slug, check_can_organize)
    rows = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
    lines = events_csv(rows.order_by("pk").iterator())
    return streamed(lines, f"{slug}-events.csv", "text/csv")
