"""Begin the next round of a campaign, correct the topics of one, take the last one back."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from accounts.access import Refused, check, check_seen
from accounts.models import User
from campaigns.access.roles import organizes
from campaigns.acting import act, in_campaign
from campaigns.events import CampaignEvent
from campaigns.from_above import SETTINGS_CHANGED
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import DATES, Round
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import change_campaign
from cleverdon.trec.versions import version
from evaluation.services import number_boards
from overview.access import Rounds, check_topics, check_window_of_round


@act(Rounds.begin)
def begin_round(
    *,
    user: User,
    campaign: Campaign,
    topics: Sequence[str] = (),
    topics_open_at: datetime | None = None,
    submission_opens_at: datetime | None = None,
    submission_closes_at: datetime | None = None,
    seen: str | None = None,
) -> Round:
    """Begin the next round, with these topics, or all that there are now.

    The one before keeps its topics and dates. `seen` is the version of the number of the current
    round.
    """
    campaign = _locked(campaign, seen)
    check_topics(campaign, topics)
    moments = topics_open_at, submission_opens_at, submission_closes_at
    dates = dict(zip(DATES, moments, strict=True))
    check_window_of_round(*moments)
    before, _ = Round.objects.get_or_create(
        campaign=campaign, number=campaign.round, defaults={"topics": _every(campaign)}
    )
    for name in DATES:
        setattr(before, name, getattr(campaign, name))
    before.save()
    number = campaign.round + 1
    named = list(topics) or _every(campaign)
    row = Round.objects.create(campaign=campaign, number=number, topics=named)
    campaign = _go_to(user, campaign, number, dates)
    if before.number == 1:
        number_boards(campaign)
    return row


@in_campaign
def take_back_round(*, user: User, campaign: Campaign, seen: str | None = None) -> None:
    """Go back to the round before, and its dates; refused once something is of the current one.

    `seen` is the version of the number of the current round.
    """
    check(organizes, user, campaign)
    campaign = _locked(campaign, seen)
    check(Rounds.take_back, user, campaign)
    campaign.rounds.get(number=campaign.round).delete()
    before = campaign.rounds.get(number=campaign.round - 1)
    dates = {name: getattr(before, name) for name in DATES}
    if before.number == 1:
        before.delete()  # one round needs no row
    else:
        for name in DATES:
            setattr(before, name, None)
        before.save()
    campaign = _go_to(user, campaign, before.number, dates)
    if before.number == 1:
        number_boards(campaign)
    SETTINGS_CHANGED(campaign, user, ["topics"])


@act(Rounds.change)
def change_round(*, user: User, row: Round, topics: Sequence[str], seen: str | None = None) -> None:
    """Correct the topics of a round; empty for all that there are now.

    `seen` is the version of those it has.
    """
    campaign = row.campaign
    _locked(campaign)
    now = Round.objects.filter(pk=row.pk).first()
    if now is None:
        raise Refused(f"Round {row.number} has been taken back.")
    check_seen(seen, version(*now.topics, ""), f"The topics of round {row.number}")
    check_topics(campaign, topics)
    named = list(topics) or _every(campaign)
    detail = {"round": now.number, "before": now.topics, "after": named}
    AuditEvent.record(campaign, user, CampaignEvent.ROUND_CHANGED, now, **detail)
    now.topics = named
    now.save(update_fields=["topics"])
    SETTINGS_CHANGED(campaign, user, ["topics"])


def _locked(campaign: Campaign, seen: str | None = None) -> Campaign:
    now = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_seen(seen, version(now.round), f"The current round, now {now.round},")
    return now


def _every(campaign: Campaign) -> list[str]:
    return list(campaign.topic_set.values_list("number", flat=True))


def _go_to(
    user: User, campaign: Campaign, number: int, dates: Mapping[str, datetime | None]
) -> Campaign:
    return change_campaign(user=user, campaign=campaign, changes={"round": number, **dates})
