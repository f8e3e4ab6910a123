"""Pictures of the figures of agreement."""

from dataclasses import replace

from agreement.core.accuracy import ControlAccuracy
from agreement.core.differences import Side
from agreement.web.figures import Rows
from agreement.web.matrices import PairMatrix, value_of
from cleverdon.agreement.measured import ENOUGH, Figure
from cleverdon.pictures.bars import part_bar, small_bars
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


def count_bar(name: str, n: int, most: int) -> Drawn:
    return part_bar(n, most=most, sentence=f"{name}: {counted(n, 'time')}")


def total_bar(n: int, most: int) -> Drawn:
    return part_bar(n, most=most, sentence=f"{n:,} in all")


def in_words(figure: Figure) -> str:
    """Say a coefficient with its interval, and of how many documents it is."""
    value = "undefined" if figure.value is None else written(figure.value, 2)
    ends = [written(end, 2) for end in figure.interval or ()]
    between = f", 95 % interval {' to '.join(ends)}" if ends else ""
    return f"{figure.coefficient.name} {value}{between}, on {counted(figure.n, 'document')}"


def kappa_line(figure: Figure) -> Drawn:
    """Draw a coefficient on its line from chance to perfect, and the axis below it."""
    value = figure.value or 0.0
    low = min(0.0, value, figure.low or 0.0)
    axis = axis_of([value], low=low, high=1)
    line = interval_row(
        axis, value, figure.interval, sentence=in_words(figure), size=12, height=24,
        too_few=not figure.is_enough,
    )  # fmt: skip
    return Drawn(line + axis_row(axis))


def rows_axis(shared: Rows) -> Drawn:
    overall = shared.overall
    mark = None if overall is None else (overall, f"all {written(overall, 2)}")
    return axis_row(_axis(shared), mark=mark)


def rows_square(figure: Figure, shared: Rows) -> Drawn:
    """Draw a coefficient with its interval; the more documents, the larger the square."""
    return interval_row(
        _axis(shared),
        figure.value,
        figure.interval,
        sentence=in_words(figure),
        shape="square",
        size=5 + 7 * (figure.n / max(shared.most, 1)) ** 0.5,
        too_few=not figure.is_enough,
        mark=shared.overall,
        height=22,
    )


def figure_axis() -> Drawn:
    return axis_row(SHARES)


def figure_row(figure: Figure) -> Drawn:
    """Draw a coefficient with its interval on a line from 0 to 1; what is below stands at 0."""
    too_few = not figure.is_enough
    return interval_row(
        SHARES, figure.value, figure.interval, sentence=in_words(figure), too_few=too_few, height=22
    )


def _axis(shared: Rows) -> Axis:
    return axis_of([0.0, 1.0], low=shared.low, high=1)


def leaning_row(side: Side) -> Drawn:
    """Draw the share that an assessor calls relevant, and the partners' share, hollow."""
    sentence = (
        f"{side.name}: {side.share:.0%} relevant, the partners {side.share_of_others:.0%}, "
        f"of {counted(side.n, 'document')}"
    )
    return pair_row(SHARES, side.share, side.share_of_others, sentence=sentence)


def grades_bars(side: Side, grades: list[str]) -> Drawn:
    """Draw how often an assessor gave each grade."""
    shares = [f"{grade}: {n:,}" for grade, n in zip(grades, side.given, strict=True)]
    sentence = f"{side.name}: {', '.join(shares)}"
    return small_bars([float(n) for n in side.given], sentence=sentence, titles=shares)


def pair_triangle(matrix: PairMatrix) -> Picture:
    n = len(matrix.people)
    return triangle(
        [[cell and value_of(cell) for cell in cells] for cells in matrix.cells],
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
