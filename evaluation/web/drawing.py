"""Pictures of the figures of boards and of runs."""

import math
from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from cleverdon.pictures.bars import differences
from cleverdon.pictures.histogram import histogram
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.picture import Picture, Whose
from cleverdon.pictures.rows import Shape, axis_of, axis_row, interval_row, range_row
from cleverdon.pictures.scales import Axis
from cleverdon.pictures.scatter import scatter
from cleverdon.pictures.strips import grade_strip, spread_strip
from cleverdon.significance.randomization import SAME
from cleverdon.trec.words import counted
from evaluation.core.columns import SPACE, MeasureColumn
from evaluation.core.difference import Gap
from evaluation.core.retrieved import Ranked
from evaluation.web.board_tables import BoardRow
from evaluation.web.by_topic import MeasureStrip, TopicRow
from evaluation.web.classes import ClassLine
from evaluation.web.comparing import ComparedRuns
from evaluation.web.costs import Costs
from evaluation.web.pairs import PairedMeasure, RunPair

ROW_HEIGHT = 24
MOST_NAMED = 2  # of the largest rises, and of the largest falls
IMPROVED = range(-100, 150, 25)  # percent; the last bin has all larger ones


def column_axis(column: MeasureColumn, values: Sequence[float]) -> Axis:
    """Return the axis that the rows of a table share, its values written as in the column."""
    if not column.is_share:
        return axis_of(values)
    known = [100 * value for value in values if not math.isnan(value)] or [0.0]
    # Whole percentages, and room for the dots at both ends.
    low, high = math.floor(min(known) - 0.5), math.ceil(max(known) + 0.5)
    axis = axis_of(known, low=low, high=high, whole=True)
    labels = tuple(f"{label}{SPACE}%" for label in axis.labels)
    ticks = tuple(tick / 100 for tick in axis.ticks)
    return Axis(axis.low / 100, axis.high / 100, ticks, labels)


def axis_head(axis: Axis) -> Drawn:
    return axis_row(axis)


def value_dot(axis: Axis, value: float) -> Drawn:
    return interval_row(axis, value, sentence="", height=ROW_HEIGHT)


def board_dot(axis: Axis, row: BoardRow) -> Drawn:
    """Draw a score with its interval: a diamond for a baseline, a ring if it is not in the pool."""
    shape: Shape = "ring" if row.is_pooled is False else "dot"
    whose: Whose = "mine"
    if row.entry.subject.is_baseline:
        shape, whose = "diamond", "others"
    ends = row.standing.ends if row.standing else None
    sentence = f"From {row.interval}." if ends else ""
    return interval_row(
        axis, row.value, ends, sentence=sentence, shape=shape, whose=whose, height=ROW_HEIGHT
    )


def class_ticks(axis: Axis, line: ClassLine) -> Drawn:
    """Draw a tick for each run of a class."""
    sentence = f"{counted(len(line.runs), 'run')}, {line.ends}."
    return spread_strip(
        line.values, None, sentence=sentence, axis=axis, with_median=False, height=ROW_HEIGHT
    )


def measure_strip(strip: MeasureStrip) -> Drawn:
    sentence = f"{strip.tag} has {strip.column.name} {strip.text}: {strip.place}."
    return spread_strip(strip.values, strip.value, sentence=sentence, with_median=strip.has_median)


def topics_axis(column: MeasureColumn, rows: Sequence[TopicRow]) -> Axis:
    """Return the axis of a run's values and those of all runs on its topics."""
    ends = (end for row in rows if row.among for end in row.among.summary)
    return column_axis(column, [*(row.value for row in rows), *ends])


def topic_range(axis: Axis, column: MeasureColumn, row: TopicRow) -> Drawn:
    """Draw a run's value on a topic among those of all runs, if the reader may know them."""
    if row.among is None:
        return value_dot(axis, row.value)
    low, first, half, third, high = map(column.text, row.among.summary)
    middle = "" if row.among.place is None else f" the middle half from {first} to {third},"
    sentence = (
        f"Topic {row.number}: {row.text}; all runs from {low} to {high},{middle} median {half}."
    )
    summary = row.among.summary
    return range_row(axis, row.value, summary, sentence=sentence, height=ROW_HEIGHT)


def value_rows(rows: Sequence[tuple[str, str, Sequence[str], Sequence[float]]]) -> SafeString:
    """Write the rows of a table of thousands of values, which a template takes long for."""
    return format_html_join(
        "\n",
        '<tr><th scope="row">{}</th><td class="title">{}</td>{}</tr>',
        ((number, title, _cells(texts)) for number, title, texts, _ in rows),
    )


def _cells(texts: Sequence[str]) -> SafeString:
    first, *rest = texts
    main = format_html('<td class="number main">{}</td>', first)
    return main + format_html_join("", '<td class="number">{}</td>', zip(rest, strict=True))


def ranking_strip(documents: Sequence[Ranked], level: int) -> Drawn:
    """Draw the grades of documents in the order of a ranking."""
    grades = [each.grade for each in documents]
    n_relevant = sum(each.reaches(level) for each in documents)
    sentence = f"{n_relevant} relevant, {grades.count(None)} unjudged of {len(grades)}."
    return grade_strip(grades, highest=max(filter(None, grades), default=1), sentence=sentence)


