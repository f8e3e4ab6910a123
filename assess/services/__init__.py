"""Assign topics, judge, undo, publish qrels."""

from assess.services.assigning import Kind, assign, distribute
from assess.services.judging import COUNTERS, USED_ELSEWHERE, judge, undo
from assess.services.publishing import download_qrels, publish_qrels

__all__ = [
    "COUNTERS",
    "USED_ELSEWHERE",
    "Kind",
    "assign",
    "distribute",
    "download_qrels",
    "judge",
    "publish_qrels",
    "undo",
]
