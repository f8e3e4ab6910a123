"""Pictures of the figures of the pool's pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from campaigns.models.campaign import Campaign
from cleverdon.pictures.bars import part_bar
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.picture import Picture
from collection.models.texts import Topic
from pooling.core.pictures import alike, documents_by_topic
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor

MOST_COMPARED = 80  # runs, those that bring most alone: more are not told apart


def contribution_bar(contributor: Contributor, most: int) -> Drawn:
    """Draw a run's unique documents as a part of all that it contributed."""
    own, n = contributor.n_unique, contributor.n_contributed
    sentence = f"{n:,} contributed, {own:,} of them by no other run"
    return part_bar(own, n, most=most, sentence=sentence)


def topics_picture(campaign: Campaign, per_topic: Sequence[tuple[Topic, int]]) -> Picture | None:
    """Draw the documents of each topic."""
    if not per_topic:
        return None
    topics, counts = zip(*per_topic, strict=True)
    # There may be a thousand topics: their address is made once.
    start, end = reverse("collection:topic", args=[campaign.slug, 0]).rsplit("0", 1)
    hrefs = [f"{start}{each.pk}{end}" for each in topics]
    return documents_by_topic([each.number for each in topics], counts, hrefs=hrefs)


def alike_picture(batch: Batch, figures: Mapping[str, Any]) -> Picture | None:
    """Draw how alike the runs of `batch_figures` are; None for fewer than three."""
    runs = [contributor.run for contributor, _ in figures["contributors"]][:MOST_COMPARED]
    if not batch.sha256 or len(runs) < 3:
        return None
    tags, teams = [run.tag for run in runs], [run.team.name for run in runs]
    return alike(tags, teams, figures["common"][: len(runs), : len(runs)].tolist())
