"""The coefficients of agreement, each a formula of one table of counts, and the table of them all.

A formula takes tables [... x grades x grades] and the grades' values, and returns [...]; NaN where
it is 0 / 0, which is shown as undefined, never as 1 or 0.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from cleverdon.trec.arrays import Floats

# What the table of a coefficient counts.
Counted = Literal["pairs", "items", "coincidences"]
On = Literal["relevance", "grades"]
BOTH: tuple[On, ...] = ("relevance", "grades")
ONE_CATEGORY = "All grades are in one category, so there is no chance agreement to correct for."


class Coefficient(NamedTuple):
    """A coefficient: `formula` and `source` in words, and what it is a function of.

    That is the table of `pairs`, first rater by second, of each two raters; of several it is the
    mean over them, weighted by their items. Or the table of all `items`, each of which counts 1
    however many grades it has: its ordered pairs of grades, each over m (m - 1) of m raters. Or
    that of `coincidences`, where each of them is over m - 1. An item of weight w counts w times in
    all three. It is from `lowest` to `highest`.
    """

    key: str
    name: str
    counted: Counted
    value: Callable[[Floats, Floats], Floats]
    formula: str
    source: str
    on: tuple[On, ...] = BOTH
    undefined: str = ONE_CATEGORY
    lowest: float = -1.0
    highest: float = 1.0


def _sums(table: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the number of items and how often the first and the second gave each grade."""
    return table.sum(axis=(-2, -1)), table.sum(axis=-1), table.sum(axis=-2)


