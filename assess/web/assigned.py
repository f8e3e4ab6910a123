"""Who judges which topic of the pool, as the page of assigning shows it."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from pooling.models.pools import Pool


class Assigned(NamedTuple):
    topic: Topic
    n_documents: int
    primary: Assignment | None
    seconds: list[Assignment]
    queue: SharedQueue | None

    @property
    def kind(self) -> str:
        if self.queue:
            return "shared"
        if self.primary is None or self.primary.taken_back_at:
            return "without an assessor"
        return "judged twice" if self.seconds else "judged once"


def topics_of(campaign: Campaign, pool: Pool, sizes: Mapping[int, int]) -> list[Assigned]:
    """Return the topics of a frozen pool in their order, of these sizes."""
    kinds: dict[int, dict[str, list[Assignment]]] = defaultdict(lambda: defaultdict(list))
    given = Assignment.objects.filter(pool=pool).select_related("assessor")
    for each in given.order_by("kind", "pk"):
        if each.kind == Assignment.Kind.PRIMARY or not each.taken_back_at:
            kinds[each.topic_id][each.kind].append(each)
    queues = {each.topic_id: each for each in SharedQueue.objects.filter(pool=pool)}
    return [
        Assigned(
            topic,
            sizes[topic.pk],
            next(iter(kinds[topic.pk][Assignment.Kind.PRIMARY]), None),
            kinds[topic.pk][Assignment.Kind.SECOND],
            queues.get(topic.pk),
        )
        for topic in campaign.topic_set.filter(pk__in=sizes).only("campaign", "number", "title")
    ]
