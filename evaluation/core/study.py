"""The study of an evaluation: what its measures and topics can tell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations, starmap
from typing import Any, NamedTuple, Self

import numpy as np

from cleverdon.measures.family import Best, Measure
from cleverdon.measures.scoring.scores import Terms, terms_of
from cleverdon.pictures.scales import ticks_of
from cleverdon.significance.correlations import rbo, tau_ap, tau_b
from cleverdon.significance.pairs import told_apart
from cleverdon.significance.subsets import deviation, stability, swaps
from cleverdon.significance.tukey import tukey
from cleverdon.trec.arrays import Floats, Mask
from evaluation.core.standing import FEWEST_TOPICS

N_SIZES, MOST_BINS = 10, 20
DIFFERENCES, EFFECTS = (0.01, 0.02, 0.05, 0.1), (0.5, 0.3, 0.2, 0.1)


class Alike(NamedTuple):
    """Two measures, and how alike they order the runs that both have values of."""

    one: str
    other: str
    tau_b: float
    tau_ap: float
    rbo: float


@dataclass(frozen=True)
class MeasureStudy:
    """What one measure can tell of the runs that have values.

    Of `n_pairs` of runs `n_told` are told apart; a difference must exceed `needed` by Tukey's HSD.
    Differences have this standard `deviation`; `topics` are needed for each of DIFFERENCES. `swaps`
    are as of `cleverdon.significance.subsets`, in bins that begin at `edges`; `taus` too, for
    subsets of the `sizes`.
    """

    measure: str
    n_runs: int
    n_pairs: int
    n_told: int
    needed: float
    deviation: float
    topics: Sequence[int]
    edges: Sequence[float]
    swaps: Sequence[Sequence[int]]
    sizes: Sequence[int]
    taus: Sequence[Sequence[float]]

    @property
    def told(self) -> float:
        """The share of the pairs that are told apart."""
        return self.n_told / self.n_pairs


@dataclass(frozen=True)
class Study:
    """The `n_topics` that count for each of `n_runs`, those with any; what each measure can tell.

    `effects` are the topics needed for each of EFFECTS. `alike` has each two measures, unless all
    runs tie by one.
    """

    n_runs: int
    n_topics: int
    measures: Sequence[MeasureStudy]
    effects: Sequence[int]
    alike: Sequence[Alike]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        measures = [MeasureStudy(**each) for each in stored["measures"]]
        return cls(
            **{**stored, "measures": measures, "alike": list(starmap(Alike, stored["alike"]))}
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def studied(values: Floats, counted: Mask, measures: Sequence[Measure]) -> Study:
    """Study the measures that average over topics, have a best value, and tell runs apart.

    `values` are [runs x topics x measures], `counted` [runs x topics]. With fewer than six topics
    there are no measures.
    """
    takes_part = counted.any(axis=1)
    common = values[takes_part][:, counted[takes_part].all(axis=0)]
    found: list[tuple[MeasureStudy, Floats]] = []
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
        Alike(one.measure, other.measure, *taus)
        for (one, first), (other, second) in combinations(found, 2)
        if (taus := _alike(first, second))
    ]
    return Study(len(common), common.shape[1], [each for each, _ in found], _topics(EFFECTS), alike)


def _topics(effects: Iterable[float]) -> list[int]:
    # scipy takes every process of the site a second to import, and few need it.
    from cleverdon.significance.power import topics_needed  # noqa: PLC0415

    return [topics_needed(each) for each in effects]


def _board(terms: Terms, measure: Measure, means: Floats) -> Floats:
    """Return what a board orders runs by, to four decimals; more is better."""
    sign = -1 if measure.family.best is Best.LOWEST else 1
    return sign * np.round(terms.of_mean(means), 4)


def _of_measure(terms: Terms, measure: Measure) -> MeasureStudy:
    values = terms.values
    n_runs, n_topics = values.shape
    spread = deviation(values)
    edges = ticks_of(0, float(np.ptp(values.mean(axis=1))), MOST_BINS)[0]
    sizes = sorted({max(1, n_topics * n // N_SIZES) for n in range(1, N_SIZES + 1)})
    return MeasureStudy(
        measure=str(measure),
        n_runs=n_runs,
        n_pairs=n_runs * (n_runs - 1) // 2,
        n_told=int(told_apart(values).sum()),
        needed=tukey(values)[1],
        deviation=spread,
        topics=_topics(each / spread if spread else np.inf for each in DIFFERENCES),
        edges=edges,
        swaps=swaps(values, edges).tolist(),
        sizes=sizes,
        taus=stability(values, sizes, partial(_board, terms, measure)).tolist(),
    )


def _alike(one: Floats, other: Floats) -> list[float] | None:
    both = np.isfinite(one) & np.isfinite(other)
    found = [how(one[both], other[both]) for how in (tau_b, tau_ap, rbo)]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None
