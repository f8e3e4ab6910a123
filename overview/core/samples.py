"""An example of each form of picture, for the page that shows all components."""

from datetime import date, timedelta

import numpy as np

from pictures.bars import bars, differences, small_bars
from pictures.heat import heat_map
from pictures.histogram import histogram
from pictures.lines import Limit, Point, Rule, Series, lines
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.rows import axis_of, axis_row, interval_row, pair_row, range_row
from pictures.scatter import scatter
from pictures.strips import LATER, OPEN, OTHERS, Mark, grade_strip, spread_strip
from pictures.triangle import triangle

NAMES = ("Ada", "Ben", "Cleo", "Dana", "Emil", "Fatou", "Tomas")
START = date(2026, 11, 23)


def chance() -> np.random.Generator:
    """Return the generator of all samples, so that they are the same each time."""
    return np.random.default_rng(11)


def of_each_form() -> dict[str, object]:
    """Return what the template of the examples shows."""
    axis, in_rows = rows()
    return {"pictures": large_pictures(), "strips": strips(), "axis": axis, "rows": in_rows}


def large_pictures() -> list[tuple[str, Picture]]:
    """Return the pictures that stand alone, each with its title."""
    return [
        ("Judgments", burn_up()),
        ("Documents to judge, by depth", by_depth()),
        ("Documents per topic", per_topic()),
        ("Judgments a day", days()),
        ("Difference in AP, topic by topic", against_median()),
        ("Improvement in percent", improvements()),
        ("AP by both qrels", versions()),
        ("AP by run and topic", runs_by_topic()),
        ("Kappa, pair by pair", pairs()),
        ("Share of documents in common", alike()),
    ]


def burn_up(width: int | None = None) -> Picture:
    judged = [
        0,
        250,
        560,
        800,
        1000,
        1120,
        1140,
        1400,
        1700,
        2050,
        2300,
        2500,
        2560,
        2600,
        3000,
        3450,
        3912,
    ]
    days = [START + timedelta(n) for n in range(len(judged))]
    today, done = days[-1], date(2026, 12, 15)
    ahead = [today, *(today + timedelta(n) for n in (5, 6, 8))]
    return lines(
        [
            Series("judged", days, judged, area=True),
            Series(
                "forecast",
                ahead,
                [3912, 5223, 5486, None],
                dashed=True,
                lows=[3912, 4900, 5090, 5486],
                highs=[3912, 5486, 5486, 5486],
            ),
        ],
        sentence="3,912 of 5,486 documents are judged; the forecast ends on 15 December, three days before the deadline.",
        x_name="day",
        y_name="judgments",
        points=[
            Point(days[5], judged[5], "qrels v1", hollow=True, href="#main"),
            Point(days[12], judged[12], "qrels v2", hollow=True, href="#main"),
            Point(today, judged[-1], "today 3,912"),
            Point(done, 5486, "done 15 Dec", "14 to 17", hollow=True, drop=True),
        ],
        rules=[Rule(date(2026, 12, 18), "deadline 18 Dec")],
        limits=[Limit(5486, "pool 5,486")],
        width=width,
    )


def by_depth() -> Picture:
    depths = np.arange(1, 61)
    sizes = np.round(680 * depths**0.7).astype(int)
    return lines(
        [
            Series("documents", depths.tolist(), sizes.tolist(), "others"),
            Series("chosen", depths[:20].tolist(), sizes[:20].tolist(), area=True),
        ],
        sentence="At depth 20 there are 5,536 documents to judge.",
        x_name="depth",
        y_name="documents",
        points=[Point(20, int(sizes[19]), f"{sizes[19]:,} documents", "depth 20", drop=True)],
        limits=[Limit(9800, "7 assessors until 18 December", "second")],
    )


def per_topic() -> Picture:
    sizes = sorted(chance().integers(46, 164, 50).tolist())
    names = [str(n) for n in range(301, 351)]
    return bars(
        sizes,
        names,
        sentence="The topics have 46 to 163 documents; half of them more than 106.",
        heads=("topic", "documents"),
        chosen=49,
        chosen_label=f"350 shade sails in public squares: {sizes[-1]}",
        with_median=True,
        hrefs=["#main" for _ in names],
    )


def days() -> Picture:
    counts = [0, 31, 40, 20, 0, 0, 0, 36, 52, 44, 11, 28, 0, 0, 31, 45, 38]
    names = [f"{START + timedelta(n):%d %b}" for n in range(len(counts))]
    return bars(
        counts,
        names,
        sentence="Between 0 and 52 judgments a day, with two pauses.",
        heads=("day", "judgments"),
        highest_first=False,
    )


def against_median() -> Picture:
    values = np.round(chance().normal(0.02, 0.15, 50), 3).tolist()
    names = [str(n) for n in range(301, 351)]
    better, worse = sum(v > 0 for v in values), sum(v < 0 for v in values)
    return differences(
        values,
        names,
        sentence=f"Better on {better} topics, worse on {worse}.",
        heads=("topic", "difference in AP"),
        labels=(f"better on {better}", f"worse on {worse}"),
    )


def improvements() -> Picture:
    return histogram(
        chance().normal(4, 22, 200).tolist(),
        sentence="Most topics change by less than 20 percent.",
        heads=("percent", "topics"),
        around_zero=True,
    )


def versions() -> Picture:
    draw = chance()
    before = draw.uniform(0.15, 0.42, 40)
    after = before + draw.normal(0.01, 0.02, 40)
    wide = draw.uniform(0.01, 0.03, 40)
    return scatter(
        before.tolist(),
        after.tolist(),
        [f"run-{n}" for n in range(40)],
        sentence="The runs keep their order from version 2 to version 3; tau is 0.91.",
        heads=("run", "AP, qrels v2", "AP, qrels v3"),
        identity=True,
        y_intervals=list(zip((after - wide).tolist(), (after + wide).tolist(), strict=True)),
        mine=[3, 17],
        labeled=[3, 17],
    )


