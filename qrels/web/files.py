"""Files of a version in other forms: with rounds, or of a sample with what was not judged."""

from collections.abc import Iterator

from django.http import Http404, StreamingHttpResponse

from campaigns.web.frame import streamed
from pooling.core.strategy.sampling import stratum_of
from pooling.models.batches import Batch
from qrels.access import Person
from qrels.models import Qrels
from qrels.services.publishing import download_qrels
from trec.qrels import read_qrels

NO_BATCH = 0  # has the document


def file_with_rounds(user: Person, qrels: Qrels, name: str) -> StreamingHttpResponse:
    """Send a version with rounds, and record which member downloads it."""
    with download_qrels(user=user, qrels=qrels) as file:
        grades = read_qrels(file.file).by_topic()
    return streamed(_with_rounds(qrels, grades), f"{name}-rounds.txt")


def _with_rounds(qrels: Qrels, grades: dict[str, dict[str, int]]) -> Iterator[str]:
    columns = ("topic__number", "item__key", "batch__round")
    rounds = {(topic, docno): number for topic, docno, number in qrels.pooled.values_list(*columns)}
    for topic, own in grades.items():
        for docno, grade in own.items():
            yield f"{topic} {rounds.get((topic, docno), NO_BATCH)} {docno} {grade}\n"


NOT_JUDGED = -1
# How a line is written of topic, docno, stratum and grade: as infAP reads it, and as xinfAP and
# infNDCG do.
FORMS = {"sample": "{0} 0 {1} {3}\n", "strata": "{0} 0 {1} {2} {3}\n"}


def sampled_file(qrels: Qrels, form: str, name: str) -> StreamingHttpResponse:
    """Send every document of the population that was sampled, in a form of `FORMS`.

    Http404 for qrels that do not rest on a sample.
    """
    if (batch := qrels.sample) is None:
        raise Http404
    return streamed(_sampled(qrels, batch, form), f"{name}-{form}.txt")


def _sampled(qrels: Qrels, batch: Batch, form: str) -> Iterator[str]:
    grades, line = qrels.pairs().by_topic(), FORMS[form].format
    strata = [stratum_of(reason) for reason in batch.reasons]
    entries = batch.entries.order_by("topic__number", "item__key")
    for topic, docno, reason in entries.values_list("topic__number", "item__key", "reason"):
        yield line(topic, docno, strata[reason], grades.get(topic, {}).get(docno, NOT_JUDGED))
