"""Duplicates among many documents, through the real task: `python -m benchmarks.duplicates`."""

import resource
import time

import numpy as np

from benchmarks import site

N_DOCUMENTS, N_WORDS = 10_000, 500
VOCABULARY = 50_000


def texts() -> list[str]:
    """Return texts of words by Zipf's law; of ten, one is another's near and one its exact copy."""
    drawing = np.random.default_rng(1)
    shares = 1 / np.arange(1, VOCABULARY + 1)
    drawn = drawing.choice(VOCABULARY, (N_DOCUMENTS, N_WORDS), p=shares / shares.sum())
    drawn[8::10] = drawn[0::10]
    drawn[8::10, 100:110] = VOCABULARY
    drawn[9::10] = drawn[0::10]
    return [" ".join(f"w{word}" for word in words) for words in drawn.tolist()]


def main() -> None:
    site.start()
    from accounts.models import User
    from benchmarks.pooled import pool_documents
    from campaigns.services import campaign as campaign_services
    from collection.models.texts import Document, Topic
    from pooling.services import request_duplicates
    from pooling.tasks import find_duplicates

    user = User.objects.create(username="organizer")
    campaign = campaign_services.create_campaign(user=user, name="Repeating")
    docnos = [f"doc-{n:05}" for n in range(N_DOCUMENTS)]
    Document.objects.bulk_create(
        Document(campaign=campaign, docno=docno, text=text)
        for docno, text in zip(docnos, texts(), strict=True)
    )
    pool_documents(user, Topic.objects.create(campaign=campaign, number="1", title="one"), docnos)
    job = request_duplicates(user=user, campaign=campaign)
    start = time.perf_counter()
    find_duplicates(job.pk)
    seconds = time.perf_counter() - start
    job.refresh_from_db()
    mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{N_DOCUMENTS:,} documents of {N_WORDS} words: {seconds:.1f} s, {mebibytes} MiB in all")
    print(job.outcome)


if __name__ == "__main__":
    main()
