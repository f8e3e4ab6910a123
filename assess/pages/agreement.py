"""What the page of agreement shows, from figures of the core."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from accounts.models import User
from assess.core.agreement import Agreement, AgreementReport, Comparison, TwiceJudged
from assess.core.differences import (
    ENOUGH,
    Difference,
    by_steps,
    differences,
    leanings,
    official_by_second,
    row_shares,
)
from assess.models import Judgment
from campaigns.core.grades import Scale
from campaigns.models import Campaign, Document, Topic
from pictures.cells import shades
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.rows import axis_of, axis_row, interval_row, pair_row
from pictures.scales import Scale as Axis
from pictures.triangle import triangle
from trec.words import counted

# Rows of a list before "n more", and people whose pairs fit a table.
ROWS, DISAGREEMENTS, LEANINGS, IN_A_TABLE = 15, 10, 10, 12
APART = ("same grade", "one apart", "two apart", "three apart", "four apart")


class Bar(NamedTuple):
    """A line of a card: what is counted, how many, and the bar."""

    name: str
    n: int
    picture: Picture


class Card(NamedTuple):
    """Kappa on its line from chance to perfect, and what it comes from."""

    agreement: Agreement
    line: Picture | None
    axis: Picture | None
    bars: list[Bar]

    @property
    def percent(self) -> int | None:
        return None if self.agreement.raw is None else round(100 * self.agreement.raw)


class Cell(NamedTuple):
    """A count of grade against grade."""

    n: int
    percent: int | None
    shade: str
    is_far: bool


class PairCell(NamedTuple):
    """A pair of assessors in the matrix of pairs; without a comparison they judged nothing together."""

    comparison: Comparison | None
    shade: str = ""

    @property
    def is_enough(self) -> bool:
        return self.comparison is not None and self.comparison.binary.n >= ENOUGH


def cards(report: AgreementReport) -> tuple[Card, Card]:
    """Return the cards of relevant or not, and of the grades as given."""
    binary, graded = report.overall.binary, report.overall.graded
    steps = by_steps(graded.confusion)
    (neither, one), (other, both) = binary.confusion.tolist()
    sides = [("both not relevant", neither), ("they differ", one + other), ("both relevant", both)]  # fmt: skip
    apart = [
        (APART[step] if step < len(APART) else f"{step} apart", n)
        for step, n in enumerate(steps)
    ]
    return _card(binary, sides), _card(graded, apart)


def _card(agreement: Agreement, counts: Sequence[tuple[str, int]]) -> Card:
    most = max((n for _, n in counts), default=0)
    bars = [
        Bar(name, n, part_bar(n, most=most, sentence=f"{name}: {counted(n, 'document')}"))
        for name, n in counts
    ]  # fmt: skip
    if agreement.kappa is None:
        return Card(agreement, None, None, bars)
    axis = axis_of([agreement.kappa], low=min(0.0, agreement.kappa), high=1)
    said = f"Kappa {agreement.kappa:.2f}, on a line from 0, chance, to 1, perfect."
    line = interval_row(axis, agreement.kappa, sentence=said, size=12, height=24)
    return Card(agreement, line, axis_row(axis), bars)


def grade_by_grade(rows: Sequence[TwiceJudged], scale: Scale) -> dict[str, Any]:
    """Return the matrix of the official grade by the second one, shaded by the share of the row, with its margins."""
    grades = [grade.value for grade in scale.grades]
    table = official_by_second(rows, grades)
    shares = row_shares(table)
    totals = table.sum(axis=1).tolist()
    most = max(totals, default=0)
    cells = [
        [
            Cell(n, None if share is None else round(100 * share), shade, abs(i - j) > 1)
            for j, (n, share, shade) in enumerate(zip(row, shares[i], shades(shares[i], low=0, high=1), strict=True))
        ]
        for i, row in enumerate(table.tolist())
    ]  # fmt: skip
    return {
        "grades": scale.grades,
        "rows": [
            (grade, its, total, part_bar(total, most=most, sentence=f"{total:,} in all"))
            for grade, its, total in zip(scale.grades, cells, totals, strict=True)
        ],
        "columns": table.sum(axis=0).tolist(),
        "n": int(table.sum()),
    }  # fmt: skip


def pair_by_pair(report: AgreementReport, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the pairs as a table of few people, or as a picture of many."""
    people = sorted({name for pair in report.by_pair for name in pair}, key=lambda name: names[name])  # fmt: skip
    if len(people) > IN_A_TABLE:
        return {"people": [], "rows": [], "picture": _triangle(report, people, names)}
    rows = [
        (names[name], [_pair_cell(report, name, other) for other in people[:n]])
        for n, name in enumerate(people)
    ]
    return {"people": [names[name] for name in people[:-1]], "rows": rows[1:], "picture": None}  # fmt: skip


def _pair(report: AgreementReport, one: str, other: str) -> Comparison | None:
    return report.by_pair.get((one, other)) or report.by_pair.get((other, one))


def _known(comparison: Comparison | None) -> float | None:
    """Return the kappa of enough documents."""
    is_enough = comparison is not None and comparison.binary.n >= ENOUGH
    return comparison.binary.kappa if comparison and is_enough else None


def _pair_cell(report: AgreementReport, one: str, other: str) -> PairCell:
    found = _pair(report, one, other)
    [shade] = shades([_known(found)], low=0, high=1)
    return PairCell(found, shade)


