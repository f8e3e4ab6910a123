"""Pictures of the figures of agreement."""

from dataclasses import replace

from agreement.core.accuracy import ControlAccuracy
from agreement.core.differences import Leaning
from agreement.web.figures import KappaRows, PairMatrix
from cleverdon.agreement.statistics import ENOUGH, ComparedGrades
from cleverdon.pictures.bars import part_bar
from cleverdon.pictures.cells import shades
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.numbers import written
from cleverdon.pictures.picture import Picture
from cleverdon.pictures.rows import axis_of, axis_row, interval_row, pair_row
from cleverdon.pictures.scales import Axis
from cleverdon.pictures.triangle import triangle
from cleverdon.trec.words import counted

SHARES = axis_of([0.0, 1.0], low=0, high=1)
PERCENTS = replace(
    SHARES, labels=tuple(f"{tick:.0%}".replace("%", "\N{NO-BREAK SPACE}%") for tick in SHARES.ticks)
)


def shade(share: float | None) -> str:
    """Return the class of a cell shaded by a share."""
    return shades([share], low=0, high=1)[0]


def count_bar(name: str, n: int, most: int, in_pairs: bool) -> Drawn:
    return part_bar(n, most=most, sentence=f"{name}: {_documents(n, in_pairs)}")


def total_bar(n: int, most: int) -> Drawn:
    return part_bar(n, most=most, sentence=f"{n:,} in all")


def kappa_line(kappa: float) -> Drawn:
    """Draw kappa on its line from chance to perfect, and the axis below it."""
    axis = axis_of([kappa], low=min(0.0, kappa), high=1)
    sentence = f"Kappa {written(kappa, 2)}, on a line from 0, chance, to 1, perfect."
    line = interval_row(axis, kappa, sentence=sentence, size=12, height=24)
    return Drawn(line + axis_row(axis))


def kappa_axis(shared: KappaRows) -> Drawn:
    overall = shared.overall
    mark = None if overall is None else (overall, f"all {written(overall, 2)}")
    return axis_row(_axis(shared), mark=mark)


def kappa_square(compared: ComparedGrades, shared: KappaRows, in_pairs: bool = False) -> Drawn:
    """Draw a topic or a pair: the more documents, the larger the square."""
    kappa, n = compared.binary.kappa, compared.binary.n
    value = "undefined" if kappa is None else written(kappa, 2)
    return interval_row(
        _axis(shared),
        kappa,
        sentence=f"kappa {value} on {_documents(n, in_pairs)}",
        shape="square",
        size=7 + 7 * (n / shared.most) ** 0.5,
        mark=shared.overall,
        height=22,
    )


def _axis(shared: KappaRows) -> Axis:
    return axis_of([0.0, 1.0], low=shared.low, high=1)


def leaning_row(leaning: Leaning, in_pairs: bool) -> Drawn:
    """Draw the share that an assessor calls relevant, and the partners' share, hollow."""
    sentence = (
        f"{leaning.name}: {leaning.own:.0%} relevant, the partners {leaning.others:.0%}, "
        f"of {_documents(leaning.n, in_pairs)}"
    )
    return pair_row(SHARES, leaning.own, leaning.others, sentence=sentence)


def pair_triangle(matrix: PairMatrix) -> Picture:
    n = len(matrix.people)
    return triangle(
        [[cell and cell.kappa for cell in cells] for cells in matrix.cells],
        matrix.people,
        sentence=(
            f"Kappa of {n} assessors with each other; "
            f"a gap: fewer than {ENOUGH} documents judged by both."
        ),
        heads=("Assessor", "Closest to", "Kappa"),
        low=0,
        high=1,
        decimals=2,
    )


def accuracy_axis() -> Drawn:
    return axis_row(PERCENTS)


def accuracy_row(name: str, accuracy: ControlAccuracy) -> Drawn:
    """Draw the share of equal grades with its interval; dotted if there are too few answers."""
    low, high = accuracy.low, accuracy.high
    sentence = (
        f"{name}: {accuracy.n_equal:,} of {accuracy.n:,} the same grade, {accuracy.share:.0%}, "
        f"95 % interval {low:.0%} to {high:.0%}"
    )
    too_few = accuracy.n < ENOUGH
    return interval_row(
        SHARES, accuracy.share, (low, high), sentence=sentence, too_few=too_few, height=22
    )


def _documents(n: int, in_pairs: bool) -> str:
    return counted(n, "pair" if in_pairs else "document")
