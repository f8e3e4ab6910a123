"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

import pooling.tasks  # noqa: F401 - registers the kinds of job
from campaigns import progress
from campaigns.models.trail import register_events
from campaigns.web.frame import register_tab
from collection import mentions
from collection.models.texts import Document, Topic, register_use
from pooling import facts
from pooling.access import check_pool_shown
from pooling.events import PoolEvent
from pooling.models import PoolEntry
from runs import insights

in_frozen, in_any = PoolEntry.objects.in_frozen_pool, PoolEntry.objects.of
fixed = "in the frozen pool"
register_use(
    Document,
    ["change", "delete", "remove"],
    fixed,
    lambda campaign: in_frozen(campaign).values("docno"),
)
register_use(Topic, ["change"], fixed, lambda campaign: in_frozen(campaign).values("topic__number"))
register_use(
    Topic,
    ["delete", "remove"],
    "in a pool",
    lambda campaign: in_any(campaign).values("topic__number"),
)
progress.register_counts("pooled", PoolEntry.objects.n_by_topic)
insights.register_overlaps(facts.overlaps)
mentions.register_mentions(Document, facts.pooled)
mentions.register_mentions(Topic, facts.pooled_topics)
register_events(PoolEvent)
register_tab(330, "pool", "pooling:pool", check=check_pool_shown)
