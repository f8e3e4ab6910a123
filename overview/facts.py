"""What there is in campaigns, read in as many queries for fifty campaigns as for one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from accounts.models import User
from assess.models import Assignment, Qrels
from campaigns.models import Campaign, Document, Membership, Run, Topic
from evaluation.models import Evaluation
from overview.core.stages import Facts
from pooling.models import Pool, PoolEntry

Rows = QuerySet[Any]
OF_CAMPAIGN = Q(campaign=OuterRef("pk"))


@dataclass(frozen=True)
class Mine:
    """What there is of one person in a campaign."""

    campaign: Campaign
    roles: frozenset[str]
    has_topics: bool
    has_scores: bool
    n_assigned: int = 0  # documents
    n_judged: int = 0
    n_cannot_judge: int = 0
    n_valid: int = 0  # runs of the person's team
    n_invalid: int = 0


def mine(user: User, campaigns: QuerySet[Campaign]) -> list[Mine]:
    """Return what there is of a person in each of these campaigns."""
    roles = Membership.objects.filter(OF_CAMPAIGN, user=user)
    scored = Evaluation.objects.filter(OF_CAMPAIGN, finished_at__isnull=False)
    found = campaigns.annotate(
        my_roles=ArraySubquery(roles.values("role")),
        my_work=_work(Assignment.objects.filter(assessor=user)),
        my_runs=_runs(Run.objects.filter(team__membership__user=user)),
        has_topics=Exists(Topic.objects.filter(OF_CAMPAIGN)),
        has_scores=Exists(scored),
    )
    return [
        Mine(
            campaign,
            frozenset(campaign.my_roles),
            campaign.has_topics,
            campaign.has_scores,
            **_flat({"work": campaign.my_work, "runs": campaign.my_runs}),
        )
        for campaign in found
    ]


def facts(campaign_ids: Iterable[int], *, exact: bool = True) -> dict[int, Facts]:
    """Return what there is in campaigns, by id; not `exact`, documents are looked for and not counted."""
    number = _count if exact else _any
    scored = Evaluation.objects.filter(finished_at__isnull=False).order_by("-pk")
    current = Pool.objects.order_by(F("frozen_at").desc(nulls_last=True), "-pk")
    rows = Campaign.objects.filter(pk__in=campaign_ids).values(
        "pk",
        n_topics=_count(Topic.objects.all()),
        n_documents=number(Document.objects.all()),
        n_missing=number(PoolEntry.objects.without_document(), "pool__campaign"),
        run_counts=_runs(Run.objects.all()),
        current_pool=_first(current, pool_state="state", pool_depth="depth", n_entries="n_entries"),
        work=_work(Assignment.objects.primary()),
        newest_qrels=_first(Qrels.objects.all(), qrels_number="number", n_official="n_judgments"),
        board=_first(
            scored.annotate(n=Count("scores")), scored_qrels="qrels__number", n_scored="n"
        ),
    )  # fmt: skip
    found = [_flat(row) for row in rows]
    return {row.pop("pk"): Facts(**row) for row in found}


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the JSON objects in a row; where a subquery found nothing, the defaults stand."""
    values: dict[str, Any] = {}
    for name, value in row.items():
        values |= value if isinstance(value, dict) else {name: value} if value else {}
    return values


def _first(rows: Rows, **columns: str) -> Subquery:
    """Return columns of a campaign's first row, as one JSON object."""
    return Subquery(rows.filter(OF_CAMPAIGN).values(_=JSONObject(**columns))[:1])


# Counts are subqueries: joins would multiply one another's rows.


def _count(rows: Rows, campaign: str = "campaign") -> Coalesce:
    mine = rows.filter(**{campaign: OuterRef("pk")}).order_by().values(campaign)
    return Coalesce(Subquery(mine.values(_=Count("pk"))), 0)


def _any(rows: Rows, campaign: str = "campaign") -> Exists:
    return Exists(rows.filter(**{campaign: OuterRef("pk")}))


def _work(assignments: Rows) -> Subquery:
    mine = assignments.filter(topic__campaign=OuterRef("pk")).order_by()
    sums = mine.values("topic__campaign").values(
        _=JSONObject(
            n_assigned=Sum("n_entries"),
            n_judged=Sum("n_judged"),
            n_cannot_judge=Sum("n_cannot_judge"),
        )
    )
    return Subquery(sums)


def _runs(runs: Rows) -> Subquery:
    mine = runs.filter(OF_CAMPAIGN).order_by().values("campaign")
    valid, invalid = (
        Count("pk", filter=Q(state=state))
        for state in (Run.State.VALID, Run.State.INVALID)
    )
    return Subquery(mine.values(_=JSONObject(n_valid=valid, n_invalid=invalid)))
