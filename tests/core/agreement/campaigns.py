"""Campaigns whose agreement is known: of as many topics as one likes, drawn alike."""

import numpy as np

from cleverdon.agreement.ratings import Ratings

GRADES = (0, 1, 2, 3)
CUTS = np.array([0.9, 1.5, 2.1])
BIAS = np.array([0, 0.15, -0.2, 0.3])  # of each assessor


def campaign(
    n_topics: int, n_raters: int, rng: np.random.Generator, *, each: int, documents=(10, 60)
) -> Ratings:
    """Topics differ in how much is relevant, and in how hard they are to judge; an assessor reads
    each topic somewhat differently. `each` of the assessors judge a topic.
    """
    items = []
    for topic in range(n_topics):
        n = int(rng.integers(*documents))
        relevance = rng.normal(0.6, 0.6) + rng.normal(0, 1, n)
        noise = rng.gamma(4, 0.125)
        who = np.sort(rng.choice(n_raters, each, replace=False))
        seen = [relevance + BIAS[r] + rng.normal(0, noise, n) + rng.normal(0, 0.2) for r in who]
        grades = np.searchsorted(CUTS, np.array(seen)).T.tolist()
        names = [str(r) for r in who]
        items += [(str(topic), list(zip(names, given, strict=True)), 0) for given in grades]
    return Ratings.from_items(items, GRADES)
