"""Pages of agreement: the figures over all documents, by pair and by topic, and the confusion matrices behind them."""

from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import labels
from accounts.pages import UserRequest, signed_in
from assess.core.agreement import (
    AgreementReport,
    Comparison,
    TwiceJudged,
    agreement_report,
)
from assess.core.differences import ENOUGH
from assess.models import Judgment
from assess.pages import agreement as drawn
from campaigns.access import check_can_organize
from campaigns.core.ordering import natural_key
from campaigns.models import Campaign
from campaigns.pages import guarded, listed, page

MATRICES_PER_PAGE = 40
BY = {"pair": "By pair of assessors", "topic": "By topic"}


class Named(NamedTuple):
    """A report, the rows it comes from, and its comparisons by the names that a page shows."""

    rows: list[TwiceJudged]
    report: AgreementReport
    by: dict[str, list[tuple[str, Comparison]]]


def _report(campaign: Campaign) -> Named:
    scale = campaign.scale
    rows = list(Judgment.objects.twice_judged(campaign))
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(rows, grades=grades, level=scale.level)
    names = labels(name for pair in report.by_pair for name in pair)
    pairs = [
        (" and ".join(names[name] for name in pair), each)
        for pair, each in report.by_pair.items()
    ]
    pairs.sort(key=lambda pair: natural_key(pair[0]))
    return Named(rows, report, {"pair": pairs, "topic": list(report.by_topic.items())})


@signed_in
@require_safe
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    """Show kappa, and where it comes from: grade by grade, pair by pair, topic by topic, document by document."""
    campaign = guarded(request, slug, check_can_organize)
    found = _report(campaign)
    context = {
        "report": found.report,
        "scale": campaign.scale,
        "n_enough": ENOUGH,
        "pairs": found.by["pair"],
        "topics": found.by["topic"],
        **(_shown(request, campaign, found) if found.rows else {}),
    }
    return page(request, "assess/agreement.html", campaign, "agreement", **context)


def _shown(request: UserRequest, campaign: Campaign, found: Named) -> dict[str, Any]:
    rows, report, by = found
    names = drawn.short_names([name for pair in report.by_pair for name in pair])
    whole = request.GET.get("whole", "")

    def up_to(n: int, what: str) -> int | None:
        return None if whole == what else n

    n_topics, n_pairs = up_to(drawn.ROWS, "topics"), up_to(drawn.ROWS, "pairs")
    forest, axis = drawn.topic_by_topic(report, campaign, at_most=n_topics)
    relevant, graded = drawn.cards(report)
    leanings = drawn.strict_and_lenient(rows, campaign.scale.level, names)
    shown = drawn.both_ends(leanings, up_to(drawn.LEANINGS, "assessors"))
    pairs = drawn.pair_by_pair(report, names)
    far = up_to(drawn.DISAGREEMENTS, "disagreements")
    return {
        "relevant": relevant,
        "graded": graded,
        "matrix": drawn.grade_by_grade(rows, campaign.scale),
        "by_pair": pairs,
        "pictures": {"pairs": pairs["picture"]},
        "forest": forest,
        "n_more_topics": len(report.by_topic) - len(forest),
        "axis": axis,
        "leanings": shown,
        "n_more_leanings": len(leanings) - len(shown),
        "disagreements": drawn.disagreements(rows, campaign, names, at_most=far),
        "pairs_shown": by["pair"][:n_pairs],
        "n_more_pairs": len(by["pair"][n_pairs:]) if n_pairs else 0,
    }


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