def _triangle(
    report: AgreementReport, people: Sequence[str], names: Mapping[str, str]
) -> Picture:
    values = [[_known(_pair(report, one, other)) for other in people] for one in people]
    return triangle(
        values,
        [names[name] for name in people],
        sentence=f"Kappa of {len(people)} assessors with each other; a gap: fewer than {ENOUGH} documents judged by both.",
        heads=("Assessor", "Closest to", "Kappa"),
        low=0,
        high=1,
        decimals=2,
    )


class OfTopic(NamedTuple):
    """A topic in the forest; kappa is None where too few documents were judged twice."""

    number: str
    title: str
    comparison: Comparison
    kappa: float | None
    picture: Picture


def topic_by_topic(
    report: AgreementReport, campaign: Campaign, *, at_most: int | None
) -> tuple[list[OfTopic], Picture]:
    """Return topics with their places on one axis, the lowest kappa first, then those with too few documents; and the axis."""
    known = {number: _known(each) for number, each in report.by_topic.items()}
    shown = sorted(known, key=lambda number: (known[number] is None, known[number] or 0))[:at_most]  # fmt: skip
    titles = dict(Topic.objects.filter(campaign=campaign, number__in=shown).values_list("number", "title"))  # fmt: skip
    overall = report.overall.binary.kappa
    low = min([0.0, *(kappa for kappa in known.values() if kappa is not None)])
    axis = axis_of([0.0, 1.0], low=low, high=1)
    most = max(each.binary.n for each in report.by_topic.values())
    rows = [
        OfTopic(number, titles.get(number, ""), each, known[number], _square(axis, each, most, overall))
        for number, each in ((number, report.by_topic[number]) for number in shown)
    ]  # fmt: skip
    mark = None if overall is None else (overall, f"all {overall:.2f}")
    return rows, axis_row(axis, mark=mark)


def _square(axis: Axis, each: Comparison, most: int, overall: float | None) -> Picture:
    """Draw a topic: a square as large as it has documents; too few of them have a small gray one only if there is a kappa."""
    kappa, n = each.binary.kappa, each.binary.n
    said = "kappa undefined" if kappa is None else f"kappa {kappa:.2f}"
    too_few = n < ENOUGH
    size = 6 if too_few else 7 + 7 * (n / most) ** 0.5
    return interval_row(
        axis, None if too_few else kappa, sentence=f"{said} on {counted(n, 'document')}", shape="square",
        size=size, mark=overall, height=22,
    )  # fmt: skip


def strict_and_lenient(
    rows: Sequence[TwiceJudged], level: int, names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return how much of the same documents somebody calls relevant, and their partners do."""
    axis = axis_of([0.0, 1.0], low=0, high=1)
    return [
        {
            "name": names[each.name],
            "n": each.n,
            "is_enough": each.is_enough,
            "percent": round(100 * each.own),
            "picture": pair_row(axis, each.own, each.others, sentence=f"{names[each.name]}: {each.own:.0%} relevant, the partners {each.others:.0%}, of {counted(each.n, 'document')}") if each.is_enough else None,
        }
        for each in leanings(rows, level)
    ]  # fmt: skip


def both_ends(
    leanings: Sequence[dict[str, Any]], at_most: int | None
) -> list[dict[str, Any]]:
    """Return the most lenient and the strictest, so many in all; all of them without a number."""
    if at_most is None or len(leanings) <= at_most:
        return list(leanings)
    return [*leanings[: at_most // 2], *leanings[-(at_most // 2) :]]


def disagreements(
    rows: Sequence[TwiceJudged],
    campaign: Campaign,
    names: Mapping[str, str],
    *,
    at_most: int | None,
) -> dict[str, Any]:
    """Return the documents with grades two or more steps apart, and where each grade is to be seen."""
    grades = [grade.value for grade in campaign.scale.grades]
    everything = differences(rows, grades)
    shown = everything[:at_most]
    titles = dict(Document.objects.filter(campaign=campaign, docno__in=[each.docno for each in shown]).values_list("docno", "title"))  # fmt: skip
    found = _assignments(campaign, shown)
    return {
        "n": len(everything),
        "shown": [
            {
                "each": each,
                "title": titles.get(each.docno) or each.docno,
                "grades": [
                    (grade, names[name], found.get((each.topic, each.docno, name)))
                    for name, grade in ((each.name, each.grade), (each.other_name, each.other_grade))
                ],
            }
            for each in shown
        ],
    }  # fmt: skip


def _assignments(
    campaign: Campaign, shown: Sequence[Difference]
) -> dict[tuple[str, str, str], int]:
    """Return in which assignment each of these judgments was given, by topic, docno and username."""
    judgments = Judgment.objects.graded().filter(
        topic__campaign=campaign,
        topic__number__in={each.topic for each in shown},
        docno__in={each.docno for each in shown},
    )
    rows = judgments.values_list("topic__number", "docno", "assessor__username", "assignment")  # fmt: skip
    return {(topic, docno, name): pk for topic, docno, name, pk in rows}


def short_names(usernames: Sequence[str]) -> dict[str, str]:
    """Return people's full names; who shares one with another has the username too."""
    people = list(User.objects.filter(username__in=usernames))
    said = [str(each) for each in people]
    return {
        each.username: str(each) if said.count(str(each)) == 1 else each.label
        for each in people
    }
