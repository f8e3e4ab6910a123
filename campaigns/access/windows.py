"""When something may be done."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated, zone_name
from campaigns.models.people import Team
from campaigns.models.trail import check_not_archived


def check_submission_open(campaign: Campaign, team: Team | None) -> None:
    closes_at = deadline(campaign, team)
    check_window(campaign, "Submission", campaign.submission_opens_at, closes_at)


def deadline(campaign: Campaign, team: Team | None) -> datetime | None:
    """Return when submission closes for a team, whose deadline may have been extended."""
    closes_at, extended = campaign.submission_closes_at, extension(campaign, team)
    return max(closes_at, extended) if closes_at and extended else closes_at


def extension(campaign: Campaign, team: Team | None) -> datetime | None:
    """Return a team's own deadline in the current round, if it has one."""
    if team is None or team.extended_round != campaign.round:
        return None
    return team.submission_closes_at


def date_conflicts(dates: Mapping[str, datetime | None]) -> str:
    """Say how dates of a campaign, by the names of its fields, contradict each other; or ""."""
    shown_at, closes_at = dates["topics_open_at"], dates["submission_closes_at"]
    sentences = []
    if shown_at and closes_at and shown_at >= closes_at:
        sentences.append("The topics are shown after submission closes, so no team can submit.")
    judged_by = dates["judging_closes_at"]
    if judged_by and closes_at and judged_by <= closes_at:
        sentences.append("Judging closes before submission does.")
    return " ".join(sentences)


def check_window(
    campaign: Campaign, what: str, opens_at: datetime | None, closes_at: datetime | None
) -> None:
    check_not_archived(campaign)
    now = timezone.now()
    if opens_at and now < opens_at:
        raise Refused(f"{what} opens on {shown(campaign, opens_at)}.")
    if closes_at and now >= closes_at:
        raise Refused(f"{what} closed on {shown(campaign, closes_at)}.")


def shown(campaign: Campaign, moment: datetime, zone: ZoneInfo | None = None) -> str:
    """Return a moment in the campaign's zone, or another, with the zone's name."""
    zone = zone or campaign.zone
    return f"{dated(moment, zone)} ({zone_name(zone)})"
