"""Evaluations and the scores of runs as lists."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Noun, fields_of
from cleverdon.trec.cells import finite
from evaluation.access import Scores, evaluations_shown, runs_shown, sees_all_runs
from evaluation.models.scores import Evaluation, Score


def _evaluations(user: User, campaign: Campaign) -> Any:
    return evaluations_shown(user, campaign)


EVALUATIONS = Noun(
    name="evaluations",
    see=Scores.see,
    rows=_evaluations,
    fields={
        "id": Field(str, lambda each: str(each.public_id)),
        "qrels": Field(int, lambda each: each.scope.qrels),
        "without": Field(int | None, lambda each: each.scope.without),
        "round": Field(int | None, lambda each: each.scope.round),
        "split": Field(str, lambda each: each.scope.split),
        "topic_set": Field(str, lambda each: each.scope.topic_set),
        "chosen": Field(str, lambda each: each.scope.hash[:8] if each.scope.chosen else ""),
        "rules": Field(str),
        "measures": Field(list),
        "topics": Field(int, lambda each: len(each.topics)),
        "judgments": Field(int, lambda each: each.n_judgments),
        "marks": Field(list, help="draft, residual, preliminary, withdrawn, sample …"),
        "finished_at": Field(datetime),
    },
    model=Evaluation,
    key=ID,
    help="The finished evaluations that you may see, that is, those released to you.",
)


class BoardRecord(NamedTuple):
    """A run on a leaderboard: its values by measure, and how sure its place is.

    `low` and `high` are the ends of intervals; places and classes are for who sees all runs.
    """

    run: str
    team: str
    topics: int
    values: dict[str, float | None]
    low: dict[str, float | None]
    high: dict[str, float | None]
    first_place: dict[str, int | None]
    last_place: dict[str, int | None]


def _board(user: User, evaluation: Evaluation) -> list[BoardRecord]:
    """Return the runs, best first by the first measure."""
    board = evaluation.leaderboard(0, runs_shown(user, evaluation))
    names, sees_all = evaluation.measures, sees_all_runs(user, evaluation)
    rows = []
    for entry in board:
        standings = entry.standings or [None] * len(names)
        by_name = dict(zip(names, standings, strict=True))

        def of(field: str, of: dict[str, Any] = by_name) -> dict[str, Any]:
            return {name: each and getattr(each, field) for name, each in of.items()}

        values = {n: finite(float(v)) for n, v in zip(names, entry.values, strict=True)}
        places = (of("best"), of("worst")) if sees_all else ({}, {})
        team = str(entry.subject.team)
        rows.append(
            BoardRecord(entry.tag, team, entry.n_topics, values, of("low"), of("high"), *places)
        )
    return rows


BOARD = Noun(
    name="scores",
    see=Scores.see_evaluation,
    rows=_board,
    fields=fields_of(BoardRecord),
    help="A leaderboard: the runs that you may see, best first by the first measure.",
)


class ValueRecord(NamedTuple):
    """The value of a run on a topic by a measure; null where the topic does not count."""

    run: str
    topic: str
    measure: str
    value: float | None


def _scores(user: User, evaluation: Evaluation) -> Any:
    shown = evaluation.scores.filter(run_id__in=runs_shown(user, evaluation))
    return shown.select_related("run", "evaluation").order_by("run__tag", "pk")


def _values(evaluation: Evaluation, scores: Iterable[Score]) -> Iterator[ValueRecord]:
    names, topics = evaluation.measures, evaluation.topics
    for score in scores:
        for topic, row in zip(topics, score.counted(), strict=False):
            for name, value in zip(names, row, strict=True):
                yield ValueRecord(score.run.tag, topic, name, finite(float(value)))


BY_TOPIC = Noun(
    name="values",
    see=Scores.see_evaluation_by_topic,
    rows=lambda user, evaluation: _values(evaluation, _scores(user, evaluation).iterator(50)),
    fields=fields_of(ValueRecord),
    help="Every value by run, topic and measure, one to a line.",
)