def over(above: Floats, below: Floats) -> Floats:
    """Return above / below; NaN where that is over 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(below == 0, np.nan, above / below)
    return found


def _steps(table: Floats) -> Floats:
    places = np.arange(table.shape[-1])
    return np.abs(np.subtract.outer(places, places)).astype(np.float64)


def _beyond_chance(table: Floats, first: Floats, second: Floats, apart: Floats) -> Floats:
    """Return 1 - observed / expected disagreement; `apart` weighs each two grades."""
    n = table.sum(axis=(-2, -1))
    expected = np.einsum("...i,...j,...ij->...", first, second, apart)
    return 1 - over(n * (table * apart).sum(axis=(-2, -1)), expected)


def raw(table: Floats, _: Floats) -> Floats:
    return over(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def cohen(table: Floats, _: Floats) -> Floats:
    _, first, second = _sums(table)
    return _beyond_chance(table, first, second, np.sign(_steps(table)))


def kappa_linear(table: Floats, _: Floats) -> Floats:
    _, first, second = _sums(table)
    return _beyond_chance(table, first, second, _steps(table))


def kappa_quadratic(table: Floats, _: Floats) -> Floats:
    _, first, second = _sums(table)
    return _beyond_chance(table, first, second, _steps(table) ** 2)


def pooled(table: Floats, _: Floats) -> Floats:
    _, first, second = _sums(table)
    both = (first + second) / 2
    return _beyond_chance(table, both, both, np.sign(_steps(table)))


def _alpha(table: Floats, apart: Floats) -> Floats:
    n, first, _ = _sums(table)
    expected = np.einsum("...i,...j,...ij->...", first, first, apart)
    found = 1 - over((n - 1) * (table * apart).sum(axis=(-2, -1)), expected)
    return np.where(n > 1, found, np.nan)  # weights below 1 can make less than one value


def alpha(table: Floats, _: Floats) -> Floats:
    return _alpha(table, np.sign(_steps(table)))


def alpha_ordinal(table: Floats, _: Floats) -> Floats:
    counts = table.sum(axis=-1)
    middles = np.cumsum(counts, axis=-1) - counts / 2  # the mean rank of each grade's values
    return _alpha(table, (middles[..., :, None] - middles[..., None, :]) ** 2)


def alpha_interval(table: Floats, grades: Floats) -> Floats:
    return _alpha(table, np.subtract.outer(grades, grades) ** 2)


def _gwet(table: Floats, alike: Floats) -> Floats:
    n, first, second = _sums(table)
    share = over((first + second) / 2, n[..., None])
    q = table.shape[-1]
    chance = alike.sum() / (q * (q - 1)) * (share * (1 - share)).sum(axis=-1)
    observed = over((table * alike).sum(axis=(-2, -1)), n)
    # In one category chance agreement is 0, and the quotient 1, of nothing.
    return np.where(share.max(axis=-1) == 1, np.nan, over(observed - chance, 1 - chance))


def ac1(table: Floats, _: Floats) -> Floats:
    return _gwet(table, np.eye(table.shape[-1]))


def ac2(table: Floats, _: Floats) -> Floats:
    return _gwet(table, 1 - (_steps(table) / (table.shape[-1] - 1)) ** 2)


def jaccard(table: Floats, _: Floats) -> Floats:
    differ = table[..., 0, 1] + table[..., 1, 0]
    return over(table[..., 1, 1], table[..., 1, 1] + differ)


def positive(table: Floats, _: Floats) -> Floats:
    _, first, second = _sums(table)
    return over(2 * table[..., 1, 1], first[..., 1] + second[..., 1])


def negative(table: Floats, _: Floats) -> Floats:
    _, first, second = _sums(table)
    return over(2 * table[..., 0, 0], first[..., 0] + second[..., 0])


RELEVANCE: tuple[On, ...] = ("relevance",)
GRADES: tuple[On, ...] = ("grades",)
NO_RELEVANT = "Nobody called a document relevant."
ALL_RELEVANT = "Everybody called every document relevant."
COEFFICIENTS: tuple[Coefficient, ...] = (
    Coefficient(
        "raw", "Raw agreement", "items", raw,
        "the share of documents with equal grades, Po",
        "", undefined="No document.", lowest=0,
    ),
    Coefficient(
        "cohen", "Cohen's kappa", "pairs", cohen,
        "(Po - Pe) / (1 - Pe), Pe = Σ p(first gives i) p(second gives i)",
        "Cohen 1960, Educational and Psychological Measurement 20",
    ),
    Coefficient(
        "kappa-linear", "Weighted kappa, linear", "pairs", kappa_linear,
        "1 - observed / expected disagreement, |i - j| for grades i - j steps of the scale apart",
        "Cohen 1968, Psychological Bulletin 70", GRADES,
    ),
    Coefficient(
        "kappa-quadratic", "Weighted kappa, quadratic", "pairs", kappa_quadratic,
        "1 - observed / expected disagreement, (i - j)² for grades i - j steps of the scale apart",
        "Cohen 1968, Psychological Bulletin 70", GRADES,
    ),
    Coefficient(
        "scott", "Scott's pi", "pairs", pooled,
        "(Po - Pe) / (1 - Pe), Pe = Σ p(either gives i)²: pooled marginals",
        "Scott 1955, Public Opinion Quarterly 19; Manning, Raghavan and Schütze 2008, section 8.5",
    ),
    Coefficient(
        "fleiss", "Fleiss' kappa", "items", pooled,
        "Scott's pi of all documents, however many grades each has; of two assessors the same",
        "Fleiss 1971, Psychological Bulletin 76; with gaps as Gwet 2014, chapter 2",
    ),
    Coefficient(
        "alpha", "Krippendorff's alpha", "coincidences", alpha,
        "1 - observed / expected disagreement of the coincidences of grades; any two differ alike",
        "Krippendorff 2004, Content Analysis, chapter 11",
    ),
    Coefficient(
        "alpha-ordinal", "Krippendorff's alpha, ordinal", "coincidences", alpha_ordinal,
        "alpha where two grades differ by the square of how many grades were given between them",
        "Krippendorff 2004, Content Analysis, chapter 11", GRADES,
    ),
    Coefficient(
        "alpha-interval", "Krippendorff's alpha, interval", "coincidences", alpha_interval,
        "alpha where two grades differ by the square of their difference",
        "Krippendorff 2004, Content Analysis, chapter 11", GRADES,
    ),
    Coefficient(
        "ac1", "Gwet's AC1", "items", ac1,
        "(Po - Pe) / (1 - Pe), Pe = Σ p(i) (1 - p(i)) / (q - 1) of q grades",
        "Gwet 2008, British Journal of Mathematical and Statistical Psychology 61",
    ),
    Coefficient(
        "ac2", "Gwet's AC2, quadratic", "items", ac2,
        "AC1 where grades i - j steps apart agree to 1 - (i - j)² / (q - 1)²",
        "Gwet 2014, Handbook of Inter-Rater Reliability, chapter 4", GRADES,
    ),
    Coefficient(
        "jaccard", "Overlap of relevant documents", "items", jaccard,
        "both relevant / at least one relevant: Jaccard's coefficient of the two sets",
        "Voorhees 2000, Information Processing and Management 36", RELEVANCE, NO_RELEVANT, 0,
    ),
    Coefficient(
        "positive", "Positive agreement", "items", positive,
        "2 both relevant / (relevant of the first + of the second)",
        "Cicchetti and Feinstein 1990, Journal of Clinical Epidemiology 43", RELEVANCE,
        NO_RELEVANT, 0,
    ),
    Coefficient(
        "negative", "Negative agreement", "items", negative,
        "2 both not relevant / (not relevant of the first + of the second)",
        "Cicchetti and Feinstein 1990, Journal of Clinical Epidemiology 43", RELEVANCE,
        ALL_RELEVANT, 0,
    ),
)  # fmt: skip
BY_KEY = {each.key: each for each in COEFFICIENTS}