def runs_by_topic() -> Picture:
    draw = chance()
    values = np.clip(draw.beta(2, 5, (24, 50)), 0, 1).round(3)
    values[3, 7] = np.nan
    return heat_map(
        values.tolist(),
        [f"kestrel-{n}" for n in range(24)],
        [str(n) for n in range(301, 351)],
        sentence="The hardest topics are hard for all runs.",
        corner="run",
        decimals=2,
    )


def pairs() -> Picture:
    kappas = chance().uniform(0.5, 0.85, (7, 7)).round(2).tolist()
    return triangle(
        kappas,
        NAMES,
        sentence="Tomas agrees least with the others.",
        heads=("assessor", "with", "kappa"),
        decimals=2,
    )


def alike() -> Picture:
    names = [
        f"{team}-{n}"
        for team in (
            "Aldgate",
            "Bexley",
            "Corvid",
            "Delphi",
            "Elmhurst",
            "Fjord",
            "Harbor",
            "Ixion",
        )
        for n in range(6)
    ]
    shares = chance().beta(3, 6, (48, 48)).round(2).tolist()
    return triangle(
        shares,
        names,
        groups=[name.split("-")[0] for name in names],
        sentence="Few runs have more than half of their documents in common.",
        heads=("run", "with", "share"),
        decimals=2,
    )


def strips() -> list[tuple[str, Picture]]:
    """Return the pictures that stand in cells and cards, each with what it shows."""
    draw = chance()
    grades: list[Mark] = [int(g) for g in draw.choice([0, 0, 0, 1, 2, 3], 41)]
    marks: list[Mark] = [*grades[:6], LATER, *grades[6:], *[OPEN] * 27]
    done: list[Mark] = [int(g) for g in draw.choice([0, 0, 0, 1, 2, 3], 112)]
    scores = draw.beta(4, 8, 80).tolist()
    return [
        (
            "Grade strip",
            grade_strip(
                marks, highest=3, sentence="41 of 69 documents judged, one left for later."
            ),
        ),
        (
            "Small",
            grade_strip(
                marks,
                highest=3,
                height=20,
                sentence="41 of 69 documents judged, one left for later.",
            ),
        ),
        (
            "Below 0",
            grade_strip(
                [2, 0, -2, OTHERS, 1, -1, 0, OTHERS, 2, OPEN, -2, OPEN],
                highest=2,
                sentence="Grades below 0 hang from the ground; 2 documents were judged before.",
            ),
        ),
        ("Done", grade_strip(done, highest=3, height=20, sentence="All 112 documents judged.")),
        (
            "Spread",
            spread_strip(
                scores, 0.45, interval=(0.36, 0.52), sentence="AP 0.450, above the median."
            ),
        ),
        (
            "Part",
            part_bar(
                327, 1319, most=1363, sentence="327 of 1,319 documents found by this team only."
            ),
        ),
        (
            "On a track",
            part_bar(287, most=544, track=True, sentence="287 of 544 documents judged."),
        ),
        (
            "Small bars",
            small_bars([0, 4, 7, 3, 0, 8, 9, 5], sentence="Between 0 and 9 judgments a day."),
        ),
    ]


def rows() -> tuple[Picture, list[tuple[str, Picture]]]:
    """Return an axis for the head of a table, and pictures for its rows."""
    axis = axis_of([0.0, 1.0], low=0, high=1)
    return axis_row(axis, mark=(0.46, "all .46")), [
        (
            "Pooled",
            interval_row(
                axis,
                0.41,
                (0.355, 0.466),
                zone=(0.355, 0.466),
                mark=0.46,
                sentence="AP 0.410, 0.355 to 0.466",
            ),
        ),
        (
            "Late",
            interval_row(
                axis,
                0.32,
                (0.26, 0.38),
                shape="ring",
                zone=(0.355, 0.466),
                mark=0.46,
                sentence="AP 0.320, 0.260 to 0.380; late",
            ),
        ),
        (
            "Baseline",
            interval_row(
                axis,
                0.31,
                (0.27, 0.36),
                shape="diamond",
                whose="others",
                zone=(0.355, 0.466),
                mark=0.46,
                sentence="AP 0.310, 0.270 to 0.360; a baseline",
            ),
        ),
        (
            "Topic",
            interval_row(
                axis,
                0.52,
                (0.32, 0.7),
                shape="square",
                size=11,
                mark=0.46,
                sentence="kappa 0.52, 0.32 to 0.70",
            ),
        ),
        (
            "Too few",
            interval_row(
                axis,
                0.6,
                (0.1, 0.9),
                shape="square",
                too_few=True,
                mark=0.46,
                sentence="too few documents to say",
            ),
        ),
        (
            "Above the median",
            range_row(axis, 0.34, (0.0, 0.12, 0.2, 0.3, 0.62), sentence="AP 0.340, median 0.200"),
        ),
        (
            "Below the median",
            range_row(axis, 0.14, (0.02, 0.12, 0.2, 0.3, 0.62), sentence="AP 0.140, median 0.200"),
        ),
        (
            "Lenient",
            pair_row(axis, 0.61, 0.43, flagged=True, sentence="61 % relevant, partners 43 %"),
        ),
        ("As the others", pair_row(axis, 0.44, 0.46, sentence="44 % relevant, partners 46 %")),
    ]
