"""How the judging of a campaign goes, for its overview."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.utils import timezone

from assess.models import Assignment, Judgment, Qrels
from campaigns.access import is_judging_over
from campaigns.models import Campaign
from overview.core.burnup import Forecast, burn_up, forecast
from overview.core.stages import CampaignFacts
from pictures.picture import Picture


@dataclass(frozen=True)
class Progress:
    """The picture of judging so far, None before there is one to draw, and the forecast, None while nothing can be said."""

    picture: Picture | None
    ahead: Forecast | None
    deadline: date | None


def progress(campaign: Campaign, facts: CampaignFacts) -> Progress:
    """Return how far the primary assessors are. Days are those of the campaign's zone."""
    deadline = campaign.last_day_of_judging
    if not facts.n_judged:
        return Progress(None, None, deadline)
    judged = decided_by_day(campaign)
    today = timezone.now().astimezone(campaign.zone).date()
    n_left = facts.n_assigned - sum(judged.values())
    ahead = None if is_judging_over(campaign) else forecast(judged, n_left, today)
    picture = burn_up(
        judged, facts.n_assigned, today, deadline=deadline, qrels=_published(campaign), ahead=ahead
    )  # fmt: skip
    return Progress(picture, ahead, deadline)


def decided_by_day(campaign: Campaign) -> dict[date, int]:
    """Return how many documents were decided on each day by primary assessors, by the last change of each judgment."""
    primary = Judgment.objects.current().filter(
        topic__campaign=campaign,
        assignment__kind=Assignment.Kind.PRIMARY,
        state__in=Judgment.DECIDED_STATES,
    )
    by_day = primary.order_by().values_list(TruncDate("changed_at", tzinfo=campaign.zone))  # fmt: skip
    return dict(by_day.annotate(n=Count("pk")))


def _published(campaign: Campaign) -> list[tuple[date, str]]:
    """Return the versions made of judgments, with the day of each."""
    versions = Qrels.objects.filter(campaign=campaign, pool__isnull=False)
    rows = versions.order_by("number").values_list("published_at", "number")
    return [(at.astimezone(campaign.zone).date(), f"qrels v{number}") for at, number in rows]  # fmt: skip
