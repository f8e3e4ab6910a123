"""How often intervals of boards hold the true mean, by simulation: what decision 32 says of them.

`python -m tests.core.evaluation.test_coverage` prints its table.
"""

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from cleverdon.measures.names import parse
from evaluation.core.standing import standings

MEASURE = parse("Judged@10")  # any mean from 0 to 1; this one has no places, which take time
# Values of runs on topics, drawn by chance, and their true mean.
SCORES = {
    "AP, beta (1.2, 2.8)": (lambda rng, shape: rng.beta(1.2, 2.8, shape), 0.3),
    "AP, low": (lambda rng, shape: rng.beta(0.6, 2.4, shape), 0.2),
    "AP, high": (lambda rng, shape: rng.beta(6, 1, shape), 6 / 7),
    "AP, easy and hard topics": (
        lambda rng, shape: np.where(
            rng.random(shape) < 0.7, rng.beta(1.2, 4.8, shape), rng.beta(4, 2, shape)
        ),
        0.34,
    ),
    "P@10": (lambda rng, shape: rng.binomial(10, rng.beta(1.2, 1.8, shape)) / 10, 0.4),
    "P@10, low": (lambda rng, shape: rng.binomial(10, rng.beta(0.8, 3.2, shape)) / 10, 0.2),
    "P@10, high": (lambda rng, shape: rng.binomial(10, rng.beta(4, 1, shape)) / 10, 0.8),
    "RR": (lambda rng, shape: 1 / rng.geometric(0.5, shape), np.log(2)),
    "RR, low": (lambda rng, shape: 1 / rng.geometric(0.2, shape), -0.25 * np.log(0.2)),
    "RR, high": (lambda rng, shape: 1 / rng.geometric(0.7, shape), -0.7 * np.log(0.7) / 0.3),
    **{
        f"{percent} % zeros": (
            lambda rng, shape, n=percent: rng.beta(1.2, 2.8, shape) * (100 * rng.random(shape) > n),
            0.3 * (1 - percent / 100),
        )
        for percent in (50, 70, 85, 90)
    },
    **{
        f"hit or miss, {percent} % hits": (
            lambda rng, shape, n=percent: (100 * rng.random(shape) < n).astype(float),
            percent / 100,
        )
        for percent in (50, 30, 10)
    },
}
TOPICS = (6, 8, 10, 15, 20, 25, 50, 100)
SMOOTH = list(SCORES)[:7]
# From how many topics on nearly all runs have an interval.
FROM = dict.fromkeys(SMOOTH, 10) | {
    "RR, low": 10,
    "RR": 25,
    "RR, high": 25,
    "50 % zeros": 25,
    "70 % zeros": 25,
    "hit or miss, 50 % hits": 50,
    "hit or miss, 30 % hits": 50,
    "90 % zeros": 100,
    "hit or miss, 10 % hits": 100,
}
# Reciprocal ranks that are nearly all 1 have few values: 98.5 with so few topics.
LONGER = {("RR, high", 25): 0.99}
ABOVE = [(name, n) for name in FROM for n in TOPICS if n >= FROM[name]]
# Of 50 % zeros every fourth pair of topics is the same, which is the edge: some boards have some.
BELOW = [(k, n) for k in FROM for n in TOPICS if n < (10 if k == "50 % zeros" else FROM[k])]


def held(name: str, n_topics: int, n_boards: int, n_runs: int) -> tuple[float, float]:
    """The shares of runs with an interval, and of these with one that holds the true mean."""
    draw, mean = SCORES[name]
    given = draw(np.random.default_rng(n_topics), (n_boards, n_runs, n_topics))
    counted = np.ones((n_runs, n_topics), dtype=bool)
    rows = [
        own
        for board in given
        for (own,) in standings(board[:, :, None], counted, [MEASURE])
        if own and own.ends
    ]
    holds = [own.low <= mean <= own.high for own in rows]
    return len(rows) / (n_boards * n_runs), sum(holds) / max(len(rows), 1)


# Smooth values, and those whose shares are the least certain; of the others `make test-deep` tells.
FEW = {"AP, beta (1.2, 2.8)", "RR, high"}


@pytest.mark.parametrize(
    ("name", "n_topics"),
    [pytest.param(*row, marks=[] if row[0] in FEW else pytest.mark.deep) for row in FROM.items()],
)
def test_where_runs_have_an_interval_ninety_five_of_a_hundred_hold_the_mean(name, n_topics):
    has_any, share = held(name, n_topics, n_boards=40, n_runs=50)
    assert has_any > 0.95
    most = LONGER.get((name, n_topics), 0.985)
    assert 0.925 <= share <= most, "2,000 samples tell it to half a percent"


@pytest.mark.parametrize("name", FROM)
def test_where_they_would_be_too_long_there_is_none(name):
    for n_topics in (n for k, n in BELOW if k == name):
        has_any, _ = held(name, n_topics, n_boards=5, n_runs=100)
        assert has_any == 0, n_topics


@pytest.mark.deep
@pytest.mark.parametrize(("name", "n_topics"), ABOVE)
def test_from_93_to_98_of_a_hundred_hold_on_boards_of_eight_runs(name, n_topics):
    has_any, share = held(name, n_topics, n_boards=1250, n_runs=8)
    assert has_any > 0.9
    assert 0.93 <= share <= LONGER.get((name, n_topics), 0.98)


def table() -> Iterator[list[str]]:
    """The rows of the table: coverage in percent, and of how many runs if not of nearly all."""
    for name in SCORES:
        cells = []
        for n_topics in TOPICS:
            has_any, share = held(name, n_topics, n_boards=250, n_runs=8)
            few = f" ({100 * has_any:.0f})" if has_any < 0.995 else ""
            cells.append(f"{100 * share:.1f}{few}" if has_any > 0.02 else "none")
        yield [name, *cells]


if __name__ == "__main__":
    for row in table():
        sys.stdout.write(f"| {' | '.join(row)} |\n")
