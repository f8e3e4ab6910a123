"""What the page of releases shows: who sees what, and from when."""

from collections.abc import Mapping
from typing import NamedTuple

from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from evaluation.releasing import named, released
from trec.versions import version

What, Audience = Release.What, Release.Audience
NOTES = {
    What.SCORES: "The teams see their own runs beside the best, median and worst of all; "
    "everybody sees every run.",
    What.QRELS: "One version, with its file.",
    What.POOL: "The frozen pool: each document with the runs that found it. It names every run.",
    What.TOPICS: "Assessors see them at any time.",
    What.RUNS: "The valid runs: tag, team, description, file.",
    What.AGREEMENT: "The figures, without a name of an assessor.",
}


class AudienceCell(NamedTuple):
    """An audience and its release, if there is one; `is_public` if everybody has it."""

    audience: str
    release: Release | None
    name: str
    is_public: bool


class ReleaseRow(NamedTuple):
    """Something that can be released; `seen` is the version of what the page shows."""

    what: str
    label: str
    note: str
    cells: list[AudienceCell]
    seen: str


def release_rows(campaign: Campaign) -> list[ReleaseRow]:
    """Return a row for each thing that can be released, with a cell for each audience."""
    releases = {(each.what, each.audience): each for each in campaign.releases.all()}
    return [
        ReleaseRow(
            what,
            what.label,
            NOTES[what],
            [_cell(releases, what, audience) for audience in Audience],
            version(released(campaign, what)),
        )
        for what in What
    ]


def _cell(releases: Mapping[tuple[str, str], Release], what: str, audience: str) -> AudienceCell:
    release, public = (releases.get((what, each)) for each in (audience, Audience.EVERYBODY))
    is_public = bool(public and public.is_in_force)
    return AudienceCell(audience, release, named(release) if release else "", is_public)
