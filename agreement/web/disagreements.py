"""Pages of the documents behind a figure of agreement, and of the confusion matrices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from agreement.access import AgreementFigures
from agreement.core.differences import Difference
from agreement.nouns import DISAGREEMENTS, DisagreementFilter, Seen
from agreement.web.figures import Links, short_names
from agreement.web.matrices import grade_matrix
from assess.models.sharing import SharedQueue
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, page
from campaigns.web.lists import csv_of
from cleverdon.agreement.measured import in_order
from cleverdon.agreement.ratings import Ratings
from cleverdon.trec.ordering import natural_key
from collection.models.texts import Document

disagreements_file = csv_of(DISAGREEMENTS, as_asked=True)

PER_PAGE = 50
MATRICES_PER_PAGE = 40
BY = {"pair": "By pair of assessors", "topic": "By topic"}
CAPTIONS = {
    "pair": "the one named first down, the other across",
    "topic": "the official grade down, the second one across",
}
IN_SHARED = (
    "the primary assessor's grade down, the second one across; "
    "in shared topics the earlier down, the later across"
)
# A topic or a pair of assessors, its ratings, and what asks for its documents.
Table = tuple[str, Ratings, dict[str, object]]


def has_shared(campaign: Campaign) -> bool:
    return SharedQueue.objects.filter(topic__campaign=campaign).exists()


def with_titles(
    campaign: Campaign, found: Sequence[Difference]
) -> list[tuple[Difference, str, list[tuple[int, str, int]]]]:
    """Return documents with title, and each grade with its assessor and the assignment's id."""
    titles = Document.objects.filter(campaign=campaign).titles([each.docno for each in found])
    names = short_names({name for its in found for name in (its.name, its.other_name)})
    return [
        (
            its,
            titles.get(its.docno) or its.docno,
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


@signed_in
@require_safe
def matrices(request: UserRequest, slug: str) -> HttpResponse:
    """Show the confusion matrices of the pairs or topics, paged: they may be thousands of cells."""
    campaign = guarded(request, slug, AgreementFigures.see_pairs)
    chosen = request.GET.get("by", "pair")
    if chosen not in BY:
        raise Http404
    ratings, scale = Seen.by(request.user, campaign).tallies.grades, campaign.scale
    tables = list(of_topics(campaign, ratings) if chosen == "topic" else of_pairs(ratings))
    shown = listed(request, tables, per_page=MATRICES_PER_PAGE)
    context = {
        "rows": shown,
        "matrices": [
            (name, grade_matrix(in_order(its), scale.grades, Links(slug, asked, are_shown=True)))
            for name, its, asked in shown
        ],
        "chosen": chosen,
        "caption": IN_SHARED if chosen == "topic" and has_shared(campaign) else CAPTIONS[chosen],
        "choices": list(BY.items()),
    }
    return page(request, "agreement/matrices.html", campaign, "agreement", **context)


def of_topics(campaign: Campaign, ratings: Ratings) -> Iterator[Table]:
    titles = dict(campaign.topic_set.values_list("number", "title"))
    for n, each in enumerate(ratings.topics):
        its = ratings.only(ratings.topic == n)
        if its.n_items:
            yield f"Topic {each} {titles.get(each, '')}".strip(), its, {"topic": each}


def of_pairs(ratings: Ratings) -> Iterator[Table]:
    """Yield the ratings of each pair, the one who is named first before the other."""
    turned, names = ratings.in_pairs().turned(), short_names(ratings.raters)
    for one, other in np.unique(turned.rater, axis=0).tolist():
        both = ratings.raters[one], ratings.raters[other]
        if natural_key(names[both[0]]) < natural_key(names[both[1]]):
            its = turned.only((turned.rater == (one, other)).all(axis=1))
            title = " and ".join(names[each] for each in both)
            yield title, its, {"assessor": both[0], "other": both[1]}
