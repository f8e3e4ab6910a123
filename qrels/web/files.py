"""Files of a version in other forms: with rounds, or of a sample with what was not judged."""

from collections.abc import Iterator
from itertools import starmap

from django.http import Http404, StreamingHttpResponse

from campaigns.access.roles import Person
from campaigns.web.frame import streamed
from cleverdon.trec.qrels import read_qrels
from qrels.models import Qrels
from qrels.samples import SAMPLE_LINE, STRATA_LINE, has_one_rate, population_of
from qrels.services.publishing import download_qrels

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


FORMS = {"sample": SAMPLE_LINE, "strata": STRATA_LINE}


def sampled_file(qrels: Qrels, form: str, name: str) -> StreamingHttpResponse:
    """Send every document of the population of a sample, in a form of `FORMS`.

    Http404 for qrels that do not rest on a sample, and for infAP if not on one of one rate.
    """
    if not qrels.is_sample or (form == "sample" and not has_one_rate(qrels)):
        raise Http404
    lines = starmap(FORMS[form].format, population_of(qrels))
    return streamed(lines, f"{name}-{form}.txt")
