"""The Django application."""

from django.apps import AppConfig


class PoolingConfig(AppConfig):
    name = "pooling"

    def ready(self) -> None:
        from campaigns import insights, mentions, progress  # noqa: PLC0415
        from campaigns.models import (  # noqa: PLC0415 - models are loaded by now
            Document,
            Topic,
        )
        from campaigns.models.collection import register_use  # noqa: PLC0415
        from campaigns.models.work import register_events  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415
        from pooling import facts, tasks  # noqa: F401, PLC0415 - its kind of job is known from here on
        from pooling.access import check_pool_shown  # noqa: PLC0415
        from pooling.events import PoolEvent  # noqa: PLC0415
        from pooling.models import PoolEntry  # noqa: PLC0415

        in_frozen, in_any = PoolEntry.objects.in_frozen_pool, PoolEntry.objects.of
        fixed = "in the frozen pool"
        register_use(Document, ["change", "delete", "remove"], fixed, lambda campaign: in_frozen(campaign).values("docno"))  # fmt: skip
        register_use(Topic, ["change"], fixed, lambda campaign: in_frozen(campaign).values("topic__number"))  # fmt: skip
        register_use(Topic, ["delete", "remove"], "in a pool", lambda campaign: in_any(campaign).values("topic__number"))  # fmt: skip
        progress.register_counts("pooled", PoolEntry.objects.n_by_topic)
        insights.register_overlaps(facts.overlaps)
        mentions.register_mentions(Document, facts.pooled)
        mentions.register_mentions(Topic, facts.pooled_topics)
        register_events(PoolEvent)
        register_tab(330, "pool", "pooling:pool", check=check_pool_shown)
