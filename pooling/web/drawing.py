"""Pictures of the figures of the pool's pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from pictures.bars import part_bar
from pictures.markup import Drawn
from pictures.picture import Picture
from pooling.core.pictures import alike, documents_by_topic, size_by_depth
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor

MOST_COMPARED = 150  # runs, those that bring most alone: more are not told apart


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


def batch_pictures(batch: Batch, figures: Mapping[str, Any]) -> dict[str, Picture | None]:
    """Draw `batch_figures`: the documents of each topic, and how alike the runs are."""
    pictures = {"topics": topics_picture(batch.campaign, figures["per_topic"]), "alike": None}
    runs = [contributor.run for contributor, _ in figures["contributors"]][:MOST_COMPARED]
    if batch.sha256 and len(runs) > 2:
        tags, teams = [run.tag for run in runs], [run.team.name for run in runs]
        common = figures["common"][: len(runs), : len(runs)].tolist()
        pictures["alike"] = alike(tags, teams, common)
    return pictures


def forecast_pictures(figures: Mapping[str, Any]) -> dict[str, Picture | None]:
    """Draw `forecast_figures`, once they are computed."""
    if "by_topic" not in figures:
        return {}
    topics = figures["topics"]
    pictures: dict[str, Picture | None] = {}
    if any(figures["by_topic"]):
        pictures["forecast_topics"] = documents_by_topic(topics, figures["by_topic"])
    if sizes := figures.get("sizes"):
        depth, most = figures["depth"], figures["most"]
        pictures["size_by_depth"] = size_by_depth(sizes, depth, most=most)
    return pictures
