"""The study of an evaluation: what its measures and topics can tell."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evaluation.core.standing import FEWEST_TOPICS
from measures.family import Best, Measure
from measures.scoring.scores import Terms, terms_of
from pictures.scales import ticks_of
from significance.correlations import rbo, tau_ap, tau_b
from significance.pairs import told_apart
from significance.power import deviation, topics_needed
from significance.subsets import stability, swaps
from significance.tukey import tukey
from trec.arrays import Floats, Mask

N_SIZES, MOST_BINS = 10, 20
DIFFERENCES, EFFECTS = (0.01, 0.02, 0.05, 0.1), (0.5, 0.3, 0.2, 0.1)


class MeasureStudy(NamedTuple):
    """What one measure can tell of the runs that have values, as it is stored.

    Of all pairs of runs `n_told` are told apart; a difference must exceed `needed` by Tukey's HSD.
    `topics` are needed for each of DIFFERENCES. `swaps` are as of `significance.subsets`, in bins
    that begin at `edges`; `taus` are as of there, for `sizes`.
    """

    measure: str
    n_runs: int
    n_told: int
    needed: float
    deviation: float
    topics: list[int]
    edges: list[float]
    swaps: list[list[int]]
    sizes: list[int]
    taus: list[list[float]]

    @property
    def n_all(self) -> int:
        """How many pairs of runs there are."""
        return self.n_runs * (self.n_runs - 1) // 2

    @property
    def swapped(self) -> list[float]:
        """The share of pairs that swap in each bin; NaN for a bin without pairs."""
        return [swapped / n if n else np.nan for n, swapped in zip(*self.swaps, strict=True)]

    def steady_from(self, share: float) -> float | None:
        """Return the edge from which on at most a share of each bin swap; None without one."""
        over = [n for n, swapped in enumerate(self.swapped) if swapped > share]
        return dict(enumerate(self.edges)).get(over[-1] + 1 if over else 0)


def studied(values: Floats, counted: Mask, measures: Sequence[Measure]) -> dict[str, Any]:
    """Study the measures that are means, say which run is better, and by which runs differ.

    `values` are [runs x topics x measures], `counted` [runs x topics]. The `n_topics` are those
    that count for every run that has any; with fewer than six there are no `measures`. `effects`
    are the topics needed for each of EFFECTS. `alike` has for tau-b, tau-AP and RBO a triangle:
    each measure with each before it, over the runs that both have values of.
    """
    takes_part = counted.any(axis=1)
    common = values[takes_part][:, counted[takes_part].all(axis=0)]
    boards, rows = [], []
    for n, measure in enumerate(measures):
        terms = terms_of(common[:, :, n], measure)
        if not terms or measure.family.best is Best.NONE or common.shape[1] < FEWEST_TOPICS:
            continue
        board = _board(terms, measure, terms.values.mean(axis=1))
        has_value = np.isfinite(board)
        if len(np.unique(board[has_value])) > 1:
            boards.append(board)
            rows.append(_of_measure(terms._replace(values=terms.values[has_value]), measure))
    return {
        "n_topics": common.shape[1],
        "effects": [topics_needed(each) for each in EFFECTS],
        "measures": rows,
        "alike": _alike(boards),
    }


def _board(terms: Terms, measure: Measure, means: Floats) -> Floats:
    """Return what a board orders runs by, to four decimals; more is better."""
    sign = -1 if measure.family.best is Best.LOWEST else 1
    return sign * np.round(terms.of_mean(means), 4)


def _of_measure(terms: Terms, measure: Measure) -> MeasureStudy:
    values = terms.values
    n_runs, n_topics = values.shape
    spread = deviation(values)
    edges = list(ticks_of(0, float(np.ptp(values.mean(axis=1))), MOST_BINS)[0])
    sizes = sorted({max(1, n_topics * n // N_SIZES) for n in range(1, N_SIZES + 1)})
    return MeasureStudy(
        str(measure),
        n_runs,
        int(told_apart(values).sum()),
        tukey(values).critical,
        spread,
        [topics_needed(each / spread if spread else np.inf) for each in DIFFERENCES],
        edges,
        swaps(values, edges).tolist(),
        sizes,
        stability(values, sizes, partial(_board, terms, measure)).tolist(),
    )


def _alike(boards: Sequence[Floats]) -> list[list[list[float | None]]]:
    def both(one: Floats, other: Floats) -> tuple[Floats, Floats]:
        known = np.isfinite(one) & np.isfinite(other)
        return one[known], other[known]

    return [
        [[how(*both(board, other)) for other in boards[:n]] for n, board in enumerate(boards)]
        for how in (tau_b, tau_ap, rbo)
    ]
