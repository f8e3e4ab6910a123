"""Tables of scores as they are exported, stamped with what was measured."""

from typing import Any

from evaluation.core.exports import SUMMARY, Table
from evaluation.models import Board, Evaluation, Measured, Preliminary, Score


def facts_of(measured: Measured) -> dict[str, Any]:
    """Return the campaign, what the runs were scored against, and by which rules."""
    facts: dict[str, Any] = {"campaign": "", "qrels": ""}
    if isinstance(measured, Evaluation):
        facts["campaign"] = measured.campaign.name
        facts["qrels"] = measured.qrels.number
        facts["qrels_sha256"] = measured.qrels.sha256
        facts["level"] = measured.qrels.level
        facts["scored_at"] = f"{measured.finished_at:%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(measured, Preliminary):
        facts["campaign"] = measured.campaign.name
        facts["qrels"] = f"preliminary, {sum(measured.n_judged)} judgments"
        facts["level"] = measured.level
        facts["scored_at"] = f"{measured.refreshed_at:%Y-%m-%dT%H:%M:%SZ}"
    return {**facts, "rules": measured.rules, "topic_set": measured.topic_set}


def leaderboard_table(evaluation: Evaluation, board: Board, pooled: set[int]) -> Table:
    """Return a row a run, in the order of the board."""
    counts = [line.row.n_topics for line in board]
    rows = [
        (
            [
                line.row.tag,
                str(line.row.subject.team),
                int(line.row.subject.pk in pooled),
                line.row.n_topics,
            ],
            line.row.values,
        )
        for line in board
    ]
    return Table(
        facts_of(evaluation),
        ["run", "team", "pooled", "topics"],
        evaluation.measures,
        rows,
        [line.row.tag for line in board],
        [SUMMARY] * len(board),
        counts,
    )


def run_table(score: Score) -> Table:
    """Return a row a topic, and the aggregates last."""
    evaluation, tag = score.evaluation, score.run.tag
    topics = [*evaluation.topics, SUMMARY]
    values = [*score.by_topic().tolist(), score.aggregates]
    return Table(
        {"run": tag, **facts_of(evaluation)},
        ["topic"],
        evaluation.measures,
        [([topic], row) for topic, row in zip(topics, values, strict=True)],
        [tag] * len(topics),
        topics,
        [score.n_topics] * len(topics),
    )
