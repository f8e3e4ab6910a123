"""Grades estimated from those of several raters, each of whom errs in their own way.

Dawid and Skene 1979, *Maximum likelihood estimation of observer error-rates using the EM
algorithm*, Applied Statistics 28. Items have a true grade; given that, raters err independently.
"""

from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Floats, Integers

# The log-likelihood, in nats, rises less in one step: it has converged.
TOLERANCE = 1e-7
MOST_STEPS = 2000
# Probabilities that differ by less are a tie; the rounding of sums is far smaller.
TIE = 1e-9


class Estimated(NamedTuple):
    """What the raters' grades are likeliest to come from; grades are places on the scale.

    `posterior` is how probable each grade is of each item, `prior` the share of each grade among
    all items. `errors[k, i, j]` is how probable rater k gives grade j to an item of grade i, NaN
    where no item of theirs can have grade i; `right[k]` is the expected share of their grades that
    are the items'.
    """

    posterior: Floats  # [items x grades]
    prior: Floats  # [grades]
    errors: Floats  # [raters x grades x grades]
    right: Floats  # [raters]
    log_likelihood: float
    n_steps: int
    is_converged: bool

    @property
    def grades(self) -> Integers:
        """The most probable grade of each item [items], of equally probable ones the lowest."""
        best = self.posterior.max(axis=1, keepdims=True, initial=0)
        return np.asarray(np.argmax(self.posterior > best - TIE, axis=1), dtype=np.int64)


def estimate(
    item: Integers,
    rater: Integers,
    place: Integers,
    n_grades: int,
    *,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> Estimated:
    """Estimate true grades and error rates by expectation and maximization.

    The arrays [ratings] say which item was given which place on the scale by whom, all counted from
    0; a rater may rate an item several times, and none need rate all. It begins with the shares of
    the grades that each item was given, so that nothing is left to chance. ValueError for no
    rating, for an item without one, and for a place that is not on the scale.

    >>> item, rater = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 2, 0, 1, 2])
    >>> estimate(item, rater, np.array([1, 1, 0, 0, 0, 0]), 2).grades.tolist()
    [1, 0]
    """
    _check(item, place, n_grades)
    ratings = _Ratings(item, rater, place, n_grades)
    posterior = ratings.shares()
    before, is_converged, n_steps = -np.inf, False, 0
    while not is_converged and n_steps < most_steps:
        prior, errors = ratings.maximized(posterior)
        posterior, likelihood = ratings.expected(prior, errors)
        is_converged = bool(likelihood - before < tolerance)
        before, n_steps = likelihood, n_steps + 1
    prior, errors = ratings.maximized(posterior)
    right = np.bincount(rater, posterior[item, place]) / np.bincount(rater)
    return Estimated(posterior, prior, errors, right, before, n_steps, is_converged)


def _check(item: Integers, place: Integers, n_grades: int) -> None:
    if not len(item):
        raise ValueError("There is no rating to estimate from.")
    if not np.bincount(item).all():
        raise ValueError("Every item needs a rating.")
    if place.min() < 0 or place.max() >= n_grades:
        raise ValueError(f"A grade is none of the {n_grades} of the scale.")


class _Ratings(NamedTuple):
    item: Integers
    rater: Integers
    place: Integers
    n_grades: int

    def shares(self) -> Floats:
        """Return the share of each grade among those that each item was given."""
        code = self.item * self.n_grades + self.place
        counts = np.bincount(code, minlength=(int(self.item.max()) + 1) * self.n_grades)
        counts = counts.reshape(-1, self.n_grades)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def maximized(self, posterior: Floats) -> tuple[Floats, Floats]:
        """Return the prior and the error rates that make these probabilities likeliest."""
        n = (int(self.rater.max()) + 1) * self.n_grades
        code = self.rater * self.n_grades + self.place
        sums = [np.bincount(code, column[self.item], n) for column in posterior.T]
        counts = np.stack([each.reshape(-1, self.n_grades) for each in sums], axis=1)
        with np.errstate(invalid="ignore"):  # 0 / 0 of a grade that none of theirs can have
            return posterior.mean(axis=0), counts / counts.sum(axis=2, keepdims=True)

    def expected(self, prior: Floats, errors: Floats) -> tuple[Floats, float]:
        """Return how probable each grade of each item is by these, and the log-likelihood."""
        with np.errstate(divide="ignore"):  # log 0
            own, rates = np.log(prior), np.log(np.nan_to_num(errors))
        each = rates[self.rater, :, self.place]
        joint = np.stack([np.bincount(self.item, column) for column in each.T], axis=1) + own
        highest = joint.max(axis=1, keepdims=True)
        scaled = np.exp(joint - highest)
        sums = scaled.sum(axis=1, keepdims=True)
        return scaled / sums, float((highest + np.log(sums)).sum())
