"""Qrels of a pool that is a sample, as inferred measures read them: with what was not judged."""

from collections.abc import Iterator

from django.http import Http404, StreamingHttpResponse

from campaigns.web.frame import streamed
from pooling.core.strategy.sampling import stratum_of
from pooling.models.batches import Batch
from qrels.models import Qrels

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
    return streamed(_lines(qrels, batch, form), f"{name}-{form}.txt")


def _lines(qrels: Qrels, batch: Batch, form: str) -> Iterator[str]:
    grades, line = qrels.pairs().by_topic(), FORMS[form].format
    strata = [stratum_of(reason) for reason in batch.reasons]
    entries = batch.entries.order_by("topic__number", "item__key")
    for topic, docno, reason in entries.values_list("topic__number", "item__key", "reason"):
        yield line(topic, docno, strata[reason], grades.get(topic, {}).get(docno, NOT_JUDGED))
