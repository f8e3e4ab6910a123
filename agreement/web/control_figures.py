"""What organizers are shown of controls: how often answers are right, and how often the same the second time."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Count

from agreement.core.accuracy import ControlReport, Measured, Quality, control_report
from agreement.core.differences import ENOUGH
from agreement.models import compared
from agreement.web.figures import short_names
from assess.core.controls import KNOWN
from assess.models.controls import KnownGrade
from assess.models.serving import AssignmentEntry
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from pictures.picture import Picture
from pictures.rows import axis_of, axis_row, interval_row

# Of fewer answers on a topic nothing is said of it.
DENSE = 10
AXIS = axis_of([0.0, 1.0], low=0, high=1)
# The figures beside it are percents.
PERCENTS = replace(
    AXIS, labels=tuple(f"{tick:.0%}".replace("%", "\N{NO-BREAK SPACE}%") for tick in AXIS.ticks)
)


class Row(NamedTuple):
    """Somebody, or a topic, with the interval of the share drawn."""

    name: str
    figures: Measured
    picture: Picture

    @property
    def is_enough(self) -> bool:
        return self.figures.n >= ENOUGH


class Table(NamedTuple):
    """The rows of one kind of control, the lowest share first, and what all come to."""

    overall: Measured | None
    rows: list[Row]
    topics: list[Row]


def shown(campaign: Campaign) -> dict[str, Any]:
    """Return the tables of both kinds of control, and the known grades that there are by topic."""
    grades = [grade.value for grade in campaign.scale.grades]
    report = control_report(compared(campaign), grades)
    names = short_names(list(report.by_assessor))
    numbers = dict(campaign.topic_set.values_list("number", "title"))
    titles = {number: f"{number} {titled}".strip() for number, titled in numbers.items()}
    known = KnownGrade.objects.of(campaign)
    by_topic = known.order_by().values_list("topic", "topic__number", "topic__title")
    counted = by_topic.annotate(n=Count("pk"))
    return {
        "tables": {kind: _table(report, kind, names, titles) for kind in Quality._fields},
        "known": sorted(counted, key=lambda row: natural_key(row[1])),
        "n_known": known.count(),
        "on_earlier": KnownGrade.objects.of(campaign).on_earlier(),
        "scale": campaign.scale,
        "n_off_scale": known.exclude(grade__in=grades).count(),
        "served": _served(campaign),
        "axis": axis_row(PERCENTS),
        "n_enough": ENOUGH,
    }


def _served(campaign: Campaign) -> dict[str, int]:
    """Return how many controls of each kind assessors are served, answered or not."""
    rows = AssignmentEntry.with_controls.controls_of(campaign).order_by()
    n = dict(rows.values_list("control").annotate(n=Count("pk")))
    return {"known": n.pop(KNOWN, 0), "repeats": sum(n.values())}


def _table(
    report: ControlReport, kind: str, names: Mapping[str, str], titles: Mapping[str, str]
) -> Table:
    rows = _rows(report.by_assessor, kind, names)
    topics = [each for each in _rows(report.by_topic, kind, titles) if each.figures.n >= DENSE]
    return Table(getattr(report.overall, kind), rows, topics)


def _rows(found: Mapping[str, Quality], kind: str, names: Mapping[str, str]) -> list[Row]:
    figures = {key: getattr(each, kind) for key, each in found.items()}
    rows = [
        Row(names.get(key, key), each, _drawn(names.get(key, key), each))
        for key, each in figures.items()
        if each
    ]
    return sorted(rows, key=lambda row: (row.figures.share, natural_key(row.name)))


def _drawn(name: str, figures: Measured) -> Picture:
    said = f"{name}: {figures.n_equal:,} of {figures.n:,} the same grade, {figures.share:.0%}, 95 % interval {figures.low:.0%} to {figures.high:.0%}"
    interval = figures.low, figures.high
    return interval_row(
        AXIS, figures.share, interval, sentence=said, too_few=figures.n < ENOUGH, height=22
    )
