"""The figures of agreement: in all, by pair, by topic and by assessor, and grade against grade."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from accounts.models import User, labels
from agreement.core.differences import by_steps, official_by_second, row_shares
from campaigns.core.grades import Grade, Scale
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Figure, Sorting
from cleverdon.agreement.statistics import (
    Agreement,
    AgreementReport,
    ComparedGrades,
    Tally,
    confusion_by_pair,
)
from cleverdon.trec.arrays import Integers
from cleverdon.trec.ordering import natural_key
from collection.models.texts import Topic

IN_A_TABLE = 8  # people at most; of more, the pairs are drawn
# With a smaller share of known kappas a picture of the pairs would be empty.
FULL = 1 / 3
APART = ("same grade", "one apart", "two apart", "three apart", "four apart")
Each = TypeVar("Each")


class AgreementCard(NamedTuple):
    """Kappa, and the counts of documents that it is computed from, by name."""

    agreement: Agreement
    counts: list[tuple[str, int]]

    @property
    def percent(self) -> int | None:
        return None if self.agreement.raw is None else round(100 * self.agreement.raw)

    @property
    def most(self) -> int:
        return max((n for _, n in self.counts), default=0)


PAIRS = Sorting(
    "pairs",
    pair=Cell(lambda row: row.name),
    both=Figure(lambda row: row.compared.graded.n),
    kappa=Figure(lambda row: row.compared.kappa),
    same=Figure(lambda row: row.compared.binary.raw),
    kappa_graded=Figure(lambda row: row.compared.graded_kappa, name="Kappa, graded"),
    same_graded=Figure(lambda row: row.compared.graded.raw, name="Same, graded"),
)


def topics_by(*, in_pairs: bool) -> Sorting:
    """Return what topics are sorted by; `in_pairs` of judgments are their documents counted."""
    return Sorting(
        "topics",
        topic=Cell(lambda row: row.name),
        n=Figure(lambda row: row.compared.graded.n, name="Pairs" if in_pairs else "Both"),
        kappa=Figure(lambda row: row.compared.kappa),
        same=Figure(lambda row: row.compared.binary.raw),
        graded=Figure(lambda row: row.compared.graded_kappa),
    )


def cards(report: AgreementReport) -> tuple[AgreementCard, AgreementCard]:
    """Return the cards of relevant or not, and of the grades as given."""
    binary, graded = report.overall.binary, report.overall.graded
    (neither, one), (other, both) = binary.confusion.tolist()
    sides = [("both not relevant", neither), ("they differ", one + other), ("both relevant", both)]
    steps = [
        (APART[step] if step < len(APART) else f"{step} apart", n)
        for step, n in enumerate(by_steps(graded.confusion))
    ]
    return AgreementCard(binary, sides), AgreementCard(graded, steps)


class KappaRow(NamedTuple):
    """A topic, by number and title, or a pair of assessors, by their names."""

    name: str
    title: str
    compared: ComparedGrades


class KappaRows(NamedTuple):
    """Topics or pairs, the lowest kappa first, and what their pictures share.

    That is the lower end of the axis, the most documents of a row, and the kappa of all.
    """

    rows: list[KappaRow]
    low: float
    most: int
    overall: float | None


def pairs_by_kappa(report: AgreementReport, names: Mapping[str, str]) -> KappaRows:
    """Return the pairs, the lowest kappa first, those with too few documents last."""
    rows = [
        KappaRow(" and ".join(names[name] for name in pair), "", each)
        for pair, each in report.by_pair.items()
    ]
    rows.sort(key=lambda row: (_by_kappa(row.compared), natural_key(row.name)))
    return _kappa_rows(report, rows, [row for row in rows if row.compared.kappa is not None])


def topics_by_kappa(report: AgreementReport, campaign: Campaign) -> KappaRows:
    """Return the topics with enough documents, the lowest kappa first."""
    titles = dict(Topic.objects.filter(campaign=campaign).values_list("number", "title"))
    rows = [
        KappaRow(number, titles.get(number, ""), each)
        for number, each in report.by_topic.items()
        if each.is_enough
    ]
    rows.sort(key=lambda row: _by_kappa(row.compared))
    return _kappa_rows(report, rows, rows)


def _kappa_rows(
    report: AgreementReport, rows: list[KappaRow], drawn: Collection[KappaRow]
) -> KappaRows:
    lowest = min((row.compared.binary.kappa or 0 for row in drawn), default=0)
    low = lowest - 0.05 if lowest < 0 else 0.0  # room for a square at the end
    most = max((row.compared.binary.n for row in drawn), default=1)
    return KappaRows(rows, low, most, report.overall.binary.kappa)


def _by_kappa(compared: ComparedGrades) -> tuple[bool, bool, float]:
    return not compared.is_enough, compared.kappa is None, compared.kappa or 0


class PairMatrix(NamedTuple):
    """Each two assessors, by the names down and across: `cells` [people x people].

    None are two who judged nothing together.
    """

    people: list[str]
    cells: list[list[ComparedGrades | None]]

    @property
    def is_small(self) -> bool:
        return len(self.people) <= IN_A_TABLE

    @property
    def is_drawn(self) -> bool:
        """Whether a picture says more than the list of pairs."""
        pairs = [cell for _, cells in self.rows for cell in cells]
        known = [cell for cell in pairs if cell and cell.kappa is not None]
        return not self.is_small and len(known) >= FULL * len(pairs)

    @property
    def has_too_few(self) -> bool:
        """Whether some have judged together, but too few documents."""
        return any(cell and not cell.is_enough for row in self.cells for cell in row)

    @property
    def rows(self) -> list[tuple[str, list[ComparedGrades | None]]]:
        """Everybody but the first, with the people before them."""
        named = enumerate(zip(self.people, self.cells, strict=True))
        return [(name, cells[:n]) for n, (name, cells) in named][1:]


def pair_matrix(report: AgreementReport, names: Mapping[str, str]) -> PairMatrix:
    """Return the matrix of all assessors who were compared, in the order of their names."""
    people = sorted({each for pair in report.by_pair for each in pair}, key=names.__getitem__)
    pairs = {frozenset(pair): each for pair, each in report.by_pair.items()}
    cells = [[pairs.get(frozenset({a, b})) for b in people] for a in people]
    return PairMatrix([names[each] for each in people], cells)


def both_ends(rows: Sequence[Each], at_most: int | None) -> list[Each]:
    """Return the first and the last rows, `at_most` in all; None for all of them."""
    if at_most is None or len(rows) <= at_most:
        return list(rows)
    return [*rows[: at_most // 2], *rows[-(at_most // 2) :]]


def short_names(usernames: Iterable[str]) -> dict[str, str]:
    """Return full names by username; a name that two people share gets the username too."""
    people = list(User.objects.filter(username__in=usernames))
    names = [str(each) for each in people]
    return {
        each.username: str(each) if names.count(str(each)) == 1 else each.label for each in people
    }


# A topic or a pair of assessors, and counts [grades x grades].
Named = tuple[str, Integers]


class GradeCell(NamedTuple):
    """A count of grade against grade, and its share of the row.

    It is far where documents have grades two or more apart.
    """

    n: int
    share: float | None
    is_same: bool
    is_far: bool

    @property
    def percent(self) -> int | None:
        return None if self.share is None else round(100 * self.share)


class GradeMatrix(NamedTuple):
    """Cells [grades x grades]; each row with its grade and its total."""

    grades: Sequence[Grade]
    rows: list[tuple[Grade, list[GradeCell], int]]
    columns: list[int]
    n: int

    @property
    def most(self) -> int:
        return max((total for *_, total in self.rows), default=0)


def grade_matrix(table: Integers, scale: Scale) -> GradeMatrix:
    """Return counts [grades x grades] as cells with the margins."""
    shares, totals = row_shares(table), table.sum(axis=1).tolist()
    cells = [
        [
            GradeCell(n, share, i == j, n > 0 and abs(i - j) > 1)
            for j, (n, share) in enumerate(zip(row, shares[i], strict=True))
        ]
        for i, row in enumerate(table.tolist())
    ]
    rows = list(zip(scale.grades, cells, totals, strict=True))
    return GradeMatrix(scale.grades, rows, table.sum(axis=0).tolist(), int(table.sum()))


def of_all(tally: Tally, scale: Scale) -> GradeMatrix:
    """Return the matrix of all documents, the official grade by the second one."""
    return grade_matrix(official_by_second(tally, _values(scale)), scale)


def of_topics(tally: Tally, scale: Scale) -> list[Named]:
    """Return the counts of each topic, the official grade by the second one."""
    by_topic: dict[str, Tally] = defaultdict(Counter)
    for row, n in tally.items():
        by_topic[row[0]][row] = n
    return [
        (number, official_by_second(by_topic[number], _values(scale)))
        for number in sorted(by_topic, key=natural_key)
    ]


def of_pairs(tally: Tally, scale: Scale) -> list[Named]:
    """Return the counts of each pair, the one who is named first by the other."""
    by_pair = confusion_by_pair(tally, _values(scale))
    names = labels(name for pair in by_pair for name in pair)
    pairs = [(" and ".join(names[name] for name in pair), table) for pair, table in by_pair.items()]
    return sorted(pairs, key=lambda pair: natural_key(pair[0]))


def _values(scale: Scale) -> list[int]:
    return [grade.value for grade in scale.grades]
