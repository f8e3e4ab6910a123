"""Pictures of the figures of the pool's page."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from pictures.markup import Drawn
from pictures.parts import part_bar
from pictures.picture import Picture
from pooling.core.pictures import alike, documents_by_topic, size_by_depth
from pooling.models import Contributor, Pool


def contribution_bar(contributor: Contributor, most: int) -> Drawn:
    """Draw a run's unique documents as a part of all that it contributed."""
    own, n = contributor.n_unique, contributor.n_contributed
    sentence = f"{n:,} contributed, {own:,} of them by no other run"
    return part_bar(own, n, most=most, sentence=sentence).svg


def pool_pictures(pool: Pool, figures: Mapping[str, Any]) -> dict[str, Picture | None]:
    """Draw `pool_figures`: the documents of each topic, and how alike the runs are."""
    pictures: dict[str, Picture | None] = {"topics": None, "alike": None}
    if per_topic := figures["per_topic"]:
        topics, counts = zip(*per_topic, strict=True)
        slug = pool.campaign.slug
        hrefs = [reverse("collection:topic", args=[slug, each.pk]) for each in topics]
        names = [each.number for each in topics]
        pictures["topics"] = documents_by_topic(names, counts, hrefs=hrefs)
    runs = [contributor.run for contributor, _ in figures["contributors"]]
    if pool.sha256 and len(runs) > 2:
        tags, teams = [run.tag for run in runs], [run.team.name for run in runs]
        pictures["alike"] = alike(tags, teams, figures["common"].tolist())
    return pictures


def forecast_pictures(figures: Mapping[str, Any]) -> dict[str, Picture | None]:
    """Draw `forecast_figures`, once they are computed."""
    if "sizes" not in figures:
        return {}
    sizes, depth, topics = figures["sizes"], figures["depth"], figures["topics"]
    counts = dict(zip(sizes.topics, sizes.by_topic[:, depth - 1].tolist(), strict=True))
    by_topic = [counts[topic] for topic in topics]
    return {
        "size_by_depth": size_by_depth(sizes, depth, most=figures["most"]),
        "forecast_topics": documents_by_topic(topics, by_topic) if topics else None,
    }
