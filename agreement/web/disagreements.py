"""The page of the documents behind a figure of agreement."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from agreement.access import AgreementFigures
from agreement.core.differences import Difference
from agreement.nouns import DISAGREEMENTS, AgreementFilter, DisagreementFilter
from agreement.web.figures import short_names
from assess.models.sharing import SharedQueue
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, page
from campaigns.web.lists import csv_of
from collection.models.texts import Document

disagreements_file = csv_of(DISAGREEMENTS, as_asked=True)

PER_PAGE = 50


def has_shared(campaign: Campaign) -> bool:
    return SharedQueue.objects.filter(topic__campaign=campaign).exists()


def with_titles(
    campaign: Campaign, found: Sequence[Difference]
) -> list[tuple[Difference, str, int, list[tuple[int, str, int]]]]:
    """Return documents with title and topic's id, and each grade with assessor and assignment."""
    numbers = {each.topic for each in found}
    topics = dict(campaign.topic_set.filter(number__in=numbers).values_list("number", "pk"))
    titles = Document.objects.filter(campaign=campaign).titles([each.docno for each in found])
    names = short_names({name for its in found for name in (its.name, its.other_name)})
    return [
        (
            its,
            titles.get(its.docno) or its.docno,
            topics[its.topic],
            [
                (its.grade, names[its.name], its.assignment),
                (its.other_grade, names[its.other_name], its.other_assignment),
            ],
        )
        for its in found
    ]


@signed_in
@require_safe
def disagreements(request: UserRequest, slug: str) -> HttpResponse:
    """Show the documents behind a figure, with the grades of two people, the farthest first."""
    campaign = guarded(request, slug, AgreementFigures.see_pairs)
    form = DisagreementFilter(request.GET)
    rows = DISAGREEMENTS.matching(request.user, campaign, form)
    shown = listed(request, rows, per_page=PER_PAGE)
    filters = form.cleaned_data if form.is_valid() else {}
    context = {
        "rows": shown,
        "shown": with_titles(campaign, list(shown)),
        "chosen": _words(form, filters),
        "query": request.GET.urlencode(),
        "figures_of": urlencode(
            {name: filters.get(name) or "" for name in AgreementFilter.base_fields}
        ),
        "has_shared": has_shared(campaign),
    }
    return page(request, "agreement/disagreements.html", campaign, "agreement", **context)


def _words(form: DisagreementFilter, filters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what was asked for, as names and words."""
    choices = dict(form.fields["relevant"].choices)  # type: ignore[attr-defined]
    return [
        (str(form.fields[name].label or name.replace("_", " ")), str(choices.get(value, value)))
        for name, value in filters.items()
        if value not in ("", None)
    ]
