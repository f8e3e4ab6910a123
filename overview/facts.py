"""What campaigns contain, read in as many queries for fifty campaigns as for one."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONArray, JSONObject, Now

from accounts.models import User
from assess.core.purposes import SHARED
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from assess.models.sharing import SUMS, SharedDocument
from assess.models.totals import COUNTING, DECIDED, PROVIDED_FOR, SERVED
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Team
from collection.models.imports import Import
from collection.models.texts import Document, Topic
from collection.tasks import read_import, undo_import, write_import
from evaluation.models.scopes import EvaluationQuerySet
from evaluation.models.scores import Evaluation
from jobs.models import Job, JobQuerySet
from overview.core.stages import (
    BoardFacts,
    CampaignFacts,
    JudgingFacts,
    PoolFacts,
    QrelsFacts,
    SubmissionFacts,
    TextFacts,
)
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from qrels.models import Qrels
from qrels.rows import by_kind
from runs.models import Run, RunQuerySet

IMPORT_KINDS = [read_import.name, write_import.name, undo_import.name]
OF_CAMPAIGN = Q(campaign=OuterRef("pk"))
OF_ROUND = OF_CAMPAIGN & Q(round=OuterRef("round"))
# A run that did not pass the check and was not replaced.
OPEN_FAULT = Q(state=Run.State.INVALID, is_replaced=False)
Facts = TypeVar("Facts")
ANNOTATED = ("my_board", "my_work", "my_runs", "my_fault")


@dataclass(frozen=True)
class MemberFacts:
    """A member's roles in a campaign, and how far their own work is."""

    campaign: Campaign
    roles: frozenset[str]
    has_topics: bool
    is_pool_frozen: bool
    team: Team | None = None  # whose runs the person submits
    n_scored: int = 0  # runs of the person's team whose scores are released to it
    scope: Mapping[str, Any] = field(default_factory=dict)  # of the board that the team sees
    n_assigned: int = 0  # documents, with those of shared topics that others may judge
    n_own_left: int = 0  # those of them that only this person can judge
    n_judged: int = 0
    n_cannot_judge: int = 0
    n_valid: int = 0  # runs of the person's team, of the current round
    n_invalid: int = 0
    fault_run: int = 0  # the newest of them, its tag, and how many errors it has
    fault_tag: str = ""
    fault_errors: int = 0


def member_facts(user: User, campaigns: QuerySet[Campaign]) -> list[MemberFacts]:
    """Return the facts of one member in each of these campaigns."""
    roles = Membership.objects.filter(OF_CAMPAIGN, user=user)
    runs = Run.objects.filter(team__membership__user=user)
    boards = Evaluation.objects.released_to_teams()
    scored = runs.filter(score__evaluation__in=boards.order_by().values("pk"))
    teams = {team.campaign_id: team for team in Team.objects.filter(membership__user=user)}
    annotated = campaigns.annotate(
        my_roles=ArraySubquery(roles.values("role")),
        my_work=_sums(
            Assignment.objects.counting().live().filter(assessor=user),
            n_assigned=Coalesce(Sum(SERVED.judged + SERVED.cannot_judge + SERVED.left), 0),
            n_own_left=Coalesce(Sum(SERVED.open, filter=~Q(kind=SHARED)), 0),
            n_judged=Sum(SERVED.judged),
            n_cannot_judge=Sum(SERVED.cannot_judge),
        ),
        my_runs=_run_counts(runs.filter(OF_ROUND)),
        my_fault=_first(
            runs.with_successors().filter(OPEN_FAULT, OF_ROUND).order_by("-pk"),
            fault_run="pk",
            fault_tag="tag",
            fault_errors="report__n_errors",
        ),
        my_scored=_count(scored, distinct="pk"),
        my_board=_first(boards, scope="scope"),
        has_topics=Exists(Topic.objects.filter(OF_CAMPAIGN)),
        is_pool_frozen=Exists(Run.objects.filter(OF_ROUND, is_pooled=True)),
    )
    return [
        MemberFacts(
            campaign,
            frozenset(campaign.my_roles),
            campaign.has_topics,
            campaign.is_pool_frozen,
            teams.get(campaign.pk),
            campaign.my_scored,
            **{
                name: n
                for part in ANNOTATED
                for name, n in (getattr(campaign, part) or {}).items()
                if n
            },
        )
        for campaign in annotated
    ]


