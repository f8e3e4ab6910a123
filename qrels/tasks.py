"""What a worker does for qrels: read an uploaded file, publish a version."""

import hashlib
from dataclasses import replace
from io import BytesIO
from typing import Any

from django.core.files.base import ContentFile

from accounts.access import Refused, Unconfirmed
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.qrels import STRICT, JudgedPairs, read_qrels
from cleverdon.trec.recognize import BEGINNING, not_qrels
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import MAX_EXPANSION, FormatError, opened, storable
from cleverdon.trec.topics import ALL, not_called
from cleverdon.trec.words import counted
from jobs import work
from jobs.models import Job
from qrels.building import build
from qrels.core import N_FIRST_LINES, QrelsFacts
from qrels.models import Qrels, QrelsImport

# About two and a half million judgments; all published qrels are smaller.
MAX_QRELS_BYTES = 1 << 26
# Some qrels have the round of the judgment in their second column.
WITH_SECOND_COLUMN = replace(STRICT, label=1)
N_LISTED = 20
# What a job is about whose outcome is to be accepted.
ASKS = "what would be lost"
State = QrelsImport.State


def _give_up_reading(job: Job) -> None:
    fault = "Reading it failed. Try again, or discard it."
    reading = QrelsImport.objects.filter(pk=job.subject_id, state=State.READING)
    reading.update(state=State.REFUSED, fault=fault)


@work.kind("read uploaded qrels", of=QrelsImport, give_up=_give_up_reading)
def read_uploaded_qrels(job: Job) -> str:
    """Read an uploaded file, and keep what it holds or why it cannot be imported."""
    upload = QrelsImport.objects.get(pk=job.subject_id)
    with upload.file.open("rb") as file:
        work.report(job, 0, file.size)
        raw = file.read()
    try:
        content = opened(BytesIO(raw), limit=MAX_QRELS_BYTES, max_expansion=MAX_EXPANSION).read()
        pairs = _pairs(content)
    except FormatError as error:
        with work.writing(job):
            QrelsImport.objects.filter(pk=upload.pk).move(State.REFUSED, fault=str(error))
        return f"{upload.file_name} cannot be imported. {error}"
    work.report(job, len(raw) // 2)
    with work.writing(job):
        if content == raw:
            upload.content.name = upload.file.name
        else:
            upload.content.save("content", ContentFile(content), save=False)
        QrelsImport.objects.filter(pk=upload.pk).move(
            State.READ,
            content=upload.content.name,
            sha256=hashlib.sha256(content).hexdigest(),
            report=_report(upload, pairs, content),
            fault="",
        )
    return f"{upload.file_name}: {counted(len(pairs.grades), 'judgment')} read."


def _pairs(content: bytes) -> JudgedPairs:
    """Return what the file holds; FormatError with a guess what it is if it is not qrels."""
    try:
        pairs = read_qrels(BytesIO(content), layout=WITH_SECOND_COLUMN)
    except FormatError as error:
        beginning = content[:BEGINNING]
        if other := not_a_table(beginning):
            raise FormatError(None, other) from error
        guess = not_qrels(beginning.decode(errors="replace"))
        raise FormatError(error.line, f"{error.message} {guess}".strip()) from error
    if called_all := next((each for each in pairs.topics if each.casefold() == ALL), ""):
        raise FormatError(None, not_called(called_all))
    return pairs


def _report(upload: QrelsImport, pairs: JudgedPairs, content: bytes) -> dict[str, Any]:
    """Return what is shown before the import: counts, first lines, topics unknown or without."""
    topics = set(pairs.topics)
    known = set(upload.campaign.topic_set.values_list("number", flat=True))
    seconds = set() if pairs.labels is None else set(pairs.labels.tolist())
    return {
        "facts": QrelsFacts.of(len(topics), pairs.grades).to_json(),
        "first_lines": _first_lines(content),
        "second_column": sorted(map(shown, seconds))[:N_LISTED],
        "n_seconds": len(seconds),
        "topics_unknown": sorted(topics - known, key=natural_key)[:N_LISTED],
        "n_topics_unknown": len(topics - known),
        "topics_without": sorted(known - topics, key=natural_key)[:N_LISTED],
        "n_topics_without": len(known - topics),
    }


def _first_lines(content: bytes) -> list[str]:
    lines = content[: N_FIRST_LINES * 1000].splitlines()[:N_FIRST_LINES]
    return [shown(line)[:200] for line in lines]


def shown(text: bytes) -> str:
    """Return text as a page can show it and the database can hold it."""
    return storable(text.decode(errors="replace"))


@work.kind("publish the qrels")
def publish_judgments(job: Job) -> str:
    """Publish the official grades once, as requested; a loss of grades needs consent first."""
    asked, number = job.options, int(job.options["seen"]) + 1
    made = Qrels.objects.filter(campaign=job.campaign_id, number=number)
    made = made.filter(published_by=job.created_by, published_at__gte=job.created_at)
    try:
        with work.writing(job):
            # Perhaps by an attempt whose end was not noted.
            qrels = made.first() or build(job.created_by, job.campaign, **asked)
    except Unconfirmed as loss:
        with work.writing(job):
            Job.objects.filter(pk=job.pk).update(about=ASKS)
        raise work.Unusable(str(loss)) from loss
    except Refused as refusal:
        raise work.Unusable(str(refusal)) from refusal
    return f"Qrels v{qrels.number} published with {counted(qrels.n_judgments, 'judgment')}."
