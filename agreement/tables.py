"""What documents weigh in agreement, as a table."""

from collections.abc import Iterator
from typing import NamedTuple

from agreement.core.weights import sizes_of, weights_of
from agreement.tallies import strata_now
from assess.models.judging import Judgment
from assess.models.strata import DrawnStratum
from campaigns.models.campaign import Campaign
from cleverdon.trec.ordering import natural_key
from collection.models.items import Item


class WeightRecord(NamedTuple):
    """A document of a topic of which a sample was drawn by first grade, and what it weighs.

    `stratum` has its first grade at each such draw, "-" where it had none. Of the `documents` of
    the stratum `compared` are judged by two people or more; a document that is not has no weight.
    """

    topic: str
    docno: str
    stratum: str
    documents: int
    compared: int
    weight: float | None


def weight_records(campaign: Campaign) -> Iterator[WeightRecord]:
    """Yield the documents of topics that were drawn from by grade, by topic and docno."""
    topics = DrawnStratum.objects.of(campaign).n_by_topic()
    strata, numbers = strata_now(campaign, topics), dict(campaign.topic_set.in_bulk(topics))
    compared: dict[int, list[int]] = {topic: [] for topic in topics}
    judged = Judgment.objects.independent().filter(topic__in=topics)
    for topic, item, *_rest in judged.by_item(campaign.every_criterion):
        compared[topic].append(item)
    for topic in sorted(strata, key=lambda pk: natural_key(numbers[pk].number)):
        its, several = strata[topic], compared[topic]
        sizes, weights = sizes_of(its, several), weights_of(its, several)
        docnos = dict(Item.objects.filter(pk__in=its).values_list("pk", "key"))
        for item in sorted(its, key=docnos.__getitem__):
            grades = " ".join("-" if each is None else str(each) for each in its[item])
            yield WeightRecord(
                numbers[topic].number, docnos[item], grades, *sizes[its[item]], weights.get(item)
            )
