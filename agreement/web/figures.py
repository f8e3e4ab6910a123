"""What the page of agreement shows, from figures of the core."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from accounts.models import User
from agreement.core.differences import ENOUGH, by_steps, leanings
from agreement.core.statistics import Agreement, AgreementReport, Comparison, TwiceJudged
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from pictures.cells import shades
from pictures.numbers import written
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.rows import axis_of, axis_row, interval_row, pair_row
from pictures.scales import Scale as Axis
from pictures.triangle import triangle
from trec.words import counted

# Rows of a list before "n more", and people whose pairs fit a table.
LEANINGS, IN_A_TABLE = 6, 8
# A picture of pairs of which fewer have a kappa would be empty: the list says more.
FULL = 1 / 3
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


class PairCell(NamedTuple):
    """A pair of assessors in the matrix of pairs; without a comparison they judged nothing together."""

    comparison: Comparison | None
    shade: str = ""

    @property
    def is_enough(self) -> bool:
        return _is_enough(self.comparison)


def cards(report: AgreementReport, unit: str = "document") -> tuple[Card, Card]:
    """Return the cards of relevant or not, and of the grades as given."""
    binary, graded = report.overall.binary, report.overall.graded
    steps = by_steps(graded.confusion)
    (neither, one), (other, both) = binary.confusion.tolist()
    sides = [("both not relevant", neither), ("they differ", one + other), ("both relevant", both)]
    apart = [
        (APART[step] if step < len(APART) else f"{step} apart", n) for step, n in enumerate(steps)
    ]
    return _card(binary, sides, unit), _card(graded, apart, unit)


def _card(agreement: Agreement, counts: Sequence[tuple[str, int]], unit: str) -> Card:
    most = max((n for _, n in counts), default=0)
    bars = [
        Bar(name, n, part_bar(n, most=most, sentence=f"{name}: {counted(n, unit)}"))
        for name, n in counts
    ]
    if agreement.kappa is None:
        return Card(agreement, None, None, bars)
    axis = axis_of([agreement.kappa], low=min(0.0, agreement.kappa), high=1)
    said = f"Kappa {written(agreement.kappa, 2)}, on a line from 0, chance, to 1, perfect."
    line = interval_row(axis, agreement.kappa, sentence=said, size=12, height=24)
    return Card(agreement, line, axis_row(axis), bars)


def pair_by_pair(report: AgreementReport, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the pairs as a table of few people, or as a picture of many, if there are enough pairs for one."""
    people = sorted(
        {name for pair in report.by_pair for name in pair}, key=lambda name: names[name]
    )
    if len(people) > IN_A_TABLE:
        n_known = sum(_known(each) is not None for each in report.by_pair.values())
        is_sparse = n_known < FULL * len(people) * (len(people) - 1) / 2
        picture = None if is_sparse else _triangle(report, people, names)
        return {"people": [], "rows": [], "has_too_few": False, "picture": picture}
    rows = [
        (names[name], [_pair_cell(report, name, other) for other in people[:n]])
        for n, name in enumerate(people)
    ]
    return {
        "people": [names[name] for name in people[:-1]],
        "rows": rows[1:],
        "has_too_few": not all(map(_is_enough, report.by_pair.values())),
        "picture": None,
    }


def _pair(report: AgreementReport, one: str, other: str) -> Comparison | None:
    return report.by_pair.get((one, other)) or report.by_pair.get((other, one))


def _is_enough(comparison: Comparison | None) -> bool:
    """Whether so many documents were judged by both that a kappa can be said."""
    return comparison is not None and comparison.binary.n >= ENOUGH


def _known(comparison: Comparison | None) -> float | None:
    """Return the kappa of enough documents."""
    return comparison.binary.kappa if comparison and _is_enough(comparison) else None


def _pair_cell(report: AgreementReport, one: str, other: str) -> PairCell:
    found = _pair(report, one, other)
    [shade] = shades([_known(found)], low=0, high=1)
    return PairCell(found, shade)


def _triangle(report: AgreementReport, people: Sequence[str], names: Mapping[str, str]) -> Picture:
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


class OfPair(NamedTuple):
    """A pair of assessors by name; its picture is empty where both have judged too few documents."""

    name: str
    comparison: Comparison
    picture: Picture | None

    @property
    def is_enough(self) -> bool:
        return _is_enough(self.comparison)


