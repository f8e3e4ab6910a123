"""How far judging is, day by day."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.db.models import F, Max, Q, Sum
from django.utils import timezone

from assess.core.pace import without_last
from assess.models.assigning import Assignment
from assess.models.days import JudgedDay
from assess.models.judging import Judgment
from assess.models.sharing import SharedDocument, is_settled
from campaigns.models.campaign import Campaign
from overview.core.burn_up import BurnUp
from overview.core.stages import CampaignFacts
from qrels.models import Qrels


def burn_up_of(campaign: Campaign, facts: CampaignFacts) -> BurnUp:
    return BurnUp(
        n_judged_on=decided_by_day(campaign, is_shared=facts.judging.n_shared > 0),
        n_documents=facts.n_to_judge,
        today=campaign.day_of(timezone.now()),
        deadline=campaign.last_day_of_judging,
        qrels=_published(campaign),
    )


def decided_by_day(campaign: Campaign, *, is_shared: bool) -> dict[date, int]:
    """Return how many documents were decided first on each day.

    Those that are open again are taken off the last days. Those of shared topics count on the day
    they were settled.
    """
    primary = Assignment.objects.primary().filter(topic__campaign=campaign)
    n_now = primary.aggregate(n=Sum(F("n_judged") + F("n_cannot_judge")))["n"] or 0
    kept = JudgedDay.objects.filter(assignment__in=primary.order_by())
    rows: Any = kept.values_list("day").annotate(n=Sum("n_decided"))
    counts = Counter(without_last(dict(rows), sum(n for _, n in rows) - n_now))
    if is_shared:
        counts.update(campaign.day_of(at) for at in _settled_at(campaign))
    return dict(counts)


def _settled_at(campaign: Campaign) -> Iterable[datetime]:
    """Return when the last judgment of each settled document of the shared topics was changed."""
    settled = SharedDocument.objects.of(campaign).filter(is_settled())
    changed_at = "entries__judgment__changed_at"
    counting = Q(entries__judgment__state__in=Judgment.DECIDED_STATES)
    last = settled.annotate(at=Max(changed_at, filter=counting)).values_list("at", flat=True)
    return [at for at in last if at]


def _published(campaign: Campaign) -> list[tuple[date, str]]:
    """Return the day and name of each version that was published from judgments."""
    versions = Qrels.objects.filter(campaign=campaign, pool__isnull=False)
    rows = versions.order_by("number").values_list("published_at", "number")
    return [(campaign.day_of(at), f"qrels v{number}") for at, number in rows]
