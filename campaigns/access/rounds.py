"""When a round may begin, be changed or be taken back."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.text import get_text_list

from accounts.access import Refused
from campaigns.from_above import OF_ROUND
from campaigns.models.campaign import Campaign


def check_topics(campaign: Campaign, topics: Sequence[str]) -> None:
    known = set(campaign.topic_set.values_list("number", flat=True))
    if not known:
        raise Refused("There are no topics yet: import them first.")
    for number in topics:
        if number not in known:
            raise Refused(f"There is no topic {number[:40]}.")


def check_window_of_round(
    shown_at: datetime | None, opens_at: datetime | None, closes_at: datetime | None
) -> None:
    if shown_at and closes_at and shown_at >= closes_at:
        raise Refused("The topics must be shown before submission closes.")
    if opens_at and closes_at and closes_at <= opens_at:
        raise Refused("Submission must close after it opens.")


def check_can_take_back_round(campaign: Campaign) -> None:
    """Refuse while something is of the current round; the campaign is locked."""
    if campaign.round == 1:
        raise Refused("This is the first round: there is none before it.")
    if held := list(filter(None, OF_ROUND(campaign))):
        raise Refused(
            f"Round {campaign.round} has {get_text_list(held, 'and')}, so it cannot be taken back."
        )
