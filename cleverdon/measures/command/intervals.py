"""The rows of -C: after each mean the ends of its interval, named and drawn as by trec_eval 11."""

from collections.abc import Sequence
from dataclasses import replace

from cleverdon.measures.command.options import Options
from cleverdon.measures.family import Measure
from cleverdon.measures.scoring.scores import TOPIC_SETS, Scores, terms_of
from cleverdon.measures.trec_eval import OutputColumn
from cleverdon.significance.intervals import intervals
from cleverdon.trec.arrays import Floats

Ends = tuple[float | None, float | None]
ENDS = ("lower", "upper")
NO_ENDS: Ends = (None, None)


def ends_of(scores: Scores, options: Options) -> list[Ends]:
    """Return the interval of each measure of one run; none for a sum, or over no topic."""
    counted = TOPIC_SETS[options.topic_set](scores)[0]
    values = scores.values[0, counted]
    return [_ends(values[:, n], each, options) for n, each in enumerate(scores.measures)]


def _ends(values: Floats, measure: Measure, options: Options) -> Ends:
    terms = terms_of(values, measure)
    if terms is None or not len(values):
        return NO_ENDS
    found = intervals(
        terms.values[None],
        alpha=options.alpha,
        n_draws=options.n_samples,
        seed=options.seed,
        transform=terms.of_mean,
    )
    low, high = (float(each[0]) for each in found)
    return low, high


def with_ends(columns: Sequence[OutputColumn]) -> list[OutputColumn]:
    """Return each column, and after it those of the ends of its interval."""
    return [
        each
        for column in columns
        for each in (
            column,
            *(replace(column, name=f"{column.name}_ci_{end}", per_topic=False) for end in ENDS),
        )
    ]