def campaign_facts(campaign_ids: Iterable[int], *, exact: bool = True) -> dict[int, CampaignFacts]:
    """Return the facts of campaigns by id; unless `exact`, 1 is any number of documents."""
    # What is released is asked as of now.
    rows = _stages(exact=exact).filter(pk__in=campaign_ids).annotate(board=_board())
    return {row["pk"]: _facts_of(row) for row in rows}


@cache
def _stages(*, exact: bool) -> QuerySet[Campaign, Any]:
    """Return the query of all campaigns, which Django takes longer to build than to make."""
    return Campaign.objects.values(
        "pk",
        is_over=Q(submission_closes_at__lte=Now()),
        texts=_texts(_count if exact else _any),
        runs=_run_counts(Run.objects.all()),
        pool_now=_pool(),
        primary=_primary(),
        shared=_shared(),
        newest=_newest_qrels(),
        drafted=_newest_scored(),
        earlier=_on_earlier(),
        n_failed_jobs=_count(failed_jobs()),
    )


def _facts_of(row: Mapping[str, Any]) -> CampaignFacts:
    return CampaignFacts(
        _read(TextFacts, row["texts"]),
        replace(_read(SubmissionFacts, row["runs"]), is_over=bool(row["is_over"])),
        _read(PoolFacts, row["pool_now"]),
        JudgingFacts(**(Counter(row["primary"]) + Counter(row["shared"]))),
        _read(QrelsFacts, row["newest"]),
        _read(BoardFacts, row["board"]),
        row["drafted"] or 0,
        row["n_failed_jobs"],
        tuple(row["earlier"]),
    )


def _read(kind: type[Facts], found: Mapping[str, Any] | None) -> Facts:
    """Return what a query found, with what there is without any for the rest."""
    return kind(**{name: each for name, each in (found or {}).items() if each is not None})


# A query for each stage.
def _texts(number: Callable[..., Any]) -> JSONObject:
    of_pool_or_drafts = Batch.objects.filter(Q(pool__isnull=False) | Q(campaign__pool=None))
    grouped = of_pool_or_drafts.filter(OF_CAMPAIGN).order_by().values("campaign")
    return JSONObject(
        n_topics=_count(Topic.objects.all()),
        n_unpooled=_count(unpooled_topics()),
        n_documents=number(Document.objects.all()),
        n_missing=Subquery(grouped.values(_=Sum("n_missing"))),
    )


def _pool() -> Subquery:
    """Return the pool, which the batch frozen last has made, or else the newest draft."""
    newest_first = Batch.objects.order_by(F("version").desc(nulls_last=True), "-pk").annotate(
        n=Coalesce("pool__n_entries", "n_entries"), n_batches=Coalesce("pool__version", 1)
    )
    names = {each: each for each in ("state", "strategy", "parameters", "n_batches")}
    return _first(newest_first, n_entries="n", **names)


def _primary() -> Subquery:
    return _sums(
        Assignment.objects.primary(),
        n_assigned=Coalesce(Sum(DECIDED + COUNTING.left, filter=PROVIDED_FOR), 0),
        n_judged=Sum("n_judged"),
        n_cannot_judge=Sum("n_cannot_judge"),
    )


def _shared() -> Subquery:
    return _sums(
        SharedDocument.objects.all(),
        "queue__topic__campaign",
        n_shared=Count("pk"),
        n_assigned=Count("pk"),
        n_judged=SUMS["graded"],
        n_cannot_judge=SUMS["impossible"],
    )


def _newest_qrels() -> Subquery:
    return _first(
        Qrels.objects.standing().own_first(),
        number="number",
        pool="pool",
        n_official="n_judgments",
        n_unjudged="n_unjudged",
        n_impossible="n_cannot_judge",
    )


