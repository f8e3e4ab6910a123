"""Many documents at once, a million of them, and long lines: `python -m benchmarks.documents`.

The imports are those of 100,000 documents of about a kilobyte, and of a million passages in the
form of MS MARCO v2, through the real tasks. With a name (`imports`, `pages`) only that is done.
"""

import gzip
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from benchmarks import site

N_DOCUMENTS = 100_000
N_MANY = 1_000_000
N_JUDGED = 20_000
MEGABYTES = (1, 4, 16)
ROUNDS = 3
MAKE = """
    INSERT INTO collection_document (campaign_id, docno, title, text, url, language, html,
                                     version, last_version, imported_in_id)
    SELECT %s, 'doc-' || lpad(n::text, 7, '0'), 'Document ' || n,
           repeat('Words of document ' || n || '. ', 40), '', 'en', '', 1, 1, %s
    FROM generate_series(1, %s) AS n
"""
PAGES = (
    "",
    "documents/",
    "documents/?page=5000",
    "documents/?docno=doc-05",
    "documents/doc-0500000/",
    "topics/",
    "imports/{}/",
)


def main() -> None:
    site.start()
    from accounts.models import User

    user = User.objects.create(username="organizer")
    parts = sys.argv[1:] or ["imports", "pages"]
    if "imports" in parts:
        import_many(user, "Large", map(document, range(N_DOCUMENTS)))
        import_many(user, "Passages", islice(passages(), N_MANY))
    if "pages" in parts:
        pages_of_a_million(user)
        long_lines()


def import_many(user: Any, name: str, lines: Iterator[str]) -> None:
    """Print how long it takes to read a file of documents for its preview, and to import it."""
    from campaigns.services import campaign as campaign_services
    from collection import tasks
    from collection.models.imports import Import
    from collection.services import imports
    from jobs.models import Job

    campaign = campaign_services.create_campaign(user=user, name=name)
    row = imports.request_import(
        user=user, campaign=campaign, kind=Import.Kind.DOCUMENTS, file=packed(lines)
    )
    start, busy = time.perf_counter(), busy_seconds()
    tasks.read_import(Job.objects.get(kind="read_import", subject_id=row.pk).pk)
    read = busy_seconds()
    imports.confirm_import(user=user, row=row)
    tasks.write_import(Job.objects.get(kind="write_import", subject_id=row.pk).pk)
    seconds, written = time.perf_counter() - start, busy_seconds()
    row.refresh_from_db()
    most = " and ".join(f"{_most_memory(each)} MB" for each in (Path("/proc/self"), _session()))
    print(f"{name}: {row.outcome} {seconds:.1f} s, at most {most} so far; of processor")
    for what, (before, after) in {"read": (busy, read), "imported": (read, written)}.items():
        own, databases = (last - first for first, last in zip(before, after, strict=True))
        print(f"  {what}: {own:.1f} s of the worker, {databases:.1f} s of PostgreSQL")


def packed(lines: Iterator[str]) -> Any:
    """Return an upload of these lines, on disk and compressed."""
    from django.core.files import File

    file = tempfile.TemporaryFile()  # noqa: SIM115 - the import closes it
    with gzip.open(file, "wt", compresslevel=1) as text:
        text.writelines(f"{line}\n" for line in lines)
    file.seek(0)
    return File(file, name="documents.jsonl.gz")


def passages() -> Iterator[str]:
    """Yield passages of some 350 characters, with the names and spans of MS MARCO v2."""
    dice = np.random.default_rng(1968)
    letters = dice.choice([*"etaoinshrdlucmfwyp"], (20_000, 9))
    words = ["".join(word[: 2 + n % 8]) for n, word in enumerate(letters)]
    at = 0
    while True:
        chosen = dice.choice(len(words), dice.integers(35, 78))
        text = f"{' '.join([words[n] for n in chosen]).capitalize()}."
        stored = {
            "pid": f"msmarco_passage_{at % 70:02d}_{at:09d}",
            "passage": text,
            "spans": f"({at % 4096},{at % 4096 + len(text)})",
            "docid": f"msmarco_doc_{at % 60:02d}_{at >> 12:09d}",
        }
        yield json.dumps(stored)
        at += len(text)


def busy_seconds() -> tuple[float, float]:
    """Return the processor seconds of this process, and of all processes of the database."""
    server = _stat(_session())[1]
    every = [_stat(folder) for folder in Path("/proc").glob("[0-9]*")]
    ticks = sum(int(stat[11]) + int(stat[12]) for stat in every if stat[1] == server)
    return time.process_time(), ticks / os.sysconf("SC_CLK_TCK")


