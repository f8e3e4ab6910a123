"""A picture of each form for cells and cards of the style page."""

from cleverdon.pictures.bars import part_bar, small_bars
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.rows import axis_of, axis_row, interval_row, pair_row, range_row
from cleverdon.pictures.strips import LATER, OPEN, OTHERS, Mark, grade_strip, spread_strip
from tests.style.pictures import chance

LEFT = "41 of 69 documents judged, one left for later."
AXIS = axis_of([0.0, 1.0], low=0, high=1)


def strips() -> list[tuple[str, Drawn]]:
    """Pictures by name."""
    draw = chance()
    grades: list[Mark] = [int(g) for g in draw.choice([0, 0, 0, 1, 2, 3], 41)]
    marks: list[Mark] = [*grades[:6], LATER, *grades[6:], *[OPEN] * 27]
    done: list[Mark] = [int(g) for g in draw.choice([0, 0, 0, 1, 2, 3], 112)]
    below: list[Mark] = [2, 0, -2, OTHERS, 1, -1, 0, OTHERS, 2, OPEN, -2, OPEN]
    scores = draw.beta(4, 8, 80).tolist()
    hanging = "Grades below 0 hang from the ground; 2 documents were judged before."
    spread = "AP 0.450, above the median."
    part = "327 of 1,319 documents found by this team only."
    return [
        ("Grade strip", grade_strip(marks, highest=3, sentence=LEFT)),
        ("Small", grade_strip(marks, highest=3, height=20, sentence=LEFT)),
        ("Below 0", grade_strip(below, highest=2, sentence=hanging)),
        ("Done", grade_strip(done, highest=3, height=20, sentence="All 112 documents judged.")),
        ("Spread", spread_strip(scores, 0.45, sentence=spread)),
        ("Part", part_bar(327, 1319, most=1363, sentence=part)),
        (
            "On a track",
            part_bar(287, most=544, track=True, sentence="287 of 544 documents judged."),
        ),
        ("Small bars", small_bars([0, 4, 7, 3, 0, 8, 9, 5], sentence="0 to 9 judgments a day.")),
    ]


def axis() -> Drawn:
    """The axis for the head of the table that has `rows`."""
    return axis_row(AXIS, mark=(0.46, "all .46"))


def interval(value: float, low: float, high: float, sentence: str, **options: object) -> Drawn:
    return interval_row(AXIS, value, (low, high), mark=0.46, sentence=sentence, **options)


def rows() -> list[tuple[str, Drawn]]:
    """Rows of a table that share an axis, by name."""
    diamond = {"shape": "diamond", "whose": "others"}
    late, baseline = "AP 0.320, 0.260 to 0.380; late", "AP 0.310, 0.270 to 0.360; a baseline"
    kappa, few = "kappa 0.52, 0.32 to 0.70", "too few documents to say"
    above, below = (0.0, 0.12, 0.2, 0.3, 0.62), (0.02, 0.12, 0.2, 0.3, 0.62)
    lenient, usual = "61 % relevant, partners 43 %", "44 % relevant, partners 46 %"
    return [
        ("Pooled", interval(0.41, 0.355, 0.466, "AP 0.410, 0.355 to 0.466")),
        ("Late", interval(0.32, 0.26, 0.38, late, shape="ring")),
        ("Baseline", interval(0.31, 0.27, 0.36, baseline, **diamond)),
        ("Topic", interval(0.52, 0.32, 0.7, kappa, shape="square", size=11)),
        ("Too few", interval(0.6, 0.1, 0.9, few, shape="square", too_few=True)),
        ("Above the median", range_row(AXIS, 0.34, above, sentence="AP 0.340, median 0.200")),
        ("Below the median", range_row(AXIS, 0.14, below, sentence="AP 0.140, median 0.200")),
        ("Lenient", pair_row(AXIS, 0.61, 0.43, sentence=lenient)),
        ("As the others", pair_row(AXIS, 0.44, 0.46, sentence=usual)),
    ]
