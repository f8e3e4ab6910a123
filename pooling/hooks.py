"""What this app tells the floors below it."""

import pooling.growing  # noqa: F401 - registers its tasks
import pooling.tasks  # noqa: F401 - registers the kinds of job
from campaigns.from_above import FIXES_SCALE, N_POOLED, TABS, Tab
from campaigns.models.trail import EVENTS
from collection.from_above import (
    DOCUMENT_MENTIONS,
    TEXTS_CHANGED,
    TOPIC_MENTIONS,
    TOPICS_GO,
    USES,
    Use,
)
from collection.models.texts import Document, Topic
from pooling import facts
from pooling.access import Pools
from pooling.events import PoolEvent
from pooling.models.entries import PoolEntry
from pooling.models.likenesses import Likeness
from runs.from_above import OVERLAPS

entries, frozen_entries = PoolEntry.objects.of, PoolEntry.objects.with_grades_in

EVENTS.append(PoolEvent)
FIXES_SCALE.register(facts.has_existing)
N_POOLED.register(facts.n_by_topic)
OVERLAPS.register(facts.overlaps)
DOCUMENT_MENTIONS.register(facts.pooled)
TOPIC_MENTIONS.register(facts.pooled_topics)
TEXTS_CHANGED.register(facts.recount)
TOPICS_GO.register(Likeness.objects.forget)
USES += [
    Use(Document, "change delete remove", "in the frozen pool", frozen_entries, "item__docno"),
    Use(Topic, "change split", "in the frozen pool", frozen_entries, "topic__number"),
    Use(Topic, "delete remove", "in a pool", entries, "topic__number"),
]
TABS.append(Tab(330, "pool", "pooling:pool", verb=Pools.see))
