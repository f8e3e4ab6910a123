"""What every page of a campaign needs: its guard, and the frame around it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, cast

from django import forms
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from accounts.access import NotThere, Refused, can, check
from accounts.models import User
from accounts.pages import UserRequest, View, came_from, signed_in, typed_into
from campaigns.access.campaign import Campaigns
from campaigns.access.roles import roles, team_of
from campaigns.dates import next_date
from campaigns.from_above import TABS
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.sorting import UNSORTED, Sorting
from campaigns.web.listing import Listing, ListPage
from cleverdon.pictures.files import FORMATS
from cleverdon.pictures.picture import Picture
from cleverdon.trec.cells import in_blocks
from jobs import work
from jobs.models import Job

# An address below a campaign.
IN_CAMPAIGN = re.compile(r"/campaigns/([-\w]+)/")
# Rows of a list on one page.
PER_PAGE = 100

Pictures = Mapping[str, Picture | None]
# A verb of a campaign, as `guarded` asks for it.
Asked = Callable[[User, Campaign], None]


def sentences(form: forms.Form) -> str:
    """Join the error messages of a form, for a page that does not show the form again."""
    return " ".join(str(message) for errors in form.errors.values() for message in errors)


def is_viewed(request: HttpRequest) -> bool:
    """Whether an organizer looks at the page in the place of who sees it: see `viewing`."""
    return hasattr(request, "viewer")


def whole_number(text: str) -> int:
    """Return the number that a page sent, 0 for anything else."""
    return int(text) if re.fullmatch(r"\d{1,9}", text) else 0


def part_asked(request: HttpRequest) -> int:
    """Return where the part of a text begins that the address asks for."""
    return whole_number(request.GET.get("from", ""))


def listed(
    request: HttpRequest,
    rows: Any,
    sorting: Sorting = UNSORTED,
    *,
    per_page: int = 0,
    name: str = "page",
    at: str = "",
) -> ListPage:
    """Return the page of a list that the address asks for under `name`, or the nearest one.

    It is sorted as the address asks, if `sorting` offers that. `at` is the list's address, if this
    answers a form that was sent elsewhere.
    """
    # A form that was refused may have been sent where no page is.
    is_fixed = request.method == "POST" and not at
    asked, n = request.GET, per_page or PER_PAGE
    pages = Listing(rows, n, at=at, query=asked, name=name, sorting=sorting, is_fixed=is_fixed)
    return cast("ListPage", pages.get_page(request.GET.get(name)))


def tabled(request: HttpRequest, rows: Sequence[Any], sorting: Sorting) -> ListPage:
    """Return rows that stand on one page, in the order that the address asks for."""
    return listed(request, rows, sorting, per_page=len(rows), name=f"{sorting.table}-page")


def done(form: forms.BaseForm, act: Callable[[], Any], field: str | None = None) -> Any | None:
    """Do what a form asks for and return the result, or True; show a refusal in the form.

    It is shown at the field that the refusal names, or at `field`, or above the form. Refusals that
    are not about what was sent, such as a missing right or a full disk, are raised.
    """
    try:
        return act() or True
    except Refused as refusal:
        check_is_of_the_state(refusal)
        about = getattr(refusal, "field", field)
        form.add_error(about if about in form.fields else None, str(refusal))
    return None


def attempt(act: Callable[..., object], **values: Any) -> str:
    """Do it; return the sentence of a refusal, for the page that asked for it."""
    try:
        act(**values)
    except Refused as refusal:
        check_is_of_the_state(refusal)
        return str(refusal)
    return ""


def check_is_of_the_state(refusal: Refused) -> None:
    """Raise a refusal again unless a page can show it with what was sent."""
    if refusal.status != Refused.status:
        raise refusal


def guarded(request: UserRequest, slug: str, verb: Asked = Campaigns.see_as_member) -> Campaign:
    """Return the campaign to somebody who may do this to it; Http404 for an unknown slug."""
    campaign = get_object_or_404(Campaign, slug=slug)
    check(verb, request.user, campaign)
    return campaign


def is_shown(request: HttpRequest, now: str) -> bool:
    """Tell whether a page that asks for a part again shows it as it is `now`: the answer is 204."""
    return request.headers.get("Shown") == now


def open_to_visitors(view: View) -> View:
    """Let the view's verb decide; ask visitors to sign in where it says that nothing is there."""

    @wraps(view)
    def guard(request: HttpRequest, *arguments: object, **options: object) -> HttpResponseBase:
        if request.user.is_authenticated or request.method not in {"GET", "HEAD"}:
            return signed_in(view)(request, *arguments, **options)
        try:
            return view(request, *arguments, **options)
        except (NotThere, Http404):
            return signed_in(view)(request, *arguments, **options)

    return guard


