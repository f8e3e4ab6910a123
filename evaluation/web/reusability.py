"""The figures of how reusable judgments are: what runs score without their own documents."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest

from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import tabled
from cleverdon.pictures.bars import differences
from cleverdon.pictures.forest import forest
from cleverdon.pictures.numbers import written
from cleverdon.pictures.picture import Picture
from cleverdon.trec.words import counted
from evaluation.figures.board import caption
from evaluation.leaving_out import LeftOut, Reusability
from evaluation.models.scores import Evaluation
from runs.models import Run

Row = tuple[Run, LeftOut]


OF_TEAM = "Team\N{RIGHT SINGLE QUOTATION MARK}s"
LOST = Sorting(
    "lost",
    measure=Cell(lambda row: row[0]),
    without_the_run=Figure(lambda row: row[1].mean),
    its_places=Figure(lambda row: row[1].mean_places),
    without_the_team=Figure(lambda row: row[2].mean),
    worst=Figure(lambda row: row[2].worst),
    their_places=Figure(lambda row: row[2].mean_places, name=f"{OF_TEAM} places"),
    at_most=Figure(lambda row: row[2].most_places),
)


def shown(request: HttpRequest, evaluation: Evaluation, stored: Any) -> dict[str, Any]:
    """Return what each measure loses, and the runs and pictures by the chosen one."""
    found = Reusability.from_json(stored)
    by = request.GET.get("by")
    chosen = next((each for each in found.measures if each.measure == by), found.measures[0])
    runs = Run.objects.select_related("team").in_bulk([each.run for each in chosen.runs])
    rows = [(runs[each.run], each) for each in chosen.ranked]
    pooled = [row for row in rows if row[1].contributed and row[1].team.after is not None]
    rests_on = caption(evaluation, f"{chosen.measure} of {counted(len(pooled), 'run')}")
    name = chosen.measure
    drawn = {"scores": _scores(name, pooled), "places": _places(name, pooled)}
    _, lost = chosen.changes
    names = [each.measure for each in found.measures]
    losses = [(each.measure, *each.changes) for each in found.measures]
    return {
        "chosen": name,
        "lost": lost,
        "of_measures": tabled(request, losses, LOST),
        "rows": tabled(request, rows, _by(name)),
        "n_pooled": len(pooled),
        "n_relevant": found.n_relevant,
        "n_alone": found.n_alone,
        "pictures": {
            name: each and replace(each, caption=rests_on) for name, each in drawn.items()
        },
        "growth": [
            (each.version, list(zip(names, each.taus, strict=True))) for each in found.growth
        ],
    }


def _by(measure: str) -> Sorting:
    return Sorting(
        "runs",
        run=Cell(lambda row: row[0].tag),
        team=Cell(lambda row: row[0].team),
        before=Figure(lambda row: row[1].before, name=measure),
        alone=Figure(lambda row: row[1].own.n_only),
        without_the_run=Figure(lambda row: row[1].own.after),
        change=Figure(lambda row: row[1].own.percent),
        places=Figure(lambda row: row[1].own.rose),
        team_alone=Figure(lambda row: row[1].team.n_only),
        without_the_team=Figure(lambda row: row[1].team.after),
        their_change=Figure(lambda row: row[1].team.percent, name=f"{OF_TEAM} change"),
        their_places=Figure(lambda row: row[1].team.rose, name=f"{OF_TEAM} places"),
    )


def _scores(name: str, rows: Sequence[Row]) -> Picture | None:
    """Draw each run's score without its team's documents, and a line to that of the board."""
    if not rows:
        return None
    lost = [each.team.percent or 0 for _, each in rows]
    most = max(range(len(rows)), key=lambda n: (abs(lost[n]), -n))
    return forest(
        [each.team.after for _, each in rows],
        [(each.team.after or 0, each.before or 0) for _, each in rows],
        [run.tag for run, _ in rows],
        sentence=f"Dots are {name} without what the run's team alone found, lines lead to the "
        f"board's score. {rows[most][0].tag} changes most, by {written(lost[most], 1)} %.",
        heads=("Run", f"{name} without its team"),
    )


def _places(name: str, rows: Sequence[Row]) -> Picture | None:
    """Draw how many places each run moves once its team is left out."""
    if not rows:
        return None
    rose = [each.team.rose or 0 for _, each in rows]
    n_moved = sum(map(bool, rose))
    return differences(
        rose,
        [run.tag for run, _ in rows],
        sentence=f"{n_moved:,} of {counted(len(rows), 'run')} would stand elsewhere by {name}.",
        heads=("Run", "Places"),
        labels=("rises", "falls"),
    )
