"""Flags: signs that somebody's judging is worth a look, each with its figures and documents.

A kind of flag is a row of `KINDS`: its name, its threshold in words, and a function from the `Work`
of a campaign to what it found.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from agreement.core.accuracy import control_report
from agreement.core.findings import (
    CHANCE,
    DRIFT,
    LEAST_OF_SESSION,
    LEAST_OTHERS,
    LEAST_QUICK,
    MOST_QUICK,
    SAME,
    Found,
    Work,
    fast_throughout,
    long_runs,
    percent,
    quick_documents,
    relevance_drift,
    time_drift,
)
from agreement.core.patterns import GAP_MINUTES
from assess.core.pace import ENOUGH
from assess.core.purposes import KNOWN, REPEAT


def weak_answers(work: Work, kind: str) -> Iterator[Found]:
    """Find whose answers to a kind of control are the grade expected less often than everybody's.

    The figures are those of `control_report`: shares with their interval by Wilson.
    """
    known, repeats = control_report(work.answers, work.grades)
    figures = {KNOWN: known, REPEAT: repeats}[kind]
    for name, its in sorted(figures.by_assessor.items()):
        whole = figures.overall
        if whole and its.n >= ENOUGH and its.high < whole.share:
            own = [each for each in work.answers if (each.kind, each.assessor) == (kind, name)]
            own.sort(key=lambda each: (each.at, each.judgment))
            words = (
                f"{its.n_equal:,} of {its.n:,} the same: {percent(its.share)}, 95 % interval "
                f"{percent(its.low)} to {percent(its.high)}; of all {percent(whole.share)}"
            )
            notes = [f"expected {each.expected}" for each in own]
            ids = [each.judgment for each in own]
            yield Found(work.people[name], None, words, ids, own[0].at.timestamp(), notes)


class Kind(NamedTuple):
    """A kind of flag: its key, its name, when it is raised, and what finds it."""

    key: str
    name: str
    threshold: str
    find: Callable[[Work], Iterator[Found]]


_UNLIKELY = f"a probability under {percent(CHANCE)} after all looks"
_IN_SESSIONS = (
    f"A session is a person's decisions less than {GAP_MINUTES} minutes apart, {LEAST_OF_SESSION} "
    f"or more; within session, topic and batch, chance alone has {_UNLIKELY}, one for each person"
)
KINDS = (
    Kind(
        "quick-documents",
        "Quick documents",
        f"At least {LEAST_QUICK} documents of a topic, and over {percent(MOST_QUICK)} of them, "
        "took less than a sixth of the assessor's median time on all topics, and of everybody's on "
        "the topic; of the former alone where nobody else judged it and half of it is so quick. "
        "Chance alone flags fewer than 1 person in 100, but a topic that nobody else judged may be "
        "an easy one.",
        quick_documents,
    ),
    Kind(
        "fast-throughout",
        "Fast throughout",
        f"The median time over {ENOUGH} documents or more is less than a third of the median of "
        f"the others' medians, of {LEAST_OTHERS} others at least.",
        fast_throughout,
    ),
    Kind(
        "long-run",
        "One grade in a row",
        f"A run so long has {_UNLIKELY} (one for each person, topic, batch and grade), where every "
        "order of the grades given is as likely.",
        long_runs,
    ),
    Kind(
        "relevance-drift",
        "Relevance drifts in sessions",
        f"Against all in {SAME}, the share of relevant documents changes by {100 * DRIFT:.0f} "
        f"points or more from the first to the last quarter. {_IN_SESSIONS}.",
        relevance_drift,
    ),
    Kind(
        "time-drift",
        "Faster within sessions",
        f"Against all in {SAME} (geometric means), documents of the last quarter take half the "
        f"time of those of the first, or less. {_IN_SESSIONS}.",
        time_drift,
    ),
    Kind(
        "known-grades",
        "Known grades missed",
        f"Of {ENOUGH} answers or more, the 95 % interval of the share that is the known grade lies "
        "below everybody's share.",
        partial(weak_answers, kind=KNOWN),
    ),
    Kind(
        "repeats",
        "Other grades the second time",
        f"Of {ENOUGH} repeats or more, the 95 % interval of the share with the same grade lies "
        "below everybody's share.",
        partial(weak_answers, kind=REPEAT),
    ),
)


def flags_of(work: Work) -> list[tuple[Kind, Found]]:
    """Return all flags, in the order of the kinds, each kind's by what began first."""
    found = ((kind, each) for kind in KINDS for each in kind.find(work))
    place = {kind.key: n for n, kind in enumerate(KINDS)}
    return sorted(found, key=lambda row: (place[row[0].key], row[1].since))
