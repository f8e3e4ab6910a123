"""Begin the next round of a campaign, correct the topics of one, take the last one back."""

from collections.abc import Sequence
from datetime import datetime

from accounts.access import Refused, check_seen
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.access.rounds import check_can_take_back_round, check_topics, check_window_of_round
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.from_above import SETTINGS_CHANGED
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import Round, topics_in
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import change_campaign
from trec.versions import version


@in_campaign
def begin_round(
    *,
    user: User,
    campaign: Campaign,
    topics: Sequence[str] = (),
    submission_opens_at: datetime | None = None,
    submission_closes_at: datetime | None = None,
    seen: str | None = None,
) -> Round:
    """Begin the next round, with these topics, or all; the one before keeps its topics and dates.

    `seen` is the version of the number of the current round.
    """
    check_can_organize(user, campaign)
    campaign = _locked(campaign, seen)
    check_topics(campaign, topics)
    check_window_of_round(submission_opens_at, submission_closes_at)
    before, _ = Round.objects.get_or_create(campaign=campaign, number=campaign.round)
    # Topics that are imported later are not of it.
    before.topics = before.topics or topics_in(campaign, before.number)
    before.submission_opens_at = campaign.submission_opens_at
    before.submission_closes_at = campaign.submission_closes_at
    before.save()
    number = campaign.round + 1
    row = Round.objects.create(campaign=campaign, number=number, topics=list(topics))
    _go_to(user, campaign, number, submission_opens_at, submission_closes_at)
    return row


@in_campaign
def take_back_round(*, user: User, campaign: Campaign, seen: str | None = None) -> None:
    """Go back to the round before, and its dates; refused once something is of the current one.

    `seen` is the version of the number of the current round.
    """
    check_can_organize(user, campaign)
    campaign = _locked(campaign, seen)
    check_can_take_back_round(campaign)
    campaign.rounds.get(number=campaign.round).delete()
    before = campaign.rounds.get(number=campaign.round - 1)
    dates = before.submission_opens_at, before.submission_closes_at
    if before.number == 1:
        before.delete()  # one round needs no row
    else:
        before.submission_opens_at = before.submission_closes_at = None
        before.save()
    _go_to(user, campaign, before.number, *dates)
    SETTINGS_CHANGED(campaign, user, ["topics"])


@in_campaign
def change_round(*, user: User, row: Round, topics: Sequence[str], seen: str | None = None) -> None:
    """Correct the topics of a round; empty for all. `seen` is the version of those it has."""
    campaign = row.campaign
    check_can_organize(user, campaign)
    _locked(campaign)
    now = Round.objects.filter(pk=row.pk).first()
    if now is None:
        raise Refused(f"Round {row.number} has been taken back.")
    check_seen(seen, version(*now.topics, ""), f"The topics of round {row.number}")
    check_topics(campaign, topics)
    detail = {"round": now.number, "before": now.topics, "after": list(topics)}
    AuditEvent.record(campaign, user, CampaignEvent.ROUND_CHANGED, now, **detail)
    now.topics = list(topics)
    now.save(update_fields=["topics"])
    SETTINGS_CHANGED(campaign, user, ["topics"])


def _locked(campaign: Campaign, seen: str | None = None) -> Campaign:
    now = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_seen(seen, version(now.round), f"The current round, now {now.round},")
    return now


def _go_to(
    user: User,
    campaign: Campaign,
    number: int,
    opens_at: datetime | None,
    closes_at: datetime | None,
) -> None:
    dates = {"submission_opens_at": opens_at, "submission_closes_at": closes_at}
    change_campaign(user=user, campaign=campaign, changes={"round": number, **dates})
