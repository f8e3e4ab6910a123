"""Documents: many at once, a million in one campaign, and one that is long and has no line end: `python -m benchmarks.documents`.

The import is that of 100,000 documents of about a kilobyte, through the real task.
"""

import gzip
import json
import os
import resource
import time
from pathlib import Path
from typing import Any

from benchmarks import site

N_DOCUMENTS = 100_000
N_MANY = 1_000_000
N_JUDGED = 20_000
MEGABYTES = (1, 4, 16)
ROUNDS = 3
MAKE = """
    INSERT INTO collection_document (campaign_id, docno, title, text, url, language, html, version, last_version, imported_in_id)
    SELECT %s, 'doc-' || lpad(n::text, 7, '0'), 'Document ' || n, repeat('Words of document ' || n || '. ', 40), '', 'en', '', 1, 1, %s
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
    import_many(user)
    pages_of_a_million(user)
    long_lines()


def import_many(user: Any) -> None:
    from django.core.files.base import ContentFile

    from campaigns.services import campaign as campaign_services
    from collection import tasks
    from collection.models.imports import Import
    from collection.services import imports
    from jobs.models import Job

    campaign = campaign_services.create_campaign(user=user, name="Large")
    lines = "\n".join(map(document, range(N_DOCUMENTS))).encode()
    file = ContentFile(gzip.compress(lines, compresslevel=1), name="large.jsonl.gz")
    row = imports.request_import(
        user=user, campaign=campaign, kind=Import.Kind.DOCUMENTS, file=file
    )
    start = time.perf_counter()
    tasks.read_import(Job.objects.get(kind="read_import", subject_id=row.pk).pk)
    imports.confirm_import(user=user, row=row)
    tasks.write_import(Job.objects.get(kind="write_import", subject_id=row.pk).pk)
    seconds = time.perf_counter() - start
    row.refresh_from_db()
    rate = N_DOCUMENTS / seconds
    print(f"{row.outcome} {seconds:.1f} s, {rate:,.0f} documents a second")


def document(n: int) -> str:
    text = f"Words of document {n}. " * 45
    return json.dumps({"docno": f"doc-{n:07d}", "title": f"Document {n}", "text": text})


def pages_of_a_million(user: Any) -> None:
    """Print how long pages of a campaign with a million documents take, of which some thousand are judged."""
    from django.db import connection

    from campaigns.services import campaign as campaign_services
    from collection.bulk import writing
    from collection.models.imports import Import
    from collection.models.texts import Document

    campaign = campaign_services.create_campaign(user=user, name="A million")
    preview = dict.fromkeys(
        (
            "n_new",
            "n_changed",
            "n_unchanged",
            "n_repeated",
            "n_fixed",
            "n_used",
            "n_empty",
            "n_unreadable",
        ),
        0,
    ) | {"format": "JSON Lines", "hint": "", "fixed": [], "used": {}, "first": [], "changes": []}
    row = Import.objects.create(
        campaign=campaign,
        kind="documents",
        file="x",
        file_name="x.jsonl",
        n_bytes=1,
        created_by=user,
        confirmed_by=user,
        state="imported",
        preview=preview,
    )
    with connection.cursor() as cursor:
        cursor.execute(MAKE, [campaign.pk, row.pk, N_MANY])
    judge(campaign, user)
    writing.tidy(Document)
    for path in (each.format(row.pk) for each in PAGES):
        before = processor_seconds()
        seconds, _ = fetched(user, f"/campaigns/{campaign.slug}/{path}")
        busy = (processor_seconds() - before) / ROUNDS
        figures = f"{seconds * 1000:5.0f} ms, of processor {busy * 1000:4.0f} ms"
        print(f"{N_MANY:,} documents, {figures}  {path or 'overview'}")


def processor_seconds() -> float:
    """Return what this process and its session of the database have used."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    stat = Path(f"/proc/{pid}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return time.process_time() + (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def judge(campaign: Any, user: Any) -> Any:
    """Have documents of one topic pooled and judged, and return the assignment."""
    from accounts.models import User
    from assess.models.assigning import Assignment
    from assess.models.history import JudgmentEvent
    from assess.models.judging import Judgment
    from assess.models.serving import AssignmentEntry
    from campaigns.models.people import Membership
    from collection.models.texts import Topic
    from pooling.models import Pool, PoolEntry

    assessor = User.objects.create(username="assessor")
    Membership.objects.create(campaign=campaign, user=assessor, role="assessor")
    topic = Topic.objects.create(campaign=campaign, number="1", title="a topic")
    pool = Pool.objects.create(
        campaign=campaign, depth=100, state="frozen", created_by=user, seed=1
    )
    docnos = [f"doc-{n * 7 + 1:07d}" for n in range(N_JUDGED)]
    PoolEntry.objects.bulk_create(
        PoolEntry(pool=pool, topic=topic, docno=docno, run_ids=[1], ranks=[1]) for docno in docnos
    )
    given = Assignment.objects.create(
        topic=topic,
        pool=pool,
        assessor=assessor,
        kind="primary",
        seed=1,
        n_entries=N_JUDGED,
        n_judged=N_JUDGED,
        created_by=user,
    )
    judgments = Judgment.with_controls.bulk_create(
        Judgment(
            topic=topic,
            docno=docno,
            assessor=assessor,
            assignment=given,
            state="judged",
            grade=1,
            document_version=1,
            topic_version=1,
            change=n,
        )
        for n, docno in enumerate(docnos, 1)
    )
    AssignmentEntry.with_controls.bulk_create(
        AssignmentEntry(assignment=given, position=n, docno=each.docno, judgment=each)
        for n, each in enumerate(judgments)
    )
    from uuid import uuid4

    JudgmentEvent.objects.bulk_create(
        JudgmentEvent(
            judgment=each,
            assignment=given,
            client_id=uuid4(),
            from_state="",
            to_state="judged",
            to_grade=1,
            change=each.change,
        )
        for each in judgments
    )
    return given


def long_lines() -> None:
    """Print how long the judging page and a later part take for documents on one line, and with lines."""
    from assess.models.assigning import Assignment
    from collection.models.texts import Document

    given = Assignment.objects.select_related("assessor", "topic__campaign").get()
    user = given.assessor
    campaign, docno = given.topic.campaign, given.entries.get(position=0).docno
    at = f"/campaigns/{campaign.slug}/judging/{given.pk}/"
    for unit in ("=(", "a word; ", "a line of a text\n"):
        for n in MEGABYTES:
            text = (unit * ((n << 20) // len(unit) + 1))[: n << 20]
            Document.objects.filter(campaign=campaign, docno=docno).update(text=text)
            first, size = fetched(user, f"{at}?number=1")
            last, _ = fetched(user, f"{at}documents/1/?from={len(text) - 300_000}")
            words, _ = fetched(
                user, f"{at}documents/1/words/?version=1&topic=1&from={len(text) - 300_000}"
            )
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            print(
                f"{n:2} MB of {unit!r:22} page {first * 1000:4.0f} ms, {size >> 10:,} kB; last part {last * 1000:4.0f} ms; words {words * 1000:5.0f} ms; {most} MB so far"
            )


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