def topic_differences(pair: RunPair) -> Picture:
    """Draw the differences of two runs topic by topic."""
    name, (_, _, n_higher, _, n_lower) = pair.column.name, pair.size.effect
    sentence = (
        f"{pair.mine.run.tag} is higher than {pair.other.run.tag} by {name} on {n_higher} of "
        f"{len(pair.topics)} topics, and lower on {n_lower}."
    )
    labels = (f"higher on {n_higher}" if n_higher else "", f"lower on {n_lower}" if n_lower else "")
    heads = ("Topic", f"{name}, difference")
    return differences(pair.differences, pair.topics, sentence=sentence, heads=heads, labels=labels)


def gap_axis(pair: RunPair) -> Axis:
    """Return the axis of both intervals of a difference, which has 0 on it."""
    ends = [end for _, _, gap in pair.rows for end in gap.ends or ()]
    return column_axis(pair.column, [0.0, pair.main.gap, *ends])


def gap_row(axis: Axis, pair: RunPair, gap: Gap, kind: str) -> Drawn:
    """Draw the difference of two runs with the interval of one of its tests, and a line at 0."""
    return interval_row(
        axis,
        pair.main.gap,
        gap.ends,
        sentence=f"{pair.main.change}, {gap_ends(pair, gap) or 'without an interval'}.",
        whose="mine" if kind == "corrected" else "others",
        mark=0.0,
        height=36,
    )


def gap_ends(pair: RunPair, gap: Gap) -> str:
    """Write the interval of a difference; "" without one."""
    return " to ".join(pair.column.change(each, 0.0) for each in gap.ends or ())


def pair_measures_axis(pair: RunPair) -> Axis:
    """Return the axis that the differences by all measures share; counts are not drawn on it."""
    drawn = [each for each in pair.measures if not each.column.is_count]
    ends = [end for each in drawn for end in each.ends or ()]
    axis = axis_of([0.0, *(each.gap for each in drawn), *ends])
    # In a narrow column there is room for three labels.
    kept = [pair for pair in axis.named if pair[0] in {axis.ticks[0], 0.0, axis.ticks[-1]}]
    return Axis(axis.low, axis.high, *map(tuple, zip(*kept, strict=True)))


def pair_measure(axis: Axis, row: PairedMeasure) -> Drawn | str:
    """Draw the difference of two runs by a measure with its interval."""
    if row.column.is_count:
        return ""
    ends = " to ".join(row.column.change(each, 0.0) for each in row.ends or ())
    return interval_row(
        axis,
        row.gap,
        row.ends,
        sentence=f"{row.column.name} {row.change}{f', {ends}' if ends else ''}.",
        whose="others",
        mark=0.0,
        height=ROW_HEIGHT,
    )


def topic_improvements(pair: RunPair) -> Picture | None:
    """Draw on how many topics one run is higher or lower than the other, by percent."""
    changes, name = pair.improvements, pair.column.name
    if not changes:
        return None
    return histogram(
        # A bin has its lower end; on this side of 0 it is to have the upper one.
        [min(change - SAME, IMPROVED[-1]) if change > 0 else change for change in changes],
        sentence=f"By how much percent {pair.mine.run.tag} is higher by {name} than "
        f"{pair.other.run.tag}, on the {counted(len(changes), 'topic')} where they differ and the "
        "latter is not 0.",
        heads=("higher by, in percent", "topics"),
        edges=IMPROVED,
        around_zero=True,
        last="over 100",
    )


def places_before_after(compared: ComparedRuns) -> Picture:
    """Draw the place of each run before and after; those that moved farthest are named."""
    rows = [row for row in compared.in_both if row.moved.rose is not None]
    moves = [row.moved for row in rows]
    far = sorted(range(len(rows)), key=lambda n: (-abs(moves[n].rose or 0), moves[n].tag))
    n_moved = sum(bool(move.rose) for move in moves)
    return scatter(
        [move.before_rank for move in moves],
        [move.after_rank for move in moves],
        [move.tag for move in moves],
        sentence=f"{compared.column.name}: {n_moved:,} of {len(rows):,} runs have another place.",
        heads=("Run", "place before", "place after"),
        identity=True,
        mine=[n for n, row in enumerate(rows) if row.is_own],
        labeled=[n for n in far[: 2 * MOST_NAMED] if moves[n].rose],
    )


def before_after(compared: ComparedRuns) -> Picture:
    """Draw each run by its two scores; the largest rises and falls are named."""
    rows, column = compared.in_both, compared.column
    numbered = range(len(rows))
    change = [row.difference for row in rows]
    rising = sorted(numbered, key=lambda n: -change[n])
    named = [n for n in rising[:MOST_NAMED] if change[n] > 0]
    named += [n for n in rising[::-1][:MOST_NAMED] if change[n] < 0]
    return scatter(
        [row.moved.before for row in rows],
        [row.moved.after for row in rows],
        [row.moved.tag for row in rows],
        sentence=f"{compared.heading}.",
        heads=("Run", f"{column.name} before", f"{column.name} after"),
        identity=True,
        mine=[n for n in numbered if rows[n].is_own],
        labeled=named,
    )


def pareto(costs: Costs) -> Picture:
    """Draw each run by cost and score; those on the front are named and joined."""
    rows, front, names = costs.rows, costs.front, [each.row.entry.tag for each in costs.rows]
    named = f": {', '.join(names[n] for n in front)}" if front else ""
    return scatter(
        [each.cost for each in rows],
        [each.row.value for each in rows],
        names,
        sentence=f"{costs.heading}{named}.",
        heads=("Run", costs.figure.title, costs.column.name),
        mine=[n for n, each in enumerate(rows) if each.row.is_own],
        labeled=front,
        joined=front,
    )
