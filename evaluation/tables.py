"""Tables of scores for export, stamped with what was measured."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from cleverdon.measures.exports import SUMMARY, ScoreRow, ScoreTable
from cleverdon.measures.family import Measure
from cleverdon.trec.arrays import Floats
from cleverdon.trec.cells import cell, csv_lines, finite
from cleverdon.trec.ranking import DEFAULT_RULES
from evaluation.core.columns import MeasureColumn
from evaluation.core.leaderboard import BoardEntry
from evaluation.core.standing import why_no_interval
from evaluation.core.topics import best_median_worst
from evaluation.models.scores import Board, Evaluation, Score
from runs.models import Run


def facts_of(evaluation: Evaluation, sees_all_runs: bool) -> dict[str, Any]:
    """Return the campaign, qrels and rules of scores; what was open only to some."""
    qrels, without, scope = evaluation.qrels, evaluation.without, evaluation.scope
    return {
        "campaign": evaluation.campaign.name,
        "status": ", ".join(evaluation.marks) or "released",
        "qrels": qrels.number,
        "qrels_sha256": qrels.sha256,
        "qrels_source": qrels.source,
        "qrels_withdrawn": qrels.withdrawal,
        "without": scope.without or "",
        "without_withdrawn": without.withdrawal if without else "",
        "judgments": evaluation.n_judgments,
        # Hidden topics may have judgments too.
        "qrels_judgments": "" if scope.is_partial else qrels.n_judgments,
        "preliminary": int(qrels.is_preliminary),
        "undrawn": qrels.n_undrawn if sees_all_runs else "",
        "of_sample": " ".join(evaluation.unestimated),
        "still_to_judge": qrels.n_open if sees_all_runs else "",
        "level": qrels.level,
        "scored_at": f"{evaluation.finished_at:%Y-%m-%dT%H:%M:%SZ}",
        "rules": evaluation.rules,
        "topic_set": scope.topic_set,
        "split": scope.split,
        "round": scope.round or "",
        "chosen": scope.hash[:8] if scope.chosen else "",
    }


def evaluations_csv(evaluations: Iterable[tuple[Evaluation, bool]]) -> Iterator[str]:
    """Yield a header and a line for each evaluation, paired with whether the reader sees all."""
    rows = [
        {
            "evaluation": each.pk,
            **facts_of(each, sees_all_runs),
            "topics": len(each.topics),
            "measures": " ".join(each.measures),
        }
        for each, sees_all_runs in evaluations
    ]
    yield from csv_lines([list(row) for row in rows[:1]])
    yield from csv_lines([cell(value) for value in row.values()] for row in rows)


def file_stamp(evaluation: Evaluation) -> str:
    """Return what a file's name states: marks, scope, rules and topic set."""
    # A withdrawal is named with its version.
    marks = [mark for mark in evaluation.marks if mark != "withdrawn"]
    scope = evaluation.scope
    of_scope = scope.file_name(evaluation.withdrawn)
    return "-".join([*marks, of_scope, evaluation.rules, scope.topic_set])


def leaderboard_table(
    evaluation: Evaluation, board: Board, pooled: set[int] | None, sees_all_runs: bool
) -> ScoreTable:
    """Return a row for each run of the board; `pooled` are the ids of pooled runs, if known."""
    rows = []
    for entry in board:
        run, n_topics = entry.subject, entry.n_topics
        is_pooled = "" if pooled is None else int(run.pk in pooled)
        texts = [entry.tag, run.pk, str(run.team), run.state, is_pooled, n_topics]
        beside = _standings(entry, evaluation.parsed, sees_all_runs)
        rows.append(ScoreRow(texts, _known(entry.values), entry.tag, SUMMARY, n_topics, beside))
    heads = ["run", "run_id", "team", "state", "pooled", "topics"]
    return ScoreTable(facts_of(evaluation, sees_all_runs), heads, evaluation.measures, rows)


# The columns of a run's standing in files; those of places are for readers who see all runs.
ENDS = {"low": "low", "high": "high"}
PLACES = {"first place": "best", "last place": "worst", "class": "letter"}


def _standings(
    entry: BoardEntry[Run], measures: Sequence[Measure], sees_all_runs: bool
) -> dict[str, list[float | str | None]]:
    standings = entry.standings or [None] * len(measures)

    def columns(names: dict[str, str]) -> dict[str, list[float | str | None]]:
        return {
            name: [getattr(each, field) if each else None for each in standings]
            for name, field in names.items()
        }

    why: list[float | str | None] = [
        None if not entry.standings or (own and own.ends) else why_no_interval(each, entry.n_topics)
        for own, each in zip(standings, measures, strict=True)
    ]
    places = columns(PLACES) if sees_all_runs else {}
    return {**columns(ENDS), "why no interval": why, **places}


def run_table(score: Score, sees_all_runs: bool, everybody: Sequence[Score] = ()) -> ScoreTable:
    """Return a row for each topic, the aggregates last; with the spread of `everybody`.

    Under rules 9 trec_eval has no line for a topic that is missing from the run, though it counts.
    """
    evaluation, tag = score.evaluation, score.run.tag
    unlisted = score.missing_topics if evaluation.rules == DEFAULT_RULES else ()
    signs = [MeasureColumn.of(measure).sign for measure in evaluation.parsed]
    all_values = np.stack([each.counted() for each in everybody or [score]])
    spread = best_median_worst(all_values, signs) if everybody else {}
    rows = [
        ScoreRow(
            [topic],
            _known(values),
            tag,
            topic,
            score.n_topics,
            {name: _known(each[n]) for name, each in spread.items()},
            is_listed=topic not in unlisted,
        )
        for n, (topic, values) in enumerate(
            zip([*evaluation.topics, SUMMARY], score.counted(), strict=True)
        )
    ]
    facts = {"run": tag, **facts_of(evaluation, sees_all_runs)}
    return ScoreTable(facts, ["topic"], evaluation.measures, rows)


def _known(values: Sequence[float] | Floats) -> list[float | None]:
    return [finite(float(value)) for value in values]
