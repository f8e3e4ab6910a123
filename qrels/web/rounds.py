"""Qrels whose second column is the round of the batch that brought each document to the pool."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from campaigns.web.frame import streamed
from qrels.access import Person
from qrels.models import Qrels
from qrels.services.publishing import download_qrels
from trec.qrels import read_qrels

NO_BATCH = 0  # has the document


def file_with_rounds(user: Person, qrels: Qrels, name: str) -> StreamingHttpResponse:
    """Send a version with rounds, and record which member downloads it."""
    with download_qrels(user=user, qrels=qrels) as file:
        grades = read_qrels(file.file).by_topic()
    return streamed(_lines(qrels, grades), f"{name}-rounds.txt")


def _lines(qrels: Qrels, grades: dict[str, dict[str, int]]) -> Iterator[str]:
    columns = ("topic__number", "item__key", "batch__round")
    rounds = {(topic, docno): number for topic, docno, number in qrels.pooled.values_list(*columns)}
    for topic, own in grades.items():
        for docno, grade in own.items():
            yield f"{topic} {rounds.get((topic, docno), NO_BATCH)} {docno} {grade}\n"
