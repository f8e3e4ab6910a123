"""A large picture of each form for the style page."""

from datetime import date, timedelta

import numpy as np

from cleverdon.pictures.bars import bars, differences
from cleverdon.pictures.heat import heat_map
from cleverdon.pictures.histogram import histogram
from cleverdon.pictures.lines import Limit, Point, Rule, Series, lines
from cleverdon.pictures.picture import Picture
from cleverdon.pictures.scatter import scatter
from cleverdon.pictures.triangle import triangle

START = date(2026, 11, 23)
TOPICS = [str(n) for n in range(301, 351)]
NAMES = ("Ada", "Ben", "Cleo", "Dana", "Emil", "Fatou", "Tomas")
TEAMS = ("Aldgate", "Bexley", "Corvid", "Delphi", "Elmhurst", "Fjord", "Harbor", "Ixion")
JUDGED = [0, 250, 560, 800, 1000, 1120, 1140, 1400, 1700, 2050, 2300, 2500, 2560, 2600, 3000]
JUDGED += [3450, 3912]
A_DAY = [0, 31, 40, 20, 0, 0, 0, 36, 52, 44, 11, 28, 0, 0, 31, 45, 38]


def chance() -> np.random.Generator:
    """The generator of each sample, so that it is the same every time."""
    return np.random.default_rng(11)


def large_pictures() -> list[tuple[str, Picture]]:
    """Pictures by title."""
    return [
        ("Judgments", burn_up()),
        ("Documents to judge, by depth", by_depth()),
        ("Documents per topic", per_topic()),
        ("Judgments a day", a_day()),
        ("Difference in AP, topic by topic", against_median()),
        ("Improvement in percent", improvements()),
        ("AP by both qrels", versions()),
        ("AP by run and topic", runs_by_topic()),
        ("Kappa, pair by pair", pairs()),
        ("Share of documents in common", alike()),
    ]


def burn_up() -> Picture:
    days = [START + timedelta(n) for n in range(len(JUDGED))]
    today = days[-1]
    ahead = [today, *(today + timedelta(n) for n in (5, 6, 8))]
    low, high = [3912, 4900, 5090, 5486], [3912, 5486, 5486, 5486]
    likely = [3912, 5223, 5486, None]
    return lines(
        [
            Series("judged", days, JUDGED, area=True),
            Series("forecast", ahead, likely, dashed=True, lows=low, highs=high),
        ],
        sentence="3,912 of 5,486 documents are judged; the forecast ends on 15 December.",
        x_name="day",
        y_name="judgments",
        points=[
            Point(days[5], JUDGED[5], "qrels v1", hollow=True),
            Point(days[12], JUDGED[12], "qrels v2", hollow=True),
            Point(today, JUDGED[-1], "today 3,912"),
            Point(date(2026, 12, 15), 5486, "done 15 Dec", "14 to 17", hollow=True, drop=True),
        ],
        rules=[Rule(date(2026, 12, 18), "deadline 18 Dec")],
        limits=[Limit(5486, "pool 5,486")],
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
    return bars(
        sizes,
        TOPICS,
        sentence="The topics have 46 to 163 documents; half of them more than 106.",
        heads=("topic", "documents"),
        chosen=49,
        chosen_label=f"350 shade sails in public squares: {sizes[-1]}",
        with_median=True,
        hrefs=["#main" for _ in TOPICS],
    )


def a_day() -> Picture:
    names = [f"{START + timedelta(n):%d %b}" for n in range(len(A_DAY))]
    sentence = "Between 0 and 52 judgments a day, with two pauses."
    heads = ("day", "judgments")
    return bars(A_DAY, names, sentence=sentence, heads=heads, highest_first=False)


def against_median() -> Picture:
    values = np.round(chance().normal(0.02, 0.15, 50), 3).tolist()
    better, worse = sum(v > 0 for v in values), sum(v < 0 for v in values)
    return differences(
        values,
        TOPICS,
        sentence=f"Better on {better} topics, worse on {worse}.",
        heads=("topic", "difference in AP"),
        labels=(f"better on {better}", f"worse on {worse}"),
    )


def improvements() -> Picture:
    return histogram(
        chance().normal(4, 22, 200).tolist(),
        sentence="Most topics change by less than 20 percent.",
        heads=("percent", "topics"),
        edges=range(-75, 100, 15),
        around_zero=True,
    )


def versions() -> Picture:
    draw = chance()
    before = draw.uniform(0.15, 0.42, 40)
    after = before + draw.normal(0.01, 0.02, 40)
    return scatter(
        before.tolist(),
        after.tolist(),
        [f"run-{n}" for n in range(40)],
        sentence="The runs keep their order from version 2 to version 3; tau is 0.91.",
        heads=("run", "AP, qrels v2", "AP, qrels v3"),
        identity=True,
        mine=[17, 21],
        labeled=[17, 21],
    )


def runs_by_topic() -> Picture:
    values = np.clip(chance().beta(2, 5, (24, 50)), 0, 1).round(3)
    values[3, 7] = np.nan
    names = [f"kestrel-{n}" for n in range(24)]
    sentence = "The hardest topics are hard for all runs."
    return heat_map(values.tolist(), names, TOPICS, sentence=sentence, corner="run", decimals=2)


def pairs() -> Picture:
    kappas = chance().uniform(0.5, 0.85, (7, 7)).round(2).tolist()
    sentence = "Tomas agrees least with the others."
    heads = ("assessor", "with", "kappa")
    return triangle(kappas, NAMES, sentence=sentence, heads=heads, decimals=2)


def alike() -> Picture:
    return triangle(
        chance().beta(3, 6, (48, 48)).round(2).tolist(),
        [f"{team}-{n}" for team in TEAMS for n in range(6)],
        groups=[team for team in TEAMS for _ in range(6)],
        sentence="Few runs have more than half of their documents in common.",
        heads=("run", "with", "share"),
        decimals=2,
    )