def _session() -> Path:
    """Return what the system says of this session's process of the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    return Path(f"/proc/{pid}")


def _most_memory(process: Path) -> int:
    """Return the most memory that a process has had, in MB; of PostgreSQL with what all share."""
    lines = (process / "status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) >> 10


def _stat(folder: Path) -> list[str]:
    """Return what the system says of a process after its name; nothing of one that has ended."""
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [""] * 13


def document(n: int) -> str:
    text = f"Words of document {n}. " * 45
    return json.dumps({"docno": f"doc-{n:07d}", "title": f"Document {n}", "text": text})


def pages_of_a_million(user: Any) -> None:
    """Print how long pages of a campaign with a million documents take, some of them judged."""
    from campaigns.services import campaign as campaign_services
    from collection.bulk import writing
    from collection.models.texts import Document

    campaign = campaign_services.create_campaign(user=user, name="A million")
    row_id = make_million(campaign, user)
    judge(campaign, user)
    writing.tidy(Document)
    for path in (each.format(row_id) for each in PAGES):
        before = sum(busy_seconds())
        seconds, _ = fetched(user, f"/campaigns/{campaign.slug}/{path}")
        busy = (sum(busy_seconds()) - before) / ROUNDS
        figures = f"{seconds * 1000:5.0f} ms, of processor {busy * 1000:4.0f} ms"
        print(f"{N_MANY:,} documents, {figures}  {path or 'overview'}")


def make_million(campaign: Any, user: Any) -> int:
    """Write the documents as if they had been imported, and return the id of the import."""
    from django.db import connection

    from collection.models.imports import Import

    counts = ["new", "changed", "unchanged", "repeated", "fixed", "used", "empty", "unreadable"]
    row = Import.objects.create(
        campaign=campaign,
        kind="documents",
        file="x",
        file_name="x.jsonl",
        n_bytes=1,
        created_by=user,
        confirmed_by=user,
        state="imported",
        preview={
            **{f"n_{name}": 0 for name in counts},
            "format": "JSON Lines",
            "hint": "",
            "used": {},
            **{name: [] for name in ("fixed", "first", "changes")},
        },
    )
    with connection.cursor() as cursor:
        cursor.execute(MAKE, [campaign.pk, row.pk, N_MANY])
    return row.pk


def judge(campaign: Any, user: Any) -> None:
    """Have documents of one topic pooled and judged."""
    from assess.models.history import JudgmentEvent
    from assess.models.judging import Judgment
    from assess.models.serving import AssignmentEntry
    from collection.models.items import Item

    docnos = [f"doc-{n * 7 + 1:07d}" for n in range(N_JUDGED)]
    given = assigned(campaign, user, docnos)
    items = Item.objects.of_documents(campaign, ((given.topic_id, each) for each in docnos))
    same = {"topic": given.topic, "assessor": given.assessor, "assignment": given}
    same |= {
        "state": "judged",
        "answers": {"grade": 1},
        "document_version": 1,
        "topic_version": 1,
        "purpose": "primary",
    }
    judgments = Judgment.objects.bulk_create(
        Judgment(item_id=item, change=n, **same) for n, item in enumerate(items.values(), 1)
    )
    AssignmentEntry.objects.bulk_create(
        AssignmentEntry(
            assignment=given, position=n, item_id=each.item_id, judgment=each, purpose=each.purpose
        )
        for n, each in enumerate(judgments)
    )
    change = {"assignment": given, "from_state": "", "to_state": "judged"}
    change["to_answers"] = same["answers"]
    JudgmentEvent.objects.bulk_create(
        JudgmentEvent(judgment=each, client_id=uuid4(), change=each.change, **change)
        for each in judgments
    )


def assigned(campaign: Any, user: Any, docnos: list[str]) -> Any:
    """Return an assignment of a topic whose pool has these documents."""
    from accounts.models import User
    from assess.models.assigning import Assignment
    from benchmarks.pooled import pool_documents
    from campaigns.models.people import Membership
    from collection.models.texts import Topic

    assessor = User.objects.create(username="assessor")
    Membership.objects.create(campaign=campaign, user=assessor, role="assessor")
    topic = Topic.objects.create(campaign=campaign, number="1", title="a topic")
    pool = pool_documents(user, topic, docnos)
    counts = {"n_entries": len(docnos), "n_judged": len(docnos)}
    return Assignment.objects.create(
        topic=topic, pool=pool, assessor=assessor, kind="primary", seed=1, created_by=user, **counts
    )


def long_lines() -> None:
    """Print how long the judging page and a later part take for long documents."""
    from assess.models.assigning import Assignment
    from collection.models.texts import Document

    given = Assignment.objects.counting().select_related("assessor", "topic__campaign").get()
    user = given.assessor
    campaign, docno = given.topic.campaign, given.entries.counting().get(position=0).docno
    at = f"/campaigns/{campaign.slug}/judging/{given.pk}/"
    for unit in ("=(", "a word; ", "a line of a text\n"):
        for n in MEGABYTES:
            text = (unit * ((n << 20) // len(unit) + 1))[: n << 20]
            Document.objects.filter(campaign=campaign, docno=docno).update(text=text)
            first, size = fetched(user, f"{at}?number=1")
            part = f"from={len(text) - 300_000}"
            last, _ = fetched(user, f"{at}documents/1/?{part}")
            words, _ = fetched(user, f"{at}documents/1/words/?version=1&topic=1&{part}")
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            figures = [
                f"{n:2} MB of {unit!r:22} page {first * 1000:4.0f} ms, {size >> 10:,} kB",
                f"last part {last * 1000:4.0f} ms",
                f"words {words * 1000:5.0f} ms",
                f"{most} MB so far",
            ]
            print("; ".join(figures))


def fetched(user: Any, path: str) -> tuple[float, int]:
    """Return the shortest time of some requests of a page, and its size."""
    from django.test import Client

    client, best, size = Client(SERVER_NAME="localhost"), float("inf"), 0
    client.force_login(user)
    for _ in range(ROUNDS):
        start = time.perf_counter()
        response = client.get(path)
        best, size = min(best, time.perf_counter() - start), len(response.content)
        if response.status_code != 200:
            raise SystemExit(f"{path}: {response.status_code}")
    return best, size


if __name__ == "__main__":
    main()
