"""A pool without runs, for benchmarks of what comes after it. Import it once Django is set up."""

from collections.abc import Collection

from accounts.models import User
from collection.models.items import Item
from collection.models.texts import Topic
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool


def pool_documents(user: User, topic: Topic, docnos: Collection[str]) -> Pool:
    """Have the campaign's pool, made if there is none, hold these documents of a topic."""
    pool, _ = Pool.objects.get_or_create(
        campaign=topic.campaign, defaults={"seed": 1, "version": 1}
    )
    batch = Batch.objects.filter(pool=pool).first() or Batch.objects.create(
        campaign=topic.campaign,
        pool=pool,
        version=1,
        strategy="depth",
        parameters={"depth": 1},
        seed=1,
        state=Batch.State.FROZEN,
        created_by=user,
    )
    items = Item.objects.of_documents(topic.campaign, ((topic.pk, docno) for docno in docnos))
    entries = (
        PoolEntry(
            batch=batch, topic=topic, item_id=item, position=place, reason=0, run_ids=[], ranks=[]
        )
        for place, item in enumerate(items.values())
    )
    PoolEntry.objects.bulk_create(entries, batch_size=5000)
    batch.counts = {"new": {**batch.counts.get("new", {}), str(topic.pk): len(items)}}
    batch.save()
    pool.n_entries += len(items)
    pool.save()
    return pool
