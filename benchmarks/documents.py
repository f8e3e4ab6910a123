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

    user = User.objects.create(username="organizer")
    campaign = services.create_campaign(user=user, name="Large")
    lines = (
        json.dumps(
            {
                "docno": f"doc-{n:07d}",
                "title": f"Document {n}",
                "text": f"Words of document {n}. " * 45,
            }
        )
        for n in range(N_DOCUMENTS)
    )
    file = ContentFile(
        gzip.compress("\n".join(lines).encode(), compresslevel=1), name="large.jsonl.gz"
    )
    job = services.request_document_import(
        user=user, campaign=campaign, file=file, is_whole_collection=True
    )
    start = time.perf_counter()
    tasks.import_documents(job.pk)
    seconds = time.perf_counter() - start
    job.refresh_from_db()
    print(
        f"{job.outcome} {seconds:.1f} s, {N_DOCUMENTS / seconds:,.0f} documents a second"
    )


if __name__ == "__main__":
    main()
