"""Whether a rehearsal may be thrown away; when a round may begin, be changed or be taken back."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.text import get_text_list

from accounts.access import Refused, Verb, Verbs
from accounts.models import User
from campaigns.access.campaign import makes_campaigns
from campaigns.access.roles import is_not_archived, organizes
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from cleverdon.trec.words import counted
from evaluation.access import boards_of_round
from pooling.facts import batches_of_round
from qrels.access import versions_of_round
from qrels.models import Qrels
from runs.models import Run

NOTHING_TO_THROW_AWAY = (
    "There is no rehearsal to throw away: no pool is frozen, and nobody has answered anything."
)


def may_be_thrown_away(_: User, campaign: Campaign) -> None:
    """Refuse once qrels were published from the judgments, or the pool is released."""
    published = Qrels.objects.filter(campaign=campaign, pool__isnull=False)
    if first := published.last():
        raise Refused(f"Qrels v{first.number} were published from the judgments, so these stay.")
    if campaign.releases.standing().filter(what=Release.What.POOL).exists():
        raise Refused("The pool is released: take that release back first.")


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


def is_empty_round(_: User, campaign: Campaign) -> None:
    """Refuse if it is the first round, or has runs, batches, qrels or evaluations."""
    if campaign.round == 1:
        raise Refused("This is the first round: there is none before it.")
    n_runs = Run.objects.of_round(campaign, campaign.round).count()
    held = [
        counted(n_runs, "run") if n_runs else "",
        batches_of_round(campaign),
        versions_of_round(campaign),
        boards_of_round(campaign),
    ]
    if any(held):
        named = get_text_list(list(filter(None, held)), "and")
        raise Refused(f"Round {campaign.round} has {named}, so it cannot be taken back.")


class Rounds(Verbs):
    see = change = Verb(organizes)
    begin = Verb(organizes, is_not_archived)
    take_back = Verb(organizes, is_not_archived, is_empty_round)


class WholeCampaigns(Verbs):
    copy = Verb(organizes, makes_campaigns)
    throw_away_rehearsal = Verb(organizes, may_be_thrown_away)
