"""Pages of agreement: the figures over all documents, by pair and by topic, and the confusion matrices behind them."""

from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import labels
from accounts.pages import UserRequest, signed_in
from assess.core.agreement import AgreementReport, Comparison, agreement_report
from assess.models import Judgment
from campaigns.access import check_can_organize
from campaigns.core.ordering import natural_key
from campaigns.models import Campaign
from campaigns.pages import guarded, listed, page

MATRICES_PER_PAGE = 40
BY = {"pair": "By pair of assessors", "topic": "By topic"}


class Named(NamedTuple):
    """A report, and its comparisons by the names that a page shows."""

    report: AgreementReport
    by: dict[str, list[tuple[str, Comparison]]]


def _report(campaign: Campaign) -> Named:
    scale = campaign.scale
    rows = Judgment.objects.twice_judged(campaign)
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(rows, grades=grades, level=scale.level)
    names = labels(name for pair in report.by_pair for name in pair)
    pairs = [
        (" and ".join(names[name] for name in pair), each)
        for pair, each in report.by_pair.items()
    ]
    pairs.sort(key=lambda pair: natural_key(pair[0]))
    return Named(report, {"pair": pairs, "topic": list(report.by_topic.items())})


@signed_in
@require_safe
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    report, by = _report(campaign)
    context = {
        "report": report,
        "scale": campaign.scale,
        "binary_note": f"Relevant means grade {campaign.scale.level} and above.",
        "pairs": by["pair"],
        "topics": by["topic"],
    }
    return page(request, "assess/agreement.html", campaign, "agreement", **context)


@signed_in
@require_safe
def matrices(request: UserRequest, slug: str) -> HttpResponse:
    """Show the confusion matrices of the pairs or topics, some a page: those of a large campaign are thousands of cells."""
    campaign = guarded(request, slug, check_can_organize)
    chosen = request.GET.get("by", "pair")
    if chosen not in BY:
        raise Http404
    rows = _report(campaign).by[chosen]
    context = {
        "rows": listed(request, rows, per_page=MATRICES_PER_PAGE),
        "chosen": chosen,
        "choices": list(BY.items()),
    }
    return page(request, "assess/matrices.html", campaign, "agreement", **context)
