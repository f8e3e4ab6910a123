"""Tables of scores for export, stamped with what was measured."""

from typing import Any

from evaluation.core.exports import SUMMARY, ScoreRow, ScoreTable
from evaluation.models import Board, Evaluation, Measured, Preliminary, Score


def facts_of(measured: Measured) -> dict[str, Any]:
    """Return the campaign, the qrels or judgments, and the rules that the scores are from."""
    facts: dict[str, Any] = {"campaign": "", "qrels": ""}
    if isinstance(measured, Evaluation):
        facts["campaign"] = measured.campaign.name
        facts["qrels"] = measured.qrels.number
        facts["qrels_sha256"] = measured.qrels.sha256
        facts["qrels_source"] = measured.qrels.source
        facts["judgments"] = measured.qrels.n_judgments
        facts["still_to_judge"] = measured.qrels.n_open
        facts["level"] = measured.qrels.level
        facts["scored_at"] = f"{measured.finished_at:%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(measured, Preliminary):
        facts["campaign"] = measured.campaign.name
        facts["qrels"] = f"preliminary, {sum(measured.n_judged)} judgments"
        facts["level"] = measured.level
        facts["scored_at"] = f"{measured.refreshed_at:%Y-%m-%dT%H:%M:%SZ}"
    return {**facts, "rules": measured.rules, "topic_set": measured.topic_set}


def leaderboard_table(
    evaluation: Evaluation, board: Board, pooled: set[int] | None
) -> ScoreTable:
    """Return a row for each run, in the order of the board; `pooled` are the ids of the runs that contributed to the pool, None where that is not known."""
    rows = []
    for entry in board:
        run, n_topics = entry.subject, entry.n_topics
        is_pooled = "" if pooled is None else int(run.pk in pooled)
        texts = [entry.tag, str(run.team), run.state, is_pooled, n_topics]
        rows.append(ScoreRow(texts, entry.values, entry.tag, SUMMARY, n_topics))
    heads = ["run", "team", "state", "pooled", "topics"]
    return ScoreTable(facts_of(evaluation), heads, evaluation.measures, rows)


def run_table(score: Score) -> ScoreTable:
    """Return a row for each topic, and the aggregates last."""
    evaluation, tag = score.evaluation, score.run.tag
    values = [*score.by_topic().tolist(), score.aggregates]
    rows = [
        ScoreRow([topic], row, tag, topic, score.n_topics)
        for topic, row in zip([*evaluation.topics, SUMMARY], values, strict=True)
    ]
    facts = {"run": tag, **facts_of(evaluation)}
    return ScoreTable(facts, ["topic"], evaluation.measures, rows)
