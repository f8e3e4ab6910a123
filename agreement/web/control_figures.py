"""How often answers to controls are right, and how often they are the same the second time."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count
from django.http import HttpRequest

from agreement.core.accuracy import ControlAccuracy, ControlFigures, control_report
from agreement.models import compared
from agreement.web.figures import short_names
from assess.core.purposes import KNOWN
from assess.models.controls import KnownGrade
from assess.models.serving import AssignmentEntry
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import tabled
from cleverdon.agreement.measured import ENOUGH
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted

DENSE = 10  # answers; a topic with fewer is not listed


KNOWN_GRADES = Sorting(
    "known-grades", topic=Cell(lambda row: row[1]), documents=Figure(lambda row: row[3])
)
ON_EARLIER = Sorting(
    "known-earlier",
    document=Cell(lambda each: each.docno),
    topic=Cell(lambda each: each.topic.number),
    known_grade=Figure(lambda each: each.grade),
)


class ControlRow(NamedTuple):
    """The answers of an assessor, or on a topic."""

    name: str
    accuracy: ControlAccuracy

    @property
    def is_enough(self) -> bool:
        return self.accuracy.n >= ENOUGH


class ControlTable(NamedTuple):
    """The answers to one kind of control: all, by assessor and by topic, lowest share first."""

    overall: ControlAccuracy | None
    rows: Sequence[ControlRow]
    topics: Sequence[ControlRow]


def control_tables(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the tables of both kinds of control, and the known grades by topic."""
    grades = [grade.value for grade in campaign.scale.grades]
    report = control_report(compared(campaign), grades)
    names = short_names({*report.known.by_assessor, *report.repeats.by_assessor})
    topics = campaign.topic_set.values_list("number", "title")
    titles = {number: f"{number} {title}".strip() for number, title in topics}
    known = KnownGrade.objects.controls_of(campaign)
    by_topic = known.order_by().values_list(
        "item__topic", "item__topic__number", "item__topic__title"
    )
    by_number = sorted(by_topic.annotate(n=Count("pk")), key=lambda row: natural_key(row[1]))
    tables = {kind: _table(its, names, titles) for kind, its in report._asdict().items()}
    served = _served(campaign)
    return {
        "tables": {kind: _sorted(request, kind, its) for kind, its in tables.items()},
        "heading": _heading(tables, served, known.count()),
        "mixed_in": _mixed_in(campaign),
        "span": "of-12" if any(table.rows for table in tables.values()) else "of-6",
        "known": tabled(request, by_number, KNOWN_GRADES),
        "n_known": known.count(),
        "known_seen": known.seen(),
        "on_earlier": tabled(request, list(known.on_earlier()), ON_EARLIER),
        "scale": campaign.scale,
        "n_off_scale": known.exclude(grade__in=grades).count(),
        "served": served,
        "n_enough": ENOUGH,
    }


def _sorted(request: HttpRequest, kind: str, table: ControlTable) -> ControlTable:
    rows = tabled(request, table.rows, _sorting(kind, "assessor"))
    topics = tabled(request, table.topics, _sorting(kind, "topic"))
    return table._replace(rows=rows, topics=topics)


def _sorting(kind: str, of: str) -> Sorting:
    return Sorting(
        kind if of == "assessor" else f"{kind}-topics",
        name=Cell(lambda row: row.name, name=of.capitalize()),
        n=Figure(lambda row: row.accuracy.n, name="Answers" if kind == "known" else "Pairs"),
        same=Figure(lambda row: row.accuracy.share),
        off_by=Figure(lambda row: row.accuracy.distance),
        bias=Figure(lambda row: row.accuracy.bias),
        kappa=Figure(lambda row: row.accuracy.kappa),
    )


def _heading(tables: Mapping[str, ControlTable], served: Mapping[str, int], n_known: int) -> str:
    if known := tables["known"].overall:
        return f"{_share(known)} answers match the known grade"
    if repeats := tables["repeats"].overall:
        return f"{_share(repeats)} repeated documents got the same grade again"
    if any(served.values()):
        return "Nothing to compare yet"
    return counted(n_known, "known grade") if n_known else "No controls yet"


def _share(accuracy: ControlAccuracy) -> str:
    if accuracy.n < ENOUGH:
        return f"{accuracy.n_equal} of {accuracy.n}"
    return f"{100 * accuracy.share:.0f} % of"


def _mixed_in(campaign: Campaign) -> str:
    """Say how many controls there are per 100 documents."""
    known, repeat = campaign.known_percent, campaign.repeat_percent
    kinds = [f"up to {known} with a known grade are mixed in"] if known else []
    return ", and ".join(kinds + ([f"{repeat} are repeated"] if repeat else []))


def _served(campaign: Campaign) -> dict[str, int]:
    """Count the controls of each kind that assessors are served, answered or not."""
    rows = AssignmentEntry.objects.controls_of(campaign).order_by()
    n = dict(rows.values_list("purpose").annotate(n=Count("pk")))
    return {"known": n.pop(KNOWN, 0), "repeats": sum(n.values())}


def _table(
    found: ControlFigures, names: Mapping[str, str], titles: Mapping[str, str]
) -> ControlTable:
    topics = [row for row in _rows(found.by_topic, titles) if row.accuracy.n >= DENSE]
    return ControlTable(found.overall, _rows(found.by_assessor, names), topics)


def _rows(figures: Mapping[str, ControlAccuracy], names: Mapping[str, str]) -> list[ControlRow]:
    rows = [ControlRow(names.get(key, key), each) for key, each in figures.items()]
    return sorted(rows, key=lambda row: (row.accuracy.share, natural_key(row.name)))