def pairs_by_kappa(
    report: AgreementReport, names: Mapping[str, str]
) -> tuple[list[OfPair], Picture]:
    """Return the pairs, the lowest kappa first, then those with too few documents, with their places on one axis; and the axis."""
    pairs = [
        (" and ".join(names[name] for name in pair), each) for pair, each in report.by_pair.items()
    ]
    pairs.sort(key=lambda pair: (_by_kappa(pair[1]), natural_key(pair[0])))
    axis, mark, most = _line(report, [each for _, each in pairs if _known(each) is not None])
    overall = report.overall.binary.kappa
    rows = [
        OfPair(name, each, _square(axis, each, most, overall) if _is_enough(each) else None)
        for name, each in pairs
    ]
    return rows, axis_row(axis, mark=mark)


def _line(
    report: AgreementReport, enough: Sequence[Comparison]
) -> tuple[Axis, tuple[float, str] | None, int]:
    """Return the axis of these kappas, the mark of the overall one, and the most documents that one of them has."""
    overall = report.overall.binary.kappa
    lowest = min((each.binary.kappa or 0 for each in enough), default=0)
    low = lowest - 0.05 if lowest < 0 else 0.0  # a square at the end has room
    mark = None if overall is None else (overall, f"all {written(overall, 2)}")
    most = max((each.binary.n for each in enough), default=1)
    return axis_of([0.0, 1.0], low=low, high=1), mark, most


def _by_kappa(comparison: Comparison) -> tuple[bool, bool, float]:
    kappa = _known(comparison)
    return not _is_enough(comparison), kappa is None, kappa or 0


class OfTopic(NamedTuple):
    """A topic in the forest."""

    number: str
    title: str
    comparison: Comparison
    picture: Picture


def topic_by_topic(
    report: AgreementReport, campaign: Campaign, unit: str = "document"
) -> tuple[list[OfTopic], Picture]:
    """Return the topics with enough documents, or pairs of judgments, the lowest kappa first, with their places on one axis; and the axis."""
    enough = [(number, each) for number, each in report.by_topic.items() if _is_enough(each)]
    enough.sort(key=lambda topic: _by_kappa(topic[1]))
    titles = dict(Topic.objects.filter(campaign=campaign).values_list("number", "title"))
    overall = report.overall.binary.kappa
    axis, mark, most = _line(report, [each for _, each in enough])
    rows = [
        OfTopic(number, titles.get(number, ""), each, _square(axis, each, most, overall, unit))
        for number, each in enough
    ]
    return rows, axis_row(axis, mark=mark)


def _square(
    axis: Axis, each: Comparison, most: int, overall: float | None, unit: str = "document"
) -> Picture:
    """Draw a topic or a pair: a square as large as it has documents, or pairs of judgments."""
    kappa, n = each.binary.kappa, each.binary.n
    said = "kappa undefined" if kappa is None else f"kappa {written(kappa, 2)}"
    return interval_row(
        axis,
        kappa,
        sentence=f"{said} on {counted(n, unit)}",
        shape="square",
        size=7 + 7 * (n / most) ** 0.5,
        mark=overall,
        height=22,
    )


def strict_and_lenient(
    rows: Sequence[TwiceJudged], level: int, names: Mapping[str, str], unit: str = "document"
) -> list[dict[str, Any]]:
    """Return how much of the same documents somebody calls relevant, and their partners do: each partner's judgment counts."""
    axis = axis_of([0.0, 1.0], low=0, high=1)
    return [
        {
            "name": names[each.name],
            "n": each.n,
            "is_enough": each.is_enough,
            "percent": round(100 * each.own),
            "picture": pair_row(
                axis,
                each.own,
                each.others,
                sentence=f"{names[each.name]}: {each.own:.0%} relevant, the partners {each.others:.0%}, of {counted(each.n, unit)}",
            )
            if each.is_enough
            else None,
        }
        for each in leanings(rows, level)
    ]


def both_ends(leanings: Sequence[dict[str, Any]], at_most: int | None) -> list[dict[str, Any]]:
    """Return the most lenient and the strictest, so many in all; all of them without a number."""
    if at_most is None or len(leanings) <= at_most:
        return list(leanings)
    return [*leanings[: at_most // 2], *leanings[-(at_most // 2) :]]


def short_names(usernames: Sequence[str]) -> dict[str, str]:
    """Return people's full names; who shares one with another has the username too."""
    people = list(User.objects.filter(username__in=usernames))
    said = [str(each) for each in people]
    return {
        each.username: str(each) if said.count(str(each)) == 1 else each.label for each in people
    }