def frame(request: HttpRequest, campaign: Campaign, tab: str) -> dict[str, Any]:
    """Return what the frame of a campaign's page shows."""
    if request.user.is_authenticated:  # the verbs of the tabs ask for the roles
        request.user.memberships_known = request.user.memberships_known or {}
    user_roles, team = roles(request.user, campaign), team_of(request.user, campaign)
    is_organizer = Role.ORGANIZER in user_roles
    has_dates = user_roles and not campaign.archived_at
    if not is_organizer:
        prefetch_related_objects([campaign], "releases")
    return {
        "campaign": campaign,
        "tab": tab,
        "next_date": next_date(campaign, user_roles, team) if has_dates else None,
        "tabs": [tab for tab in sorted(TABS) if tab.is_for(request.user, user_roles, campaign)],
        "is_organizer": is_organizer,
        "is_assessor": Role.ASSESSOR in user_roles,
        "is_participant": Role.PARTICIPANT in user_roles,
        "no_worker": is_organizer and not work.is_worker_alive(),
        # Counted by the template that says it.
        "n_waiting_jobs": Job.objects.filter(campaign=campaign).unfinished().count,
    }


def page(
    request: UserRequest, template: str, campaign: Campaign, tab: str, /, **context: Any
) -> HttpResponse:
    """Render a page inside the campaign's frame.

    A POST is answered with a page only if its form was refused, hence 422. The `pictures` of the
    context can be downloaded from the page's address, under names that end in the `stamp`.
    """
    status = 422 if request.method == "POST" else 200
    pictures: Pictures = context.get("pictures", {})
    if request.method != "POST":
        if asked := request.GET.get("picture"):
            return _picture_file(pictures, asked, campaign.slug, context.get("stamp"))
        context["pictures"] = _with_files(pictures, request.get_full_path())
    context = {**frame(request, campaign, tab), **context}
    return part(request, template, campaign, status=status, **context)


def part(
    request: HttpRequest, template: str, campaign: Campaign, /, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page or a part of one, with all times in the campaign's zone."""
    context |= {"campaign": campaign}
    with timezone.override(campaign.zone):
        return render(request, template, context, status=status)


def streamed(
    lines: Iterable[str], name: str, content_type: str = "text/plain"
) -> StreamingHttpResponse:
    """Send lines as a file as they come, so that few are in memory."""
    content_type = f"{content_type}; charset=utf-8"
    response = StreamingHttpResponse(in_blocks(lines), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _with_files(pictures: Pictures, address: str) -> Pictures:
    """Give each picture of a page the addresses of its files: the page's own, with its name."""
    start = f"{address}{'&' if '?' in address else '?'}picture="

    def files(name: str) -> tuple[tuple[str, str], ...]:
        return tuple((kind.upper(), f"{start}{name}.{kind}") for kind in FORMATS)

    return {
        name: picture and replace(picture, files=files(name)) for name, picture in pictures.items()
    }


def _picture_file(pictures: Pictures, asked: str, slug: str, stamp: str | None) -> HttpResponse:
    """Send a picture of a page as a file; Http404 for another name or format."""
    name, _, kind = asked.rpartition(".")
    picture = pictures.get(name)
    if kind not in FORMATS or not picture:
        raise Http404
    content_type, write = FORMATS[kind]
    response = HttpResponse(write(picture), content_type=content_type)
    name = "-".join(filter(None, (slug, name, stamp)))
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def framed_refusal(
    request: HttpRequest, title: str, sentence: str, status: int
) -> HttpResponse | None:
    """Answer with a sentence in the campaign's frame; None if the person may not know of it."""
    match = IN_CAMPAIGN.match(request.path_info)
    slug = match[1] if match else None
    campaign = Campaign.objects.filter(slug=slug).first() if slug else None
    if not campaign or not can(Campaigns.see, request.user, campaign):
        return None
    back = came_from(request)
    context = {
        **frame(request, campaign, ""),
        "title": title,
        "sentence": sentence,
        "typed": typed_into(request),
        "back": back if back != request.get_full_path() else "",
    }
    return part(request, "campaigns/refused.html", campaign, status=status, **context)
