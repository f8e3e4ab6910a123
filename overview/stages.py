"""Where a campaign stands, stage by stage, and what a person does next in it."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.urls import reverse

from accounts.access import can
from accounts.models import User
from assess.models import Assignment, Qrels
from campaigns.access import check_can_submit, roles
from campaigns.models import Campaign, Document, Role, Run
from evaluation.access import check_can_see_scores
from evaluation.models import Evaluation
from pooling.models import Pool

EMPTY, PROGRESS, DONE, ATTENTION = "empty", "in progress", "done", "attention"


@dataclass(frozen=True)
class Stage:
    """One link of the chain: `count` is what is there, `state` one of empty, in progress, done, attention."""

    name: str
    view: str
    count: int
    detail: str
    state: str
    next_step: str
    is_next: bool = False

    @property
    def going_on(self) -> str:
        """What to say of a stage that has begun and is not done."""
        return f"{self.name.capitalize()}: {self.count:,} {self.detail}".strip()


@dataclass(frozen=True)
class Step:
    """The next thing to do, in one role."""

    role: str
    sentence: str
    url: str
    is_urgent: bool = True


def stages(campaign: Campaign) -> list[Stage]:
    """Return the seven stages of a campaign; the first one that is not done is marked as next."""
    pool = Pool.objects.current_of(campaign)
    made = [
        _topics(campaign),
        _documents(campaign, pool),
        _runs(campaign, pool),
        _pool(pool),
        _judgments(campaign),
        _qrels(campaign),
        _leaderboard(campaign),
    ]
    first = next((stage for stage in made if stage.state != DONE), None)
    return [Stage(**{**vars(stage), "is_next": stage is first}) for stage in made]


def _topics(campaign: Campaign) -> Stage:
    count = campaign.topic_set.count()
    return Stage(
        "topics",
        "campaigns:topics",
        count,
        "",
        DONE if count else EMPTY,
        "Import the topics.",
    )


def _documents(campaign: Campaign, pool: Pool | None) -> Stage:
    count = Document.objects.filter(campaign=campaign).count()
    missing = pool.entries.without_document().count() if pool else 0
    state = ATTENTION if missing else DONE if count else EMPTY
    detail = f"{missing:,} pooled ones missing" if missing else ""
    return Stage(
        "documents",
        "campaigns:documents",
        count,
        detail,
        state,
        "Import the documents, or those the pool needs.",
    )


def _runs(campaign: Campaign, pool: Pool | None) -> Stage:
    runs = Run.objects.filter(campaign=campaign)
    valid, bad = runs.valid().count(), runs.filter(state=Run.State.INVALID).count()
    state = (
        DONE
        if pool and pool.state == Pool.State.FROZEN
        else PROGRESS
        if valid
        else EMPTY
    )
    return Stage(
        "runs",
        "campaigns:runs",
        valid,
        f"{bad} invalid" if bad else "",
        state,
        "Invite participants; they upload runs.",
    )


def _pool(pool: Pool | None) -> Stage:
    step = "Choose runs and depth, and freeze the pool."
    if pool is None:
        return Stage("pool", "pooling:pool", 0, "", EMPTY, step)
    state = DONE if pool.state == Pool.State.FROZEN else PROGRESS
    return Stage(
        "pool",
        "pooling:pool",
        pool.n_entries,
        f"depth {pool.depth}, {pool.state}",
        state,
        step,
    )


def _judgments(campaign: Campaign) -> Stage:
    primary = Assignment.objects.filter(
        topic__campaign=campaign, kind=Assignment.Kind.PRIMARY
    )
    sums = primary.aggregate(
        n=Sum("n_entries"), judged=Sum("n_judged"), cannot=Sum("n_cannot_judge")
    )
    total, judged, cannot = (sums[name] or 0 for name in ("n", "judged", "cannot"))
    state = EMPTY if not total else DONE if judged + cannot == total else PROGRESS
    detail = f"of {total:,} given" if total else ""
    return Stage(
        "judgments",
        "assess:judging",
        judged,
        detail,
        state,
        "Assign the topics to assessors.",
    )


def _qrels(campaign: Campaign) -> Stage:
    newest = Qrels.objects.filter(campaign=campaign).first()
    detail = f"{newest.n_judgments:,} judgments" if newest else ""
    step = "Publish a version of the qrels."
    return Stage(
        "qrels",
        "assess:qrels",
        newest.number if newest else 0,
        detail,
        DONE if newest else EMPTY,
        step,
    )


def _leaderboard(campaign: Campaign) -> Stage:
    evaluation = Evaluation.objects.latest_of(campaign)
    count = evaluation.scores.count() if evaluation else 0
    detail = f"by {evaluation.qrels}" if evaluation else ""
    return Stage(
        "leaderboard",
        "evaluation:leaderboard",
        count,
        detail,
        DONE if evaluation else EMPTY,
        "Score the runs.",
    )


def next_steps(user: User, campaign: Campaign) -> list[Step]:
    """Return, for each role of the person, the one next thing to do."""
    makers = {
        Role.ORGANIZER: _organizer,
        Role.ASSESSOR: _assessor,
        Role.PARTICIPANT: _participant,
    }
    mine = roles(user, campaign)
    return [make(user, campaign) for role, make in makers.items() if role in mine]


def _organizer(_: User, campaign: Campaign) -> Step:
    stage = next((stage for stage in stages(campaign) if stage.is_next), None)
    if stage is None:
        return Step(
            "organizer",
            "Everything is done: the leaderboard stands.",
            _url("evaluation:leaderboard", campaign),
            is_urgent=False,
        )
    sentence = stage.next_step if stage.state == EMPTY else stage.going_on
    return Step("organizer", sentence, _url(stage.view, campaign))


def _assessor(user: User, campaign: Campaign) -> Step:
    mine = Assignment.objects.filter(assessor=user, topic__campaign=campaign)
    sums = mine.aggregate(
        n=Sum("n_entries"),
        judged=Sum("n_judged"),
        cannot=Sum("n_cannot_judge"),
        topics=Count("pk"),
    )
    left = (sums["n"] or 0) - (sums["judged"] or 0) - (sums["cannot"] or 0)
    if not sums["topics"]:
        return Step(
            "assessor",
            "No topic has been given to you yet.",
            _url("assess:judging", campaign),
            is_urgent=False,
        )
    if not left:
        return Step(
            "assessor",
            "All your documents are judged. Thank you.",
            _url("assess:judging", campaign),
            is_urgent=False,
        )
    return Step(
        "assessor",
        f"{left:,} documents wait for your judgment.",
        _url("assess:judging", campaign),
    )


def _participant(user: User, campaign: Campaign) -> Step:
    runs = Run.objects.filter(campaign=campaign, team__membership__user=user)
    counts = runs.aggregate(
        valid=Count("pk", filter=Q(state="valid")),
        invalid=Count("pk", filter=Q(state="invalid")),
    )
    if Evaluation.objects.latest_of(campaign) and can(
        check_can_see_scores, user, campaign
    ):
        return Step(
            "participant",
            "The scores of your runs are out.",
            _url("evaluation:leaderboard", campaign),
        )
    if counts["invalid"] and not counts["valid"]:
        return Step(
            "participant",
            "A run was found invalid: read why, and upload it again.",
            _url("campaigns:runs", campaign),
        )
    if can(check_can_submit, user, campaign):
        return Step(
            "participant",
            f"Upload a run. Your team has {counts['valid']} valid.",
            _url("campaigns:runs", campaign),
        )
    return Step(
        "participant",
        f"Your team has {counts['valid']} valid runs.",
        _url("campaigns:runs", campaign),
        is_urgent=False,
    )


def _url(view: str, campaign: Campaign) -> str:
    return reverse(view, args=[campaign.slug])
