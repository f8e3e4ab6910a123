"""What is worth a look in judging: by times, runs of a grade, and drift, with its documents."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp, isfinite
from typing import Any, NamedTuple, Self

import numpy as np

from agreement.core.accuracy import Compared
from agreement.core.patterns import (
    are_quick,
    both_medians,
    codes,
    each_group,
    expected,
    longest_runs,
    quarters,
    run_bound,
    session_of,
    trends,
)
from assess.core.pace import ENOUGH, taken
from cleverdon.trec.arrays import Floats, Integers
from cleverdon.trec.words import counted

# In the place of the grade of what cannot be judged.
NO_GRADE = -99
QUICK, MOST_QUICK, LEAST_QUICK = 1 / 6, 0.2, 10
FAST, LEAST_OTHERS = 1 / 3, 2
# The probability that chance alone raises any flag of a kind.
CHANCE = 0.05
LEAST_OF_SESSION = 20
DRIFT, FASTER = 0.1, 1 / 2
SAME = "the same session, topic and batch"


class Judged(NamedTuple):
    """Judgments as columns of one length: ids, and what was given when.

    `at` is when each was decided first, in seconds, and `change` its place among changes of that
    moment; `grade` is NO_GRADE where there is none, `seconds` the active time, 0 if unknown.
    """

    judgment: Integers
    assessor: Integers
    topic: Integers
    batch: Integers
    at: Floats
    change: Integers
    grade: Integers
    seconds: Floats

    def only(self, rows: Any) -> Self:
        return type(self)(*(column[rows] for column in self))

    def in_order(self) -> Self:
        """Return them by person, and of each person in the order of judging."""
        keys = (self.judgment, self.topic, self.change, self.at, self.assessor)
        return self.only(np.lexsort(keys))


class Work(NamedTuple):
    """What is looked at: judgments `in_order`, the level of relevance, and answers to controls.

    `people` has the ids of those who gave the answers, `grades` the scale.
    """

    judged: Judged
    level: int
    answers: Sequence[Compared] = ()
    people: Mapping[str, int] = {}
    grades: Sequence[int] = ()


class Found(NamedTuple):
    """A flag of somebody, on a topic or on all (None): figures, and ids of judgments in order.

    `notes` say something of each judgment, or there are none. `p` is the probability by chance,
    times the number of looks, for kinds that have one.
    """

    assessor: int
    topic: int | None
    evidence: str
    ids: Sequence[int]
    since: float
    notes: Sequence[str] = ()
    p: float | None = None


def found_at(judged: Judged, rows: Integers, evidence: str, **more: Any) -> Found:
    """Return a flag of these rows, which are one person's, and of one topic unless it says None."""
    its = judged.only(rows)
    topic = more.pop("topic", int(its.topic[0]))
    ids = its.judgment.tolist()
    return Found(int(its.assessor[0]), topic, evidence, ids, float(its.at.min()), **more)


def quick_documents(work: Work) -> Iterator[Found]:
    """Find who took under a sixth of both medians, their own and the topic's, too often.

    No source has a threshold for documents. docs/flags.md has how often chance alone is flagged.
    Haste alone is no error: Smucker and Jethani (SIGIR 2012) found that errors take longer.
    """
    timed = work.judged.only(work.judged.seconds > 0)
    columns = timed.seconds, timed.assessor, timed.topic
    is_quick, (own, topic) = are_quick(*columns, QUICK), both_medians(*columns, QUICK)
    for rows in each_group(timed.assessor, timed.topic):
        quick = rows[is_quick[rows]]
        if len(quick) >= LEAST_QUICK and len(quick) > MOST_QUICK * len(rows):
            medians = float(own[rows[0]]), float(topic[rows[0]])
            of_topic = (
                f", the topic's {taken(medians[1])}"
                if isfinite(medians[1])
                else " on all topics, and nobody else judged this one"
            )
            yield found_at(
                timed,
                quick,
                f"{len(quick):,} of {counted(len(rows), 'document')} took under "
                f"{taken(QUICK * min(medians))} each; the assessor's median is {taken(medians[0])}"
                f"{of_topic}",
            )


def fast_throughout(work: Work) -> Iterator[Found]:
    """Find whose median time is under a third of the median of the others' medians.

    As the relative speed index of surveys (Leiner 2019, Survey Research Methods 13), which divides
    a sample's median by a respondent's time.
    """
    timed = work.judged.only(work.judged.seconds > 0)
    people = [rows for rows in each_group(timed.assessor) if len(rows) >= ENOUGH]
    medians = np.array([np.median(timed.seconds[rows]) for rows in people])
    for n, rows in enumerate(people):
        others = np.delete(medians, n)
        if len(others) < LEAST_OTHERS:
            return
        usual = float(np.median(others))
        if medians[n] < FAST * usual:
            yield found_at(
                timed,
                rows,
                f"A median of {taken(float(medians[n]))} over {counted(len(rows), 'document')}; "
                f"{counted(len(others), 'other')} have medians around {taken(usual)}",
                topic=None,
            )


