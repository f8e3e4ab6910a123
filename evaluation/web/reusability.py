"""The figures of how reusable judgments are: what runs score without their own documents."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

from django.http import HttpRequest

from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import tabled
from cleverdon.pictures.bars import differences
from cleverdon.pictures.forest import forest
from cleverdon.pictures.numbers import written
from cleverdon.pictures.picture import Picture
from cleverdon.trec.words import counted
from evaluation.core.reusability import Change, change, percent
from evaluation.figures import caption
from evaluation.models.scores import Evaluation
from evaluation.reviewing import WAYS
from runs.models import Run

Found = dict[str, Any]  # of `evaluation.reviewing.leave_out`


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


class LeftOut(NamedTuple):
    """A score without the documents of a run, or of its team, alone: of them `n_only` relevant."""

    n_only: int
    after: float | None
    percent: float | None
    rose: int | None


class LeftOutRow(NamedTuple):
    """A run, its score by one measure, and that without its own or its team's documents."""

    run: Run
    contributed: bool
    before: float | None
    own: LeftOut
    team: LeftOut


def shown(request: HttpRequest, evaluation: Evaluation, found: Found) -> dict[str, Any]:
    """Return what each measure loses, and the runs and pictures by the chosen one."""
    measures, by = found["measures"], request.GET.get("by")
    chosen = next((each for each in measures if each["measure"] == by), measures[0])
    rows = _rows(found, chosen)
    pooled = [each for each in rows if each.contributed and each.team.after is not None]
    rests_on = caption(evaluation, f"{chosen['measure']} of {counted(len(pooled), 'run')}")
    drawn = {"scores": _scores(chosen, pooled), "places": _places(chosen, pooled)}
    names = [each["measure"] for each in measures]
    lost = [(row["measure"], *(_change(found, row, way) for way in WAYS)) for row in measures]
    return {
        "chosen": chosen["measure"],
        "lost": _change(found, chosen, "team"),
        "of_measures": tabled(request, lost, LOST),
        "rows": tabled(request, rows, _by(chosen["measure"])),
        "n_pooled": len(pooled),
        "n_relevant": found["n_relevant"],
        "n_alone": found["n_alone"]["team"],
        "pictures": {
            name: each and replace(each, caption=rests_on) for name, each in drawn.items()
        },
        "growth": [(name, list(zip(names, taus, strict=True))) for name, taus in found["growth"]],
    }


def _by(measure: str) -> Sorting:
    return Sorting(
        "runs",
        run=Cell(lambda row: row.run.tag),
        team=Cell(lambda row: row.run.team),
        before=Figure(lambda row: row.before, name=measure),
        alone=Figure(lambda row: row.own.n_only),
        without_the_run=Figure(lambda row: row.own.after),
        change=Figure(lambda row: row.own.percent),
        places=Figure(lambda row: row.own.rose),
        team_alone=Figure(lambda row: row.team.n_only),
        without_the_team=Figure(lambda row: row.team.after),
        their_change=Figure(lambda row: row.team.percent, name=f"{OF_TEAM} change"),
        their_places=Figure(lambda row: row.team.rose, name=f"{OF_TEAM} places"),
    )


def _rows(found: Found, chosen: Found) -> list[LeftOutRow]:
    """Return the runs by the chosen measure, the best first."""
    runs = Run.objects.select_related("team").in_bulk(found["runs"])
    before = chosen["before"]
    ways = [_left_out(found["n_only"][way], before, chosen[way]) for way in WAYS]
    columns = (map(runs.get, found["runs"]), found["contributed"], before, *ways)
    rows = [LeftOutRow(*row) for row in zip(*columns, strict=True)]
    return sorted(rows, key=lambda row: (row.before is None, -chosen["sign"] * (row.before or 0)))


def _left_out(n_only: list[int], before: list[float | None], found: Found) -> list[LeftOut]:
    percents = map(percent, before, found["after"])
    return list(map(LeftOut, n_only, found["after"], percents, found["rose"]))


def _change(found: Found, row: Found, way: str) -> Change:
    """Sum up what leaving out does to the runs that contributed."""
    columns = zip(row["before"], row[way]["after"], row[way]["rose"], strict=True)
    return change(list(compress(columns, found["contributed"])), row["sign"])


def _scores(chosen: Found, rows: Sequence[LeftOutRow]) -> Picture | None:
    """Draw each run's score without its team's documents, and a line to that of the board."""
    if not rows:
        return None
    name, lost = chosen["measure"], [each.team.percent or 0 for each in rows]
    most = max(range(len(rows)), key=lambda n: (abs(lost[n]), -n))
    return forest(
        [each.team.after for each in rows],
        [(each.team.after or 0, each.before or 0) for each in rows],
        [each.run.tag for each in rows],
        sentence=f"Dots are {name} without what the run's team alone found, lines lead to the "
        f"board's score. {rows[most].run.tag} changes most, by {written(lost[most], 1)} %.",
        heads=("Run", f"{name} without its team"),
    )


def _places(chosen: Found, rows: Sequence[LeftOutRow]) -> Picture | None:
    """Draw how many places each run moves once its team is left out."""
    if not rows:
        return None
    rose = [each.team.rose or 0 for each in rows]
    n_moved = sum(map(bool, rose))
    return differences(
        rose,
        [each.run.tag for each in rows],
        sentence=f"{n_moved:,} of {counted(len(rows), 'run')} would stand elsewhere by "
        f"{chosen['measure']}.",
        heads=("Run", "Places"),
        labels=("rises", "falls"),
    )
