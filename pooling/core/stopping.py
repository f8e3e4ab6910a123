"""When to stop judging a topic: rules that advise and never enforce.

A rule reads one topic's judgments in the order they were given. None of them knows what nobody has
judged: of twelve rules compared in the literature one met its target of recall reliably.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trec.arrays import Mask
from trec.words import counted

# NIST's: stop after this many without a relevant one, or give up on a topic with too many.
NIST_WITHOUT, NIST_SEEN = 20, 300
# Of the knee: a slope ratio of 156 less the relevant documents, of which 150 count, so at least 6.
KNEE_RATIO, KNEE_MOST = 156, 150


class Seen(NamedTuple):
    """A topic's judgments in the order given: whether each is relevant.

    `n_targets` relevant documents are known from elsewhere, and judging found `n_found` of them.
    """

    relevant: Mask
    n_targets: int = 0
    n_found: int = 0

    @property
    def n_since(self) -> int:
        """Documents judged after the last relevant one."""
        at = np.flatnonzero(self.relevant)
        return len(self.relevant) - 1 - int(at[-1]) if len(at) else len(self.relevant)


class Advice(NamedTuple):
    """Why to stop or to go on, in one sentence."""

    why: str
    stops: bool = False


@dataclass(frozen=True)
class StoppingRule:
    """A rule; `what` names the number that it takes, of which `usual` is the usual one, 0 for none.

    `definition` says when it stops, with {n} for that number.
    """

    name: str
    title: str
    definition: str
    read: Callable[[Seen, int], Advice]
    what: str = ""
    usual: int = 0

    def advise(self, seen: Seen, n: int) -> Advice:
        """Return the advice for a topic; before the first judgment there is none."""
        return self.read(seen, n) if len(seen.relevant) else Advice("Nothing is judged yet.")


def tail(seen: Seen, n: int) -> Advice:
    """Stop when none of the last n documents was relevant."""
    since = seen.n_since
    if since >= n:
        return Advice(f"None of the last {counted(since, 'document')} was relevant.", stops=True)
    if not seen.relevant.any():
        return Advice(f"There is no relevant one in {counted(since, 'document')} yet.")
    if not since:
        return Advice("The last one judged was relevant.")
    return Advice(f"{counted(since, 'document')} judged since the last relevant one.")


def nist(seen: Seen, _: int) -> Advice:
    """Stop after 20 without a relevant one, or after 300 of which more than half are relevant."""
    n, n_relevant = len(seen.relevant), int(seen.relevant.sum())
    if n >= NIST_SEEN and 2 * n_relevant > n:
        return Advice(
            f"{n_relevant:,} of {n:,} are relevant, too many to find them all.", stops=True
        )
    return tail(seen, NIST_WITHOUT)


def recapture(seen: Seen, n: int) -> Advice:
    """Stop when all of at least n independently found relevant documents have been found again.

    Source: the target method of Cormack and Grossman 2016.
    """
    if seen.n_targets < n:
        have = counted(seen.n_targets, "relevant document")
        return Advice(f"{have} known from elsewhere; the rule takes {n}.")
    again = f"{seen.n_found} of the {seen.n_targets} known from elsewhere were found again."
    return Advice(again, stops=seen.n_found == seen.n_targets)


def knee(seen: Seen, _: int) -> Advice:
    """Stop when relevant documents come much more rarely after the knee of the gain curve.

    The knee is the point farthest above the line from the first to the last judgment; the slopes
    before and after it are compared (Cormack and Grossman 2016).
    """
    gain, n = np.cumsum(seen.relevant), len(seen.relevant)
    total = int(gain[-1]) if n else 0
    if not total:
        return Advice("There is no relevant one yet.")
    at = int(np.argmax(gain * n - np.arange(1, n + 1) * total)) + 1
    if at == n:
        return Advice("The gain curve has no knee yet.")
    before, after = gain[at - 1] / at, (1 + total - gain[at - 1]) / (n - at)
    ratio, needed = before / after, KNEE_RATIO - min(total, KNEE_MOST)
    why = f"After document {at:,} they come {ratio:,.1f} times as rarely; the rule takes {needed}."
    return Advice(why, stops=bool(ratio >= needed))


RULES = {
    each.name: each
    for each in (
        StoppingRule(
            "tail",
            "No relevant one lately",
            "none of the last {n} documents judged was relevant",
            tail,
            "documents without a relevant one",
            40,
        ),
        StoppingRule(
            "nist",
            "As at NIST",
            f"none of the last {NIST_WITHOUT} judged was relevant, or more than half of at least "
            f"{NIST_SEEN} are",
            nist,
        ),
        StoppingRule(
            "recapture",
            "Target recapture",
            "all relevant documents with a known grade, at least {n}, have been found again",
            recapture,
            "relevant documents known from elsewhere",
            10,
        ),
        StoppingRule(
            "knee",
            "Knee of the gain curve",
            f"before the knee of the gain curve relevant ones came {KNEE_RATIO} times as often as "
            f"after it, less one for each relevant document, {KNEE_MOST} at most",
            knee,
        ),
    )
}
