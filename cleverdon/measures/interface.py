"""Scores for notebooks: qrels and runs in, arrays out.

>>> scored = evaluate({"1": {"a": 1, "b": 0}}, {"1": {"b": 2.0, "a": 1.0}}, ["AP", "ndcg_cut_10"])
>>> scored.aggregates.round(4).tolist()
[[0.5, 0.6309]]
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeGuard

import numpy as np

from cleverdon.measures.exports import SUMMARY
from cleverdon.measures.family import Input, Measure
from cleverdon.measures.inputs.evidence import NO_CUTOFF
from cleverdon.measures.inputs.judgments import read_judgments
from cleverdon.measures.inputs.mappings import QRELS, RUN, name_of, ranked, universe_of
from cleverdon.measures.inputs.placements import Placements, place
from cleverdon.measures.inputs.records import GRADE, SCORE, are_rows, as_given, by_topic
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.processes import in_processes
from cleverdon.measures.scoring.scores import TOPIC_SETS
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.trec_eval import measures as named
from cleverdon.trec.arrays import Floats, Integers
from cleverdon.trec.cells import cell, csv_text
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.streams import opened

Source = str | Path | BinaryIO
# A table of pandas or polars, or rows such as those of ir_measures.
Rows = Any
QrelsSource = Source | Mapping[str, Mapping[str, int]] | Rows
RunSource = Source | Mapping[str, Mapping[str, float]] | Rows
RunSources = RunSource | Mapping[str, RunSource] | Sequence[RunSource]


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of runs: `values[r, t, m]` on topics, `aggregates[r, m]` over `n_topics[r]` of them.

    `runs`, `topics` and `measures` name the three axes; `missing[r]` are the topics of the qrels
    that run r has nothing for. Values are NaN on topics that are not in the topic set, and so are
    aggregates over none.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats
    aggregates: Floats
    n_topics: Integers
    missing: tuple[tuple[str, ...], ...]
    rules: str
    topic_set: str

    def per_topic(self, measure: str, run: str | None = None) -> dict[str, float]:
        """Return a measure's values by topic, of the only run or the one named; else KeyError."""
        row, column = self._indices(measure, run)
        return dict(zip(self.topics, self.values[row, :, column].tolist(), strict=True))

    def aggregate(self, measure: str, run: str | None = None) -> float:
        """Return a measure's aggregate; KeyError as in `per_topic`."""
        return float(self.aggregates[self._indices(measure, run)])

    def to_csv(self) -> str:
        """Write a line for each run and topic, and one for a run's aggregates; numbers in full.

        The cells of topics that do not count, and of aggregates over none, are empty.
        """
        rows = [
            [cell(run), topic, *map(cell, values)]
            for run, by_topic, aggregates in zip(
                self.runs, self.values.tolist(), self.aggregates.tolist(), strict=True
            )
            for topic, values in zip((*self.topics, SUMMARY), [*by_topic, aggregates], strict=True)
        ]
        return csv_text([["run", "topic", *self.measures], *rows], line_end="\n")

    def _indices(self, measure: str, run: str | None) -> tuple[int, int]:
        name = " ".join(map(str, named(measure)))
        if name not in self.measures or (run is None and len(self.runs) > 1):
            raise KeyError(name if name not in self.measures else "which run?")
        if run is not None and run not in self.runs:
            raise KeyError(run)
        return 0 if run is None else self.runs.index(run), self.measures.index(name)


def evaluate(  # noqa: PLR0913 - what trec_eval offers as options
    qrels: QrelsSource,
    run: RunSources,
    measures: str | Iterable[str | Measure],
    *,
    level: int = 1,
    rules: str = DEFAULT_RULES,
    topic_set: str = "judged",
    depth: int = NO_CUTOFF,
    judged_only: bool = False,
    n_documents: int = 0,
    n_processes: int = 1,
) -> Scored:
    """Score one run or several.

    Qrels and runs are file names, open binary files, gzip or not, or mappings: {topic: {docno:
    grade}} and {topic: {docno: score}}, as pytrec_eval has them; or the rows and tables of
    ir_measures (query_id, doc_id, relevance or score) or PyTerrier (qid, docno, label or score).
    Several runs are a sequence, or a mapping from names to runs; a run without a name is called by
    its tag. Topics, docnos and names of runs may be whole
    numbers or bytes. Measures are what the command's `-m` takes: names in either spelling or usual
    elsewhere, and lists of them: "P.5,10 MRR@10" is three.

    The topic set is "judged" (all topics of the qrels, trec_eval's -c), "relevant" or "retrieved".
    `depth`, `judged_only` and `n_documents` are trec_eval's -M, -J and -N. Runs are read in
    `n_processes` forks of this process.

    FormatError, with the line, for a malformed file; ValueError for an unknown measure, level, rule
    set or topic set, for qrels without a judgment, and for a grade that is no whole number;
    TypeError for what is no file and no mapping of names.
    """
    if topic_set not in TOPIC_SETS:
        known = ", ".join(TOPIC_SETS)
        raise ValueError(f"{topic_set!r} is not a topic set; these are: {known}.")
    names = [measures] if isinstance(measures, str) else measures
    asked = [each for name in names for each in named(str(name))]
    qrels, run = as_given(qrels), as_given(run)
    if are_rows(qrels):
        qrels = by_topic(qrels, GRADE, "qrels")
    universe = _universe(qrels, rules, {each.family.reads for each in asked} - {Input.GRADES})
    placements = _placed(list(_each(run)), universe, rules, n_processes)
    placed = [each.cut(depth) for each in placements.values()]
    missing = tuple(each.missing(universe) for each in placed)
    if judged_only:
        placed = [each.condensed(universe) for each in placed]
    scores = score(placed, universe, asked, level=level, rules=rules, n_documents=n_documents)
    aggregates, n_topics, counted = scores.aggregate(topic_set)
    return Scored(
        tuple(placements),
        scores.topics,
        tuple(map(str, scores.measures)),
        np.where(counted[:, :, None], scores.values, np.nan),
        aggregates,
        n_topics,
        missing,
        rules,
        topic_set,
    )


