"""The page of two versions of the qrels: which documents differ, and what it does to a board."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, page
from campaigns.web.lists import csv_of
from evaluation.models.scores import Evaluation
from evaluation.web.comparing import ComparedRuns, compared_runs
from qrels.access import QrelsVersions
from qrels.core import FLIPPED, KINDS, QrelsDifference
from qrels.models import Qrels
from qrels.nouns import DIFFERENCES, DifferenceFilter, compared

differences_file = csv_of(DIFFERENCES, as_asked=True)

PER_PAGE = 50
# Judgments of both versions that are compared while a page waits.
MOST_COMPARED = 200_000
MOST_MOVES = 10


@signed_in
@require_safe
def versions(request: UserRequest, slug: str) -> HttpResponse:
    """Show two versions document by document, and where the runs stand by each."""
    campaign = guarded(request, slug, QrelsVersions.compare)
    form = DifferenceFilter(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    pair = compared(campaign, asked.get("before"), asked.get("after"))
    context: dict[str, Any] = {"pair": pair}
    if pair:
        every = Qrels.objects.filter(campaign=campaign)
        context |= {
            "before": pair[0],
            "after": pair[1],
            "every": every,
            "asked": asked,
            "query": request.GET.urlencode(),
            **_documents(request, campaign, pair, asked),
            **_moves(campaign, pair),
        }
    return page(request, "evaluation/versions.html", campaign, "qrels", **context)


def _documents(
    request: UserRequest, campaign: Campaign, pair: Sequence[Qrels], asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what differs, and how much of each kind; nothing of what is too large for a page."""
    if sum(each.n_judgments for each in pair) > MOST_COMPARED:
        return {"is_too_large": True}
    numbers = {"before": pair[0].number, "after": pair[1].number}
    form = DifferenceFilter({**numbers, "topic": asked.get("topic", "")})
    rows: list[QrelsDifference] = [*DIFFERENCES.matching(request.user, campaign, form)]
    counts = Counter(each.kind for each in rows)
    counts[FLIPPED] = sum(each.flipped for each in rows)
    shown = listed(
        request, [each for each in rows if each.is_of(asked.get("kind", ""))], per_page=PER_PAGE
    )
    pks = dict(campaign.topic_set.values_list("number", "pk"))
    return {
        "counts": [(kind, counts[kind]) for kind in KINDS],
        "n": len(rows),
        "rows": shown,
        "shown": [(each, pks.get(each.topic)) for each in shown],
    }


def _moves(campaign: Campaign, pair: Sequence[Qrels]) -> dict[str, Any]:
    """Return where the runs stand by each version; else which versions have no scores."""
    rows = Evaluation.objects.front_first(campaign)
    by_version = [list(rows.filter(Q(qrels=each))) for each in pair]
    if missing := [each for each, found in zip(pair, by_version, strict=True) if not found]:
        return {"unscored": missing}
    alike = next((both for both in product(*by_version) if _shared(*both)), None)
    if alike is None:
        return {"unlike": [found[0] for found in by_version]}
    main = rows.first()
    shared = _shared(*alike)
    by = main.measures[0] if main and main.measures[0] in shared else shared[0]
    runs = compared_runs(
        alike[0],
        alike[1],
        by,
        shown={run.pk for each in alike for run in each.runs.all()},
        teams=frozenset(),
        opens_scores=True,
    )
    return {"boards": alike, "by": by, "runs": runs, "moved": _moved(runs), "most": MOST_MOVES}


def _shared(before: Evaluation, after: Evaluation) -> list[str]:
    """Return the measures of two evaluations that were scored alike."""
    is_alike = (
        before.rules == after.rules
        and replace(before.scope, qrels=after.scope.qrels) == after.scope
    )
    return [name for name in after.measures if name in before.measures] if is_alike else []


def _moved(runs: ComparedRuns) -> list[Any]:
    """Return the runs that change place, those that move farthest first."""
    rows = [row for row in runs.in_both if row.moved.rose]
    return sorted(rows, key=lambda row: -abs(row.moved.rose or 0))
