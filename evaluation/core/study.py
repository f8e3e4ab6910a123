"""The study of an evaluation: what its measures and topics can tell."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from cleverdon.measures.family import Best, Measure
from cleverdon.measures.scoring.scores import Terms, terms_of
from cleverdon.pictures.scales import ticks_of
from cleverdon.significance.correlations import rbo, tau_ap, tau_b
from cleverdon.significance.pairs import told_apart
from cleverdon.significance.power import deviation, topics_needed
from cleverdon.significance.subsets import stability, swaps
from cleverdon.significance.tukey import tukey
from cleverdon.trec.arrays import Floats, Mask
from evaluation.core.standing import FEWEST_TOPICS

N_SIZES, MOST_BINS = 10, 20
DIFFERENCES, EFFECTS = (0.01, 0.02, 0.05, 0.1), (0.5, 0.3, 0.2, 0.1)


def studied(values: Floats, counted: Mask, measures: Sequence[Measure]) -> dict[str, Any]:
    """Study the measures that average over topics, have a best value, and tell runs apart.

    `values` are [runs x topics x measures], `counted` [runs x topics]. The `n_topics` are those
    that count for each of `n_runs`, those with any; with fewer than six there are no `measures`.
    `effects` are the topics needed for each of EFFECTS. `alike` has each two measures with their
    tau-b, tau-AP and RBO over the runs that both have values of, unless all of them tie.
    """
    takes_part = counted.any(axis=1)
    common = values[takes_part][:, counted[takes_part].all(axis=0)]
    found: list[tuple[dict[str, Any], Floats]] = []
    for n, measure in enumerate(measures):
        terms = terms_of(common[:, :, n], measure)
        if not terms or measure.family.best is Best.NONE or common.shape[1] < FEWEST_TOPICS:
            continue
        board = _board(terms, measure, terms.values.mean(axis=1))
        has_value = np.isfinite(board)
        if len(np.unique(board[has_value])) > 1:
            own = terms._replace(values=terms.values[has_value])
            found.append((_of_measure(own, measure), board))
    alike = [
        (one["measure"], other["measure"], *_alike(first, second))
        for (one, first), (other, second) in combinations(found, 2)
    ]
    return {
        "n_runs": len(common),
        "n_topics": common.shape[1],
        "measures": [each for each, _ in found],
        "effects": [topics_needed(each) for each in EFFECTS],
        "alike": [each for each in alike if None not in each],
    }


def _board(terms: Terms, measure: Measure, means: Floats) -> Floats:
    """Return what a board orders runs by, to four decimals; more is better."""
    sign = -1 if measure.family.best is Best.LOWEST else 1
    return sign * np.round(terms.of_mean(means), 4)


def _of_measure(terms: Terms, measure: Measure) -> dict[str, Any]:
    """Return what one measure can tell of the runs that have values.

    Of `n_pairs` of runs `n_told` are told apart; a difference must exceed `needed` by Tukey's HSD.
    `topics` are needed for each of DIFFERENCES. `swaps` are as of
    `cleverdon.significance.subsets`, in bins that begin at `edges`; `taus` too, for subsets of the
    `sizes`.
    """
    values = terms.values
    n_runs, n_topics = values.shape
    spread = deviation(values)
    edges = ticks_of(0, float(np.ptp(values.mean(axis=1))), MOST_BINS)[0]
    sizes = sorted({max(1, n_topics * n // N_SIZES) for n in range(1, N_SIZES + 1)})
    return {
        "measure": str(measure),
        "n_runs": n_runs,
        "n_pairs": n_runs * (n_runs - 1) // 2,
        "n_told": int(told_apart(values).sum()),
        "needed": tukey(values)[1],
        "deviation": spread,
        "topics": [topics_needed(each / spread if spread else np.inf) for each in DIFFERENCES],
        "edges": edges,
        "swaps": swaps(values, edges).tolist(),
        "sizes": sizes,
        "taus": stability(values, sizes, partial(_board, terms, measure)).tolist(),
    }


def _alike(one: Floats, other: Floats) -> list[float | None]:
    both = np.isfinite(one) & np.isfinite(other)
    return [how(one[both], other[both]) for how in (tau_b, tau_ap, rbo)]