def _finished() -> EvaluationQuerySet:
    return Evaluation.objects.filter(finished_at__isnull=False)


def _board() -> Subquery:
    valid = Count("scores", filter=Q(scores__run__state=Run.State.VALID))
    alike = Run.objects.valid().filter(campaign=OuterRef("campaign"), round=OuterRef("of_round"))
    n_alike = alike.order_by().values("campaign").values(_=Count("*"))
    return _first(
        _finished()
        .by_weight()
        .annotate(n=Count("scores"), n_valid=valid, n_alike=Coalesce(Subquery(n_alike), 0)),
        scope="scope",
        n_scored="n",
        n_scored_valid="n_valid",
        n_valid_of_round="n_alike",
        is_withdrawn="is_withdrawn",
        is_preliminary="is_preliminary",
        is_released="is_in_force",
        is_public="is_public",
        is_planned="is_released",
    )


def _newest_scored() -> Subquery:
    whole = _finished().filter(OF_CAMPAIGN, qrels__withdrawn_at=None)
    whole = whole.exclude(scope__has_any_keys=["without", "chosen"])
    drafts = whole.annotate(kind=by_kind("qrels__")).order_by("kind", "-qrels__number")
    return Subquery(drafts.values("qrels__number")[:1])


def _on_earlier() -> JSONArray:
    """Count the judgments, known grades and practice grades of replaced texts."""
    return JSONArray(
        _count(Judgment.objects.counting().on_earlier(), "topic__campaign"),
        _count(KnownGrade.objects.controls().on_earlier(), "item__campaign"),
        _count(KnownGrade.objects.to_practice_again(), "item__campaign"),
    )


def unpooled_topics() -> QuerySet[Topic]:
    """Return the topics of campaigns with a frozen pool that are not in it."""
    entries = PoolEntry.objects.filter(topic=OuterRef("pk"), batch__pool__isnull=False)
    return Topic.objects.filter(~Exists(entries), campaign__pool__isnull=False)


def failed_jobs() -> JobQuerySet:
    """Return the failed jobs that can be tried again: not those of a discarded import."""
    discarded = Import.objects.filter(state=Import.State.DISCARDED).values("pk")
    failed = Job.objects.filter(state=Job.State.FAILED).listed()
    return failed.exclude(kind__in=IMPORT_KINDS, subject_id__in=discarded)


def _first(rows: QuerySet[Any], **columns: str) -> Subquery:
    """Return columns of a campaign's first row, as one JSON object."""
    return Subquery(rows.filter(OF_CAMPAIGN).values(_=JSONObject(**columns))[:1])


# Counts are subqueries: several joins would multiply each other's rows.
def _count(rows: QuerySet[Any], campaign: str = "campaign", *, distinct: str = "") -> Coalesce:
    grouped = rows.filter(**{campaign: OuterRef("pk")}).order_by().values(campaign)
    counted = Count(distinct or "*", distinct=bool(distinct))
    return Coalesce(Subquery(grouped.values(_=counted)), 0)


def _any(rows: QuerySet[Any], campaign: str = "campaign", *, distinct: str = "") -> Exists:
    return Exists(rows.filter(**{campaign: OuterRef("pk")}))


def _sums(rows: QuerySet[Any], campaign: str = "topic__campaign", **sums: Any) -> Subquery:
    """Return sums over a campaign's rows, as one JSON object; `campaign` is the path to it."""
    of_campaign = rows.filter(**{campaign: OuterRef("pk")}).order_by()
    grouped = of_campaign.values(campaign)
    return Subquery(grouped.values(_=JSONObject(**sums)))


def _run_counts(runs: RunQuerySet) -> Subquery:
    """Count valid runs, and invalid ones that were not replaced."""
    grouped = runs.filter(OF_CAMPAIGN).with_successors().order_by().values("campaign")
    valid = Count("pk", filter=Q(state=Run.State.VALID))
    invalid = Count("pk", filter=OPEN_FAULT)
    return Subquery(grouped.values(_=JSONObject(n_valid=valid, n_invalid=invalid)))