def long_runs(work: Work) -> Iterator[Found]:
    """Find runs of one grade that are too long by `run_bound`, given how many have that grade.

    A sequence is what somebody graded on a topic, of one batch of the pool, in the order of
    judging. Each grade that occurs in one is a look; probabilities are multiplied by the looks
    (Bonferroni).
    """
    graded = work.judged.only(work.judged.grade != NO_GRADE)
    runs = [
        (rows, *run)
        for rows in each_group(graded.assessor, graded.topic, graded.batch)
        for run in longest_runs(graded.grade[rows])
    ]
    for rows, grade, start, length in runs:
        k = int((graded.grade[rows] == grade).sum())
        p = min(1.0, run_bound(len(rows), k, length) * len(runs))
        if p < CHANCE:
            yield found_at(
                graded,
                rows[start : start + length],
                f"{length:,} in a row have grade {grade}, as {k:,} of "
                f"{counted(len(rows), 'document')} do; {by_chance(p, len(runs))}",
                p=p,
            )


def by_chance(p: float, n: int) -> str:
    """Say how probable something is by chance, with the looks that are allowed for.

    >>> by_chance(0.0123, 40), by_chance(1e-9, 1)
    ('by chance 0.012 in 40 looks', 'by chance under 0.001 in 1 look')
    """
    return f"by chance {'under 0.001' if p < 0.001 else f'{p:.3f}'} in {counted(n, 'look')}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


class Drift(NamedTuple):
    """How values go over the quarters of somebody's sessions; the rows are those of `judged`.

    `usual` is the mean of the same session, topic and batch. `change` is from the first quarter to
    the last, of the mean of value less usual: where the two are of different topics it is near 0,
    whatever the values.
    """

    rows: Integers
    quarter: Integers
    n_sessions: int
    value: Floats
    usual: Floats
    change: float
    p: float
    n_looks: int

    def by_quarter(self, values: Floats) -> list[Floats]:
        return [values[self.quarter == n] for n in range(4)]


def drifts(judged: Judged, values: Floats, counts: Any) -> Iterator[Drift]:
    """Yield the drift of each person's values, of the rows that `counts`, in sessions of 20 acts.

    The test is that of `trends`: quarters are the scores, and what is of one session, one topic
    and one batch is a stratum. Probabilities are multiplied by the number of people.
    """
    session = session_of(judged.assessor, judged.at)
    size, quarter = quarters(session)
    rows = np.flatnonzero(counts & (size >= LEAST_OF_SESSION))
    strata = codes(session[rows], judged.topic[rows], judged.batch[rows])
    people, value = codes(judged.assessor[rows]), values[rows]
    usual = expected(value, strata)
    _, p = trends(quarter[rows].astype(np.float64), value, strata, people)
    n_looks = int(np.isfinite(p).sum())
    for its in each_group(people):
        excess, of = (value - usual)[its], quarter[rows[its]]
        if np.isfinite(p[people[its[0]]]) and {0, 3} <= {*of.tolist()}:
            change = float(excess[of == 3].mean() - excess[of == 0].mean())
            n_sessions, its_p = len(np.unique(session[rows[its]])), p[people[its[0]]] * n_looks
            yield Drift(
                rows[its], of, n_sessions, value[its], usual[its], change, float(its_p), n_looks
            )


def relevance_drift(work: Work) -> Iterator[Found]:
    """Find whose share of relevant documents changes over their sessions, within a topic."""
    judged = work.judged
    is_relevant = (judged.grade >= work.level).astype(np.float64)
    for drift in drifts(judged, is_relevant, judged.grade != NO_GRADE):
        if drift.p < CHANCE and abs(drift.change) >= DRIFT:
            given, usual = (
                _listed(percent(float(each.mean())) for each in drift.by_quarter(values))
                for values in (drift.value, drift.usual)
            )
            yield _drifted(
                judged,
                drift,
                f"Relevant by quarter: {given}; of all in {SAME}: {usual}; against these the last "
                f"has {100 * abs(drift.change):.0f} points {'more' if drift.change > 0 else 'less'}"
                " than the first",
            )


def time_drift(work: Work) -> Iterator[Found]:
    """Find who gets much faster within a topic over their sessions: by logarithms of times."""
    judged = work.judged
    logs = np.log(np.maximum(judged.seconds, 1e-3))
    for drift in drifts(judged, logs, judged.seconds > 0):
        if drift.p < CHANCE and exp(drift.change) <= FASTER:
            medians = drift.by_quarter(judged.seconds[drift.rows])
            times = _listed(taken(float(np.median(each))) for each in medians)
            yield _drifted(
                judged,
                drift,
                f"Median time by quarter: {times}; against all in {SAME}, the last takes "
                f"{percent(exp(drift.change))} of the first",
            )


def _listed(words: Iterator[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}"


def _drifted(judged: Judged, drift: Drift, words: str) -> Found:
    is_end = np.isin(drift.quarter, (0, 3))
    notes = np.where(drift.quarter[is_end] == 0, "first quarter", "last quarter").tolist()
    evidence = (
        f"{words}; {counted(drift.n_sessions, 'session')}, {by_chance(drift.p, drift.n_looks)}"
    )
    rows = drift.rows[is_end]
    return found_at(judged, rows, evidence, topic=None, notes=notes, p=drift.p)
