"""How far topics are: what the apps above count of them, They register what they know."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from campaigns.models.campaign import Campaign


class Progress(NamedTuple):
    """How many documents of a topic are in the pool, and how many of these have an official grade."""

    n_pooled: int
    n_judged: int

    @property
    def share(self) -> float:
        """How much of it is judged; less than nothing if there is nothing to judge."""
        return self.n_judged / self.n_pooled if self.n_pooled else -1.0


Counts = Callable[[Campaign], Mapping[int, int]]

_counts: dict[str, Counts] = {}


def register_counts(name: str, counts: Counts) -> None:
    """Say, from an app's `hooks`, how many documents of each topic, by its id, are "pooled" or "judged"."""
    _counts[name] = counts


def progress_of(campaign: Campaign) -> dict[int, Progress]:
    """Return how far each topic of the pool is, by its id; nothing while there is no pool."""
    pooled, judged = (_counts[name](campaign) for name in ("pooled", "judged"))
    return {pk: Progress(n, judged.get(pk, 0)) for pk, n in pooled.items()}
