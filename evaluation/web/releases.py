"""The page that says who sees what, and from when."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import why_not
from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import what_closes_board
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.web.campaign_forms import SECTION_TITLES
from campaigns.web.frame import attempt, done, guarded, page, sentences, whole_number
from campaigns.web.zones import zone_shown
from cleverdon.trec.versions import version
from evaluation import services
from evaluation.access import FEWEST_OTHERS, Releases
from evaluation.models.scores import Evaluation
from evaluation.releasing import ONE_BY_ONE, described, is_or_will_be, named, not_in, released
from evaluation.web.release_forms import ReleaseForm, TakeBackReleaseForm
from runs.access.teams import may_yet_submit

What, Audience = Release.What, Release.Audience
NOTES = {
    What.SCORES: "The teams see their own runs, beside the best, median and worst of all once "
    f"{FEWEST_OTHERS} other teams are scored; everybody sees every run.",
    What.QRELS: "One version, with its file.",
    What.POOL: "One version: each document with the runs that found it. It names every run.",
    What.TOPICS: "Those there are when they are released. Assessors see all at any time.",
    What.RUNS: "Those valid when they are released: tag, team, description, file.",
    What.AGREEMENT: "The figures as of a version of the qrels, without a name of an assessor.",
}

# What teams that may still submit would see before they do.
SEEN_FIRST = {
    What.SCORES: "scores",
    What.QRELS: "judgments",
    What.POOL: "others' runs",
    What.RUNS: "others' runs",
}


class AudienceCell(NamedTuple):
    """An audience and its release, if there is one; `is_public` if everybody has it.

    `later` says what has come since; `before` are the last that the audience saw before, with their
    names: what was taken back, and what that had replaced.
    """

    audience: str
    release: Release | None
    name: str
    is_public: bool
    later: str
    before: list[tuple[Release, str]]


class ReleaseRow(NamedTuple):
    """Something that can be released; `seen` is the version of what the page shows."""

    what: str
    label: str
    note: str
    cells: list[AudienceCell]
    seen: str


def release_rows(campaign: Campaign) -> list[ReleaseRow]:
    """Return a row for each thing that can be released, with a cell for each audience."""
    releases = {(each.what, each.audience): each for each in campaign.releases.standing()}
    return [
        ReleaseRow(
            what,
            what.label,
            NOTES[what],
            [_cell(campaign, releases, what, audience) for audience in Audience],
            version(released(campaign, what)),
        )
        for what in What
    ]


def _cell(
    campaign: Campaign, releases: Mapping[tuple[str, str], Release], what: str, audience: str
) -> AudienceCell:
    release, public = (releases.get((what, each)) for each in (audience, Audience.EVERYBODY))
    is_public = bool(public and public.is_in_force)
    now = (release, named(release) if release else "", is_public)
    seen = campaign.releases.seen_before(what, audience)[: 1 if release else 2]
    before = [(each, named(each)) for each in seen]
    return AudienceCell(audience, *now, not_in(release) if release else "", before)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def releases(request: UserRequest, slug: str) -> HttpResponse:
    """Show what is released, and to whom; with `what`, the form that releases it."""
    campaign = guarded(request, slug, Releases.see)
    what = _what(request)
    form = _form(request, campaign, what) if what else None
    if form and form.is_bound:
        with timezone.override(zone_shown(request.POST, campaign)):
            is_valid = form.is_valid()
        act = partial(services.release, user=request.user, campaign=campaign)
        given = {name: each for name, each in form.cleaned_data.items() if name != "times_are_in"}
        if is_valid and (row := done(form, partial(act, **given))):
            messages.success(request, _sentence(row))
            return redirect("evaluation:releases", slug)
        form.renew()
    context = {
        "sections": SECTION_TITLES,
        "section": "releases",
        "form": form,
        "what": what,
        "rows": release_rows(campaign),
        "consequences": _consequences(campaign, what) if what else [],
        "why_not": why_not(Releases.make, request.user, campaign),
        "what_closes_board": what_closes_board(campaign),
    }
    return page(request, "evaluation/releases.html", campaign, "settings", **context)


def _consequences(campaign: Campaign, what: Release.What) -> list[str]:
    """Say what a release names and replaces, and who may still submit when others' runs show."""
    standing = campaign.releases.standing().filter(what=what).order_by("audience")
    replaced = [f"It replaces, for the same people: {described(each)}." for each in standing]
    open_still = may_yet_submit(campaign) if what in SEEN_FIRST else ""
    if open_still:
        open_still += f" Teams that may still submit would see the {SEEN_FIRST[what]} first."
    noun = ONE_BY_ONE.get(what)
    names = noun and f"It names each {noun} that there is now. What comes later is not in it."
    return list(filter(None, [names, *replaced, open_still]))


def _what(request: UserRequest) -> Release.What | None:
    """Return what the address or the form is about; None for nothing."""
    sent = request.POST if request.method == "POST" else request.GET
    name = sent.get("what", "")
    if name not in What.values:
        if name or request.method == "POST":
            raise Http404
        return None
    return What(name)


def _form(request: UserRequest, campaign: Campaign, what: Release.What) -> ReleaseForm:
    data = request.POST if request.method == "POST" else None
    asked = (data or request.GET).dict()
    return ReleaseForm(data, campaign=campaign, what=what, asked=asked)


def _sentence(release: Release) -> str:
    audience = release.get_audience_display().lower()
    return f"{named(release)} {is_or_will_be(release)} released to {audience}."


@signed_in
@require_POST
def take_back(request: UserRequest, slug: str) -> HttpResponse:
    """Take a release back; a refusal is shown on the page of releases."""
    campaign, form = guarded(request, slug, Releases.take_back), TakeBackReleaseForm(request.POST)
    refusal = sentences(form)
    if form.is_valid():
        act = partial(services.take_back_release, user=request.user, campaign=campaign)
        refusal = attempt(act, **form.cleaned_data)
    if refusal:
        messages.error(request, refusal)
    else:
        audience = Audience(form.cleaned_data["audience"]).label.lower()
        messages.success(request, f"The release to {audience} is taken back.")
    return redirect("evaluation:releases", slug)


@signed_in
@require_POST
def replace(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show other scores to all who see these; a refusal is shown on the leaderboard."""
    campaign = guarded(request, slug, Releases.replace)
    finished = Evaluation.objects.finished(campaign)
    these = get_object_or_404(finished, pk=pk)
    by = get_object_or_404(finished, pk=whole_number(request.POST.get("by", "")))
    act = partial(services.replace_scores, user=request.user)
    if refusal := attempt(act, evaluation=these, by=by):
        messages.error(request, refusal)
    else:
        messages.success(request, f"The scores against {by.name} are released instead.")
    return redirect("evaluation:leaderboard", slug)
