"""The page that compares two evaluations."""

from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from campaigns.models import Campaign
from campaigns.pages import guarded, open_to_visitors, page
from evaluation.access import check_can_see_scores, runs_shown, sees_all_runs
from evaluation.core.compared import compared, tau
from evaluation.forms import CompareForm
from evaluation.models import Evaluation


@open_to_visitors
@require_safe
def compare(request: UserRequest, slug: str) -> HttpResponse:
    """Show two evaluations side by side."""
    campaign = guarded(request, slug, check_can_see_scores)
    evaluations = list(Evaluation.objects.finished(campaign))
    form = CompareForm(request.GET, evaluations)
    if not form.is_valid():
        raise Http404
    before, after = form.cleaned_data["before"], form.cleaned_data["after"]
    context: dict[str, Any] = {
        "before": before,
        "after": after,
        "shared": [],
        "evaluations": evaluations,
        "sees_all_runs": sees_all_runs(request.user, campaign),
    }
    if before and after:
        qrels = (before.qrels, before.without, after.qrels, after.without)
        context["used"] = list(dict.fromkeys(filter(None, qrels)))
        context |= _compared(request, campaign, before, after)
    return page(request, "evaluation/compare.html", campaign, "leaderboard", **context)


def _compared(
    request: UserRequest, campaign: Campaign, before: Evaluation, after: Evaluation
) -> dict[str, Any]:
    """Return the rows of two evaluations by a measure that both have."""
    shared = [name for name in after.measures if name in before.measures]
    if not shared:
        return {"shared": [], "rows": []}
    by = request.GET.get("by", "")
    by = by if by in shared else shared[0]
    shown = runs_shown(request.user, campaign)
    columns = before.measures.index(by), after.measures.index(by)
    rows = compared(
        before.leaderboard(columns[0], shown),
        after.leaderboard(columns[1], shown),
        columns,
        after.parsed[columns[1]].family.best,
    )
    n_both = sum(row.change is not None for row in rows)
    return {
        "shared": shared,
        "by": by,
        "rows": rows,
        "tau": tau(rows),
        "n_both": n_both,
    }