def _universe(qrels: QrelsSource, rules: str, reads: set[Input]) -> Universe:
    """Read the judgments as the measures need them; ValueError without any."""
    if isinstance(qrels, Mapping):
        universe = universe_of(qrels)
    elif not _is_source(qrels):
        raise TypeError(
            f"The qrels are a {type(qrels).__name__}: give a file or a mapping, {QRELS}."
        )
    elif len(reads) > 1:
        raise ValueError(f"One file cannot hold {' and '.join(sorted(reads))}.")
    else:
        kind = next(iter(reads), Input.GRADES)
        with _stream(qrels) as stream:
            universe = read_judgments(stream, kind, comments=rules != DEFAULT_RULES)
    if not universe.n_topics:
        raise ValueError("The qrels hold no judgments.")
    return universe


def _placed(
    runs: Sequence[tuple[str, RunSource]], universe: Universe, rules: str, n_processes: int
) -> dict[str, Placements]:
    """Read and place every run, by name or else by tag; ValueError when two have the same name."""

    def read(given: tuple[str, RunSource]) -> tuple[str, Placements]:
        name, source = given
        run = _ranked(source, rules)
        return name or run.tag, place(run, universe, rules)

    placed: dict[str, Placements] = {}
    for name, placements in in_processes(read, runs, n_processes):
        if name in placed:
            raise ValueError(f"Two runs are called {name!r}: give them as a mapping from names.")
        placed[name] = placements
    return placed


def _each(run: RunSources) -> Iterable[tuple[str, RunSource]]:
    """Yield every run, with a name where one was given; TypeError for what is no run."""
    if isinstance(run, Mapping) and not _is_run(run):
        for name, named_run in run.items():
            yield name_of(name, "run's name"), _checked(named_run)
    elif isinstance(run, Mapping):
        yield "run", run
    elif are_rows(run):
        yield "run", _checked(run)
    elif _is_source(run) or not _is_list(run):
        yield "", _checked(run)
    else:
        for each in run:
            yield "", _checked(each)


def _checked(run: object) -> RunSource:
    run = as_given(run)
    if are_rows(run):
        return by_topic(run, SCORE, "run")
    if isinstance(run, tuple):
        raise TypeError("A run is a tuple: give runs with names as a mapping, dict(pairs).")
    if not isinstance(run, Mapping) and not _is_source(run):
        given = type(run).__name__
        raise TypeError(f"A run is of the type {given}: give a file or a mapping, {RUN}.")
    return run


def _is_list(given: object) -> TypeGuard[Iterable[object]]:
    return isinstance(given, Iterable) and not isinstance(given, bytes)


def _is_source(given: object) -> bool:
    return isinstance(given, str | Path) or hasattr(given, "read")


def _is_run(mapping: Mapping[str, object]) -> bool:
    """Tell a run, {topic: {docno: score}}, from several, {name: run}, in whatever order."""
    return not any(
        _is_source(inner)
        or are_rows(inner)
        or isinstance(inner, Iterator)
        or (
            isinstance(inner, Mapping) and any(isinstance(each, Mapping) for each in inner.values())
        )
        for inner in mapping.values()
    )


def _ranked(run: RunSource, rules: str) -> RankedRun:
    if isinstance(run, Mapping):
        return ranked(run, rules)
    with _stream(run) as stream:
        return read_run(stream, rules=rules, comments=rules != DEFAULT_RULES)


@contextmanager
def _stream(source: Source) -> Iterator[BinaryIO]:
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield opened(file)
    else:
        yield opened(source)
