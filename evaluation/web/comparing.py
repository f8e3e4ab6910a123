"""The page that compares two evaluations."""

from decimal import Decimal
from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, page
from evaluation.access import (
    check_can_see_scores,
    check_can_see_scores_by_topic,
    evaluations_shown,
    runs_shown,
    sees_all_runs,
    teams_of,
)
from evaluation.core.columns import Column
from evaluation.core.compared import Moved, compared, tau
from evaluation.models.scores import Evaluation
from evaluation.tables import file_stamp
from evaluation.web.scoring_forms import CompareForm
from pictures.picture import Picture
from pictures.scatter import scatter
from runs.models import Run
from trec.words import counted

MOST_NAMED = 2  # of the largest rises, and of the largest falls


@open_to_visitors
@require_safe
def compare(request: UserRequest, slug: str) -> HttpResponse:
    """Show two evaluations side by side."""
    campaign = guarded(request, slug, check_can_see_scores)
    evaluations = list(evaluations_shown(request.user, campaign))
    form = CompareForm(request.GET, evaluations)
    if not form.is_valid():
        raise Http404
    before, after = form.cleaned_data["before"], form.cleaned_data["after"]
    context: dict[str, Any] = {
        "heading": heading(None, []),
        "before": before,
        "after": after,
        "shared": [],
        "evaluations": evaluations,
        "sees_all_runs": False,
    }
    if before and after:
        both = (sees_all_runs(request.user, each) for each in (before, after))
        context["sees_all_runs"] = all(both)
        context["stamp"] = f"{file_stamp(before)}-to-{file_stamp(after)}"
        qrels = (before.qrels, before.without, after.qrels, after.without)
        context["used"] = list(dict.fromkeys(filter(None, qrels)))
        context |= _compared(request, campaign, before, after)
    return page(request, "evaluation/compare.html", campaign, "leaderboard", **context)


def _compared(
    request: UserRequest, campaign: Campaign, before: Evaluation, after: Evaluation
) -> dict[str, Any]:
    """Return the rows of two evaluations by a measure that both have, and their picture."""
    shared = [name for name in after.measures if name in before.measures]
    if not shared:
        return {"shared": [], "rows": []}
    by = request.GET.get("by", "")
    by = by if by in shared else shared[0]
    in_both = (set(runs_shown(request.user, each)) for each in (before, after))
    shown = set.intersection(*in_both)
    columns = before.measures.index(by), after.measures.index(by)
    measure = after.parsed[columns[1]]
    later = after.leaderboard(columns[1], shown)
    earlier = before.leaderboard(columns[0], shown)
    rows = compared(earlier, later, columns, measure.family.best)
    scores = {}
    if can(check_can_see_scores_by_topic, request.user, campaign):
        scores = {entry.subject: entry.score for entry in [*earlier, *later]}
    both = [row for row in rows if row.change is not None]
    teams = teams_of(request.user, campaign)
    column = Column.of(measure)
    return {
        "shared": shared,
        "by": by,
        "column": column,
        "rows": [
            (row, _texts(column, row), row.subject.team_id in teams, scores.get(row.subject))
            for row in rows
        ],
        "tau": tau(rows),
        "n_both": len(both),
        "heading": heading(column, both),
        "pictures": {"compared": _picture(both, column, teams) if len(both) > 1 else None},
    }


def heading(column: Column | None, both: list[Moved[Run]]) -> str:
    """Say for how many runs the score rose and fell, as the table shows it: to the decimals of the column."""
    if column is None or not both:
        return "Two evaluations compared"
    changes = [_change(column, row) for row in both]
    n_rose, n_fell = (sum(sign * change > 0 for change in changes) for sign in (1, -1))
    runs = "the one run in both" if len(both) == 1 else f"all {len(both):,} runs"
    if not n_rose and not n_fell:
        exactly = "" if all(row.change == 0 for row in both) else " as shown"
        return f"{column.name} is the same{exactly} for {runs}"
    if len(both) in {n_rose, n_fell}:
        return f"{column.name} {'rose' if n_rose else 'fell'} for {runs}"
    some = f"{n_rose or n_fell:,} of {counted(len(both), 'run')}"
    if not n_rose or not n_fell:
        return f"{column.name} {'rose' if n_rose else 'fell'} for {some}"
    return f"{column.name} rose for {some} and fell for {n_fell:,}"


def _change(column: Column, row: Moved[Run]) -> Decimal:
    """Return by how much what is shown of a score rose."""
    before, after = (float("nan") if each is None else each for each in (row.before, row.after))
    return column.difference(after, before)


def _texts(column: Column, row: Moved[Run]) -> dict[str, str]:
    """Write a run's scores; what is missing is a dash."""
    before, after = (float("nan") if each is None else each for each in (row.before, row.after))
    return {
        "before": column.text(before),
        "after": column.text(after),
        "change": column.change(after, before),
    }


def _picture(both: list[Moved[Run]], column: Column, teams: set[int]) -> Picture:
    """Draw each run by its two scores; the largest rises and falls are named."""
    numbered = range(len(both))
    change = [_change(column, row) for row in both]
    rising = sorted(numbered, key=lambda n: -change[n])
    named = [n for n in rising[:MOST_NAMED] if change[n] > 0]
    named += [n for n in rising[::-1][:MOST_NAMED] if change[n] < 0]
    return scatter(
        [row.before for row in both],
        [row.after for row in both],
        [row.tag for row in both],
        sentence=f"{heading(column, both)}.",
        heads=("Run", f"{column.name} before", f"{column.name} after"),
        identity=True,
        mine=[n for n in numbered if both[n].subject.team_id in teams],
        labeled=named,
    )
