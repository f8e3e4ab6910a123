"""Import of 100,000 documents of about a kilobyte, through the real task: `python -m benchmarks.documents`."""

import gzip
import json
import time

from benchmarks import site

N_DOCUMENTS = 100_000


def main() -> None:
    site.start()
    from django.core.files.base import ContentFile

    from accounts.models import User
    from campaigns import services, tasks
    from campaigns.models import Import, Job

    user = User.objects.create(username="organizer")
    campaign = services.create_campaign(user=user, name="Large")
    lines = "\n".join(map(document, range(N_DOCUMENTS))).encode()
    file = ContentFile(gzip.compress(lines, compresslevel=1), name="large.jsonl.gz")
    row = services.request_import(
        user=user, campaign=campaign, kind=Import.Kind.DOCUMENTS, file=file
    )
    start = time.perf_counter()
    tasks.read_import(Job.objects.get(kind="read_import", subject_id=row.pk).pk)
    services.confirm_import(user=user, row=row)
    tasks.write_import(Job.objects.get(kind="write_import", subject_id=row.pk).pk)
    seconds = time.perf_counter() - start
    row.refresh_from_db()
    rate = N_DOCUMENTS / seconds
    print(f"{row.outcome} {seconds:.1f} s, {rate:,.0f} documents a second")


def document(n: int) -> str:
    text = f"Words of document {n}. " * 45
    return json.dumps({"docno": f"doc-{n:07d}", "title": f"Document {n}", "text": text})


if __name__ == "__main__":
    main()
