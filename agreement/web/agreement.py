"""Pages of agreement: its figures in all, by pair and by topic, and the confusion matrices."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from agreement.access import AgreementFigures, version_seen
from agreement.core.differences import Difference, differences, far_topics, leanings
from agreement.tallies import Tallies, as_of, so_far
from agreement.web import figures
from agreement.web.drawing import pair_triangle
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from campaigns.core.criteria import Criterion
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, open_to_visitors, page
from cleverdon.agreement.statistics import (
    ENOUGH,
    Agreement,
    AgreementReport,
    Tally,
    agreement_report,
    overall_agreement,
)
from collection.models.texts import Document

DISAGREEMENTS = 10  # before "All 23"


def disagreements(tally: Tally, campaign: Campaign, at_most: int | None) -> dict[str, Any]:
    """Return how many documents have grades two or more steps apart, and the first of them.

    Each has a title, and its two grades with the assessor and the id of the assignment. `at_most`
    is None for all of them.
    """
    scale = [grade.value for grade in campaign.scale.grades]
    n, topics = far_topics(tally, scale, at_most)
    names = figures.short_names({name for _, one, _, other, _ in tally for name in (one, other)})
    rows = Judgment.objects.counting().filter(topic__number__in=topics).twice_judged(campaign)
    shown = differences(rows, scale)[:at_most]
    titles = Document.objects.filter(campaign=campaign).titles([each.docno for each in shown])
    assignments = _assignments(campaign, shown)

    shown_rows = []
    for each in shown:
        judged = ((each.grade, each.name), (each.other_grade, each.other_name))
        grades = [
            (grade, names[name], assignments.get((each.topic, each.docno, name)))
            for grade, name in judged
        ]
        shown_rows.append((each, titles.get(each.docno) or each.docno, grades))
    return {"n": n, "rows": shown_rows}


def _assignments(
    campaign: Campaign, shown: Sequence[Difference]
) -> dict[tuple[str, str, str], int]:
    """Return the assignment of each judgment by topic, docno and username."""
    judgments = (
        Judgment.objects.counting()
        .graded()
        .filter(
            topic__campaign=campaign,
            topic__number__in={each.topic for each in shown},
            item__key__in={each.docno for each in shown},
        )
    )
    rows = judgments.values_list("topic__number", "item__key", "assessor__username", "assignment")
    return {(topic, docno, name): pk for topic, docno, name, pk in rows}


MATRICES_PER_PAGE = 40
LEANINGS = 6  # before "n more between them"
FEW_TOPICS = 8  # a shorter list would leave a gap next to the disagreements
BY = {"pair": "By pair of assessors", "topic": "By topic"}
CAPTIONS = {
    "pair": "the one named first down, the other across",
    "topic": "the official grade down, the second one across",
}
IN_SHARED = (
    "the primary assessor's grade down, the second one across; "
    "in shared topics the earlier down, the later across"
)


def _further(campaign: Campaign, found: Tallies) -> list[tuple[Criterion, Agreement, int]]:
    """Return each further criterion answered twice, its agreement and the percentage of equals."""
    rows: list[tuple[Criterion, Agreement, int]] = []
    for each in campaign.every_criterion[1:]:
        values = [answer.value for answer in each.answers]
        graded = overall_agreement(found.by_criterion[each.name], values)
        if graded.raw is not None:
            rows.append((each, graded, round(100 * graded.raw)))
    return rows


def _has_shared(campaign: Campaign) -> bool:
    return SharedQueue.objects.filter(topic__campaign=campaign).exists()


@open_to_visitors
@require_safe
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    """Show kappa, and where it comes from: by grade, pair of assessors, topic and document.

    Only organizers see the names of assessors, and documents.
    """
    campaign = guarded(request, slug, AgreementFigures.see)
    version, scale = version_seen(request.user, campaign), campaign.scale
    criteria = tuple(each.name for each in campaign.every_criterion)
    found = as_of(version.judgments, criteria) if version else so_far(campaign)
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(found.grades, grades=grades, level=scale.level)
    context: dict[str, Any] = {
        "report": report,
        "scale": scale,
        "n_enough": ENOUGH,
        "in_pairs": found.in_pairs,
        "documents": str(found),
        "has_shared": _has_shared(campaign),
        "version": version,
        "further": _further(campaign, found),
    }
    if found.grades:
        context |= _figures(request, campaign, found, report)
    if not can(AgreementFigures.see_pairs, request.user, campaign):
        context["pictures"] = {}  # they name assessors
    elif found.grades:
        far = None if request.GET.get("whole") == "disagreements" else DISAGREEMENTS
        context["disagreements"] = disagreements(found.grades, campaign, far)
    return page(request, "agreement/agreement.html", campaign, "agreement", **context)


def _figures(
    request: UserRequest, campaign: Campaign, found: Tallies, report: AgreementReport
) -> dict[str, Any]:
    names = figures.short_names({name for pair in report.by_pair for name in pair})
    whole = request.GET.get("whole", "")
    topics, pairs = figures.topics_by_kappa(report, campaign), figures.pairs_by_kappa(report, names)
    by, tally = figures.topics_by(in_pairs=found.in_pairs), found.grades
    relevant, graded = figures.cards(report)
    by_pair = figures.pair_matrix(report, names)
    has_matrix = by_pair.is_small or by_pair.is_drawn
    few_topics = len(topics.rows) < FEW_TOPICS or whole == "disagreements"
    everybody = [
        each._replace(name=names[each.name]) for each in leanings(tally, campaign.scale.level)
    ]
    at_ends = figures.both_ends(everybody, None if whole == "assessors" else LEANINGS)
    return {
        "spans": _spans(has_matrix, few_topics),
        "has_matrix": has_matrix,
        "relevant": relevant,
        "graded": graded,
        "matrix": figures.of_all(tally, campaign.scale),
        "by_pair": by_pair,
        "pictures": {"pairs": pair_triangle(by_pair) if by_pair.is_drawn else None},
        "topics": topics,
        "n_too_few": len(report.by_topic) - len(topics.rows),
        "leanings": at_ends,
        "n_more_leanings": len(everybody) - len(at_ends),
        "pairs": pairs,
        "shown_topics": listed(request, topics.rows, by, name="topics-page"),
        "shown_pairs": listed(request, pairs.rows, figures.PAIRS, name="pairs-page"),
    }


def _spans(has_matrix: bool, few_topics: bool) -> dict[str, str]:
    """Return the widths of the cards, so that each line of them is full."""
    wide = has_matrix and few_topics
    return {
        "grades": "of-6" if has_matrix else "of-5",
        "topics": "of-12" if wide else "of-7",
        "far": "of-12" if wide or not has_matrix else "of-5",
    }


@signed_in
@require_safe
def matrices(request: UserRequest, slug: str) -> HttpResponse:
    """Show the confusion matrices of the pairs or topics, paged: they may be thousands of cells."""
    campaign = guarded(request, slug, AgreementFigures.see_pairs)
    chosen = request.GET.get("by", "pair")
    if chosen not in BY:
        raise Http404
    found, scale = so_far(campaign), campaign.scale
    if chosen == "topic":
        titles = dict(campaign.topic_set.values_list("number", "title"))
        tables = [
            (f"Topic {number} {titles.get(number, '')}".strip(), table)
            for number, table in figures.of_topics(found.grades, scale)
        ]
    else:
        tables = figures.of_pairs(found.grades, scale)
    shown = listed(request, tables, per_page=MATRICES_PER_PAGE)
    context = {
        "rows": shown,
        "matrices": [(name, figures.grade_matrix(table, scale)) for name, table in shown],
        "chosen": chosen,
        "caption": IN_SHARED if chosen == "topic" and _has_shared(campaign) else CAPTIONS[chosen],
        "in_pairs": chosen == "topic" and found.in_pairs,
        "choices": list(BY.items()),
    }
    return page(request, "agreement/matrices.html", campaign, "agreement", **context)
