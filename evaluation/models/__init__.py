"""Evaluations, their scores, and the preliminary board."""

from evaluation.models.measured import (
    Measured,
    RuleSet,
    TopicSet,
    usual_measures,
)
from evaluation.models.preliminary import Placement, Preliminary
from evaluation.models.scores import (
    Board,
    Evaluation,
    EvaluationQuerySet,
    Score,
)

__all__ = [
    "Board",
    "Evaluation",
    "EvaluationQuerySet",
    "Measured",
    "Placement",
    "Preliminary",
    "RuleSet",
    "Score",
    "TopicSet",
    "usual_measures",
]
