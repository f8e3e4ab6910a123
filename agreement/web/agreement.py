"""Pages of agreement: the figures over all documents, by pair and by topic, and the confusion matrices behind them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from agreement.access import check_can_see_agreement
from agreement.core.differences import ENOUGH
from agreement.core.statistics import (
    Agreement,
    AgreementReport,
    TwiceJudged,
    agreement_report,
    overall_agreement,
)
from agreement.web import figures as drawn
from agreement.web import matrices as against
from agreement.web.disagreements import DISAGREEMENTS, disagreements
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from campaigns.access.roles import check_can_organize
from campaigns.core.criteria import Criterion
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, open_to_visitors, page
from trec.words import counted

MATRICES_PER_PAGE = 40
BY = {"pair": "By pair of assessors", "topic": "By topic"}
CAPTIONS = {
    "pair": "the one named first down, the other across",
    "topic": "the official grade down, the second one across",
}
IN_SHARED = "the primary assessor's grade down, the second one across; in shared topics the earlier down, the later across"


# The list of fewer would leave a gap beside that of disagreements.
FEW_TOPICS = 8


class Found(NamedTuple):
    """All documents judged twice."""

    rows: list[TwiceJudged]
    n_documents: int

    @property
    def in_pairs(self) -> bool:
        """Whether a document comes more than once: more than two have graded it."""
        return self.n_documents < len(self.rows)

    @property
    def said_on(self) -> str:
        """What the figures rest on."""
        documents = counted(self.n_documents, "document")
        if not self.in_pairs:
            return f"{documents} judged twice"
        return f"{len(self.rows):,} pairs of judgments of {documents}"


def _found(rows: list[TwiceJudged]) -> Found:
    return Found(rows, len({(topic, docno) for topic, docno, *_ in rows}))


def _further(
    campaign: Campaign, answered: Mapping[str, list[TwiceJudged]]
) -> list[tuple[Criterion, Agreement, int]]:
    """Return each criterion that two have answered for some document, with their agreement, and on how many of a hundred they agree."""
    found: list[tuple[Criterion, Agreement, int]] = []
    for each in campaign.every_criterion:
        values = [answer.value for answer in each.answers]
        graded = overall_agreement(answered[each.name], values)
        if graded.raw is not None:
            found.append((each, graded, round(100 * graded.raw)))
    return found


def _has_shared(campaign: Campaign) -> bool:
    return SharedQueue.objects.filter(topic__campaign=campaign).exists()


@open_to_visitors
@require_safe
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    """Show kappa, and where it comes from: grade by grade, pair by pair, topic by topic, document by document.

    To others than organizers it names no assessor, and no document.
    """
    campaign = guarded(request, slug, check_can_see_agreement)
    criteria = [each.name for each in campaign.every_criterion]
    rows, answered = Judgment.objects.twice_rated(campaign, criteria)
    found, scale = _found(rows), campaign.scale
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(rows, grades=grades, level=scale.level)
    context = {
        "report": report,
        "scale": scale,
        "n_enough": ENOUGH,
        "in_pairs": found.in_pairs,
        "said_on": found.said_on,
        "has_shared": _has_shared(campaign),
        "further": _further(campaign, answered),
        **(_shown(request, campaign, found, report) if rows else {}),
    }
    if not can(check_can_organize, request.user, campaign):
        context["pictures"] = {}  # they name assessors
    return page(request, "agreement/agreement.html", campaign, "agreement", **context)


def _shown(
    request: UserRequest, campaign: Campaign, found: Found, report: AgreementReport
) -> dict[str, Any]:
    rows = found.rows
    names = drawn.short_names([name for pair in report.by_pair for name in pair])
    whole = request.GET.get("whole", "")

    def up_to(n: int, what: str) -> int | None:
        return None if whole == what else n

    unit = "pair" if found.in_pairs else "document"
    forest, axis = drawn.topic_by_topic(report, campaign, unit)
    relevant, graded = drawn.cards(report, unit)
    leanings = drawn.strict_and_lenient(rows, campaign.scale.level, names, unit)
    shown = drawn.both_ends(leanings, up_to(drawn.LEANINGS, "assessors"))
    pairs = drawn.pair_by_pair(report, names)
    listed_pairs, pairs_axis = drawn.pairs_by_kappa(report, names)
    far = up_to(DISAGREEMENTS, "disagreements")
    has_pairs = bool(pairs["people"] or pairs["picture"])
    wide = has_pairs and (len(forest) < FEW_TOPICS or whole == "disagreements")
    return {
        "spans": {
            "grades": "of-6" if has_pairs else "of-5",
            "forest": "of-12" if wide else "of-7",
            "far": "of-12" if wide or not has_pairs else "of-5",
        },
        "has_pairs": has_pairs,
        "relevant": relevant,
        "graded": graded,
        "matrix": against.of_all(rows, campaign.scale),
        "by_pair": pairs,
        "pictures": {"pairs": pairs["picture"]},
        "forest": forest,
        "n_too_few": len(report.by_topic) - len(forest),
        "axis": axis,
        "leanings": shown,
        "n_more_leanings": len(leanings) - len(shown),
        "disagreements": disagreements(rows, campaign, names, at_most=far),
        "pairs": listed_pairs,
        "pairs_axis": pairs_axis,
    }


@signed_in
@require_safe
def matrices(request: UserRequest, slug: str) -> HttpResponse:
    """Show the confusion matrices of the pairs or topics, some a page: those of a large campaign are thousands of cells."""
    campaign = guarded(request, slug, check_can_organize)
    chosen = request.GET.get("by", "pair")
    if chosen not in BY:
        raise Http404
    found, scale = _found(Judgment.objects.twice_judged(campaign)), campaign.scale
    if chosen == "topic":
        titles = dict(campaign.topic_set.values_list("number", "title"))
        tables = [
            (f"Topic {number} {titles.get(number, '')}".strip(), table)
            for number, table in against.of_topics(found.rows, scale)
        ]
    else:
        tables = against.of_pairs(found.rows, scale)
    shown = listed(request, tables, per_page=MATRICES_PER_PAGE)
    context = {
        "rows": shown,
        "matrices": [(name, against.grade_matrix(table, scale)) for name, table in shown],
        "chosen": chosen,
        "caption": IN_SHARED if chosen == "topic" and _has_shared(campaign) else CAPTIONS[chosen],
        "in_pairs": chosen == "topic" and found.in_pairs,
        "choices": list(BY.items()),
    }
    return page(request, "agreement/matrices.html", campaign, "agreement", **context)
