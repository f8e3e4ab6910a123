"""Runs as submitted, and the outcome of their check."""

from collections.abc import Sequence
from typing import Any, Self

from django.db import models
from django.db.models import Count, Exists, F, Func, OuterRef, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated
from campaigns.models.ordering import natural
from campaigns.models.people import Membership, Role, Team
from campaigns.models.releases import Release
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.runs.stored import open_columns
from jobs.models import StateQuerySet
from jobs.storage import local_path
from runs.core.efficiency import EFFICIENCY, FIGURES, faults
from runs.core.lifecycle import OUT, RUN_TRANSITIONS

# What a team says of a run, and says no more where it sends another under the same tag.
SAID = ("description", "is_manual", "priority", *EFFICIENCY)
STATED: dict[str, Any] = {"null": True, "blank": True}
MARKS = {  # besides the state
    "pooled": Q(is_pooled=True),
    "late": Q(is_late=True),
    "warned": Q(report__warnings__0__isnull=False),
}


class RunQuerySet(StateQuerySet["Run"]):
    transitions = RUN_TRANSITIONS

    def with_tag(self, campaign: Campaign, tag: str) -> Self:
        """Return the campaign's runs with a tag; capitals make no difference, as on many disks."""
        return self.filter(campaign=campaign, tag__iexact=tag)

    def of_round(self, campaign: Campaign, number: int | None) -> Self:
        """Return the campaign's runs of a round; None for all rounds."""
        runs = self.filter(campaign=campaign)
        return runs if number is None else runs.filter(round=number)

    def valid(self) -> Self:
        return self.filter(state=Run.State.VALID)

    def at_risk(self) -> Self:
        """Return the valid runs that a new check can make invalid: a pooled run stays valid."""
        unpooled = self.valid().filter(is_pooled=False)
        return unpooled.select_related("team").order_by(natural("tag"), "tag")

    def too_deep_for(self, depth: int) -> Self:
        """Return the valid runs that a check refuses at this depth."""
        return self.at_risk().filter(report__n_most__gt=depth)

    def with_successors(self) -> Self:
        """Annotate `is_replaced`: whether the team has since uploaded another under its tag."""
        later = Run.objects.filter(team=OuterRef("team"), pk__gt=OuterRef("pk"))
        return self.annotate(is_replaced=Exists(later.filter(tag__iexact=OuterRef("tag"))))

    def replaceable(self) -> Self:
        """Return the last run of each tag, where its team may use the tag again."""
        last = self.with_successors().filter(is_replaced=False)
        return last.exclude(pk__in=self.live().values("pk"))

    def settled(self) -> Self:
        """Return the runs that have been checked, and are neither withdrawn nor disqualified."""
        return self.filter(state__in=[Run.State.VALID, Run.State.INVALID])

    def live(self) -> Self:
        """Return the runs whose tag no other may have."""
        return self.exclude(
            is_pooled=False,
            is_scored=False,
            state__in=[Run.State.INVALID, Run.State.UNCHECKED, *OUT],
        )

    def has_frozen_pool(self, campaign: Campaign, number: int) -> bool:
        """Whether a frozen batch has a run of this round."""
        return self.of_round(campaign, number).filter(is_pooled=True).exists()

    def with_words(self, q: str) -> Self:
        return self.filter(Q(tag__icontains=q) | Q(team__name__icontains=q))

    def tallies(self) -> dict[str, int]:
        """Count all runs (`n`), their teams (`n_teams`), and the runs in each state and mark."""
        kinds = {state: Q(state=state) for state in Run.State.values} | MARKS
        counts = {name: Count("pk", filter=kind) for name, kind in kinds.items()}
        of_teams = Count("team", distinct=True, filter=Q(team__is_baseline=False))
        return self.order_by().aggregate(n=Count("pk"), n_teams=of_teams, **counts)

    def with_efficiency(self) -> Self:
        """Return the runs of which the team has stated a figure."""
        return self.exclude(**{each.name: None for each in FIGURES})

    def matching(self, q: str = "", show: str = "", of_round: int | None = None) -> Self:
        """Return the runs that match, with counts of their reports; `show` is a state or mark."""
        runs = self.with_words(q)
        if of_round:
            runs = runs.filter(round=of_round)
        if show:
            runs = runs.filter(MARKS.get(show, Q(state=show)))
        counts = {name: F(f"report__{name}") for name in ("n_lines", "n_topics", "n_errors")}
        warnings, integer = F("report__warnings"), models.IntegerField()
        n_warnings = Func(warnings, function="jsonb_array_length", output_field=integer)
        return runs.annotate(n_warnings=n_warnings, **counts)

    def for_list(self) -> Self:
        """Return them as a page lists them: of a report, which may be long, only its counts."""
        return self.with_successors().defer("report", "description")

    def visible_to(self, user: User, campaign: Campaign) -> Self:
        """Return all runs for an organizer, those of their team for a participant."""
        runs = self.filter(campaign=campaign).select_related("team", "submitted_by")
        memberships = Membership.objects.filter(campaign=campaign, user=user)
        if memberships.filter(role=Role.ORGANIZER).exists():
            return runs
        return runs.filter(team__membership__in=memberships)


def run_path(run: "Run", _: str) -> str:
    return f"runs/{run.campaign_id}/{get_random_string(12)}/{run.tag}"


class Efficiency(models.Model):
    """What a run costs, as its team states it; None where it says nothing."""

    latency_mean_ms = models.FloatField("mean latency (ms)", **STATED)
    latency_p50_ms = models.FloatField("50th percentile (ms)", **STATED)
    latency_p95_ms = models.FloatField("95th percentile (ms)", **STATED)
    latency_p99_ms = models.FloatField("99th percentile (ms)", **STATED)
    queries_per_second = models.FloatField("throughput (queries/s)", **STATED)
    index_seconds = models.FloatField("index time (seconds)", **STATED)
    index_bytes = models.BigIntegerField("index size (bytes)", **STATED)
    hardware = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True


class Run(Efficiency):
    """One system's rankings of all topics: the uploaded file, its report, its columnar form."""

    class State(models.TextChoices):
        WAITING = "waiting"
        CHECKING = "checking"
        VALID = "valid"
        INVALID = "invalid"
        UNCHECKED = "unchecked"
        WITHDRAWN = "withdrawn"
        DISQUALIFIED = "disqualified"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    team = models.ForeignKey(Team, on_delete=models.PROTECT)
    submitted_by = models.ForeignKey(User, on_delete=models.PROTECT)
    submitted_at = models.DateTimeField(default=timezone.now)
    tag = models.CharField("run tag", max_length=20, db_collation="C")
    description = models.TextField(blank=True)
    is_manual = models.BooleanField(
        null=True, blank=True, help_text="Whether a person intervened; none where nobody stated it."
    )
    priority = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="The team's wish: 1 is the run that it most wants in the pool.",
    )
    round = models.PositiveSmallIntegerField(
        default=1, help_text="Of the campaign; the one that was current when it was taken."
    )
    is_late = models.BooleanField(default=False, help_text="Taken after the deadline of its round.")
    is_pooled = models.BooleanField(
        default=False, help_text="In the frozen pool, which names it by its tag."
    )
    is_scored = models.BooleanField(
        default=False, help_text="On a leaderboard, which names it by its tag."
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    out_at = models.DateTimeField("withdrawn or disqualified at", null=True, blank=True)
    out_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    out_reason = models.TextField("why", blank=True)
    file = models.FileField(upload_to=run_path, max_length=200)
    file_name = models.CharField(max_length=255)
    n_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, blank=True)
    columns = models.FileField(upload_to=run_path, max_length=200, blank=True)
    report = models.JSONField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    releases = models.ManyToManyField(Release, related_name="runs", help_text="That name it.")

    # Of one that is told to somebody who has just sent its file once more.
    was_there = False

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            # The tag of a run that is none of these may be used again.
            models.UniqueConstraint(
                "campaign",
                Lower("tag"),
                condition=Q(is_pooled=True)
                | Q(is_scored=True)
                | ~Q(state__in=["invalid", "unchecked", *OUT]),
                name="one_live_run_per_tag",
            )
        ]

    def __str__(self) -> str:
        return self.tag

    @property
    def stated(self) -> list[tuple[str, str]]:
        """The figures of its efficiency that the team has stated, in words."""
        known = [
            (each.words, f"{each.text(value)} {each.unit}")
            for each in FIGURES
            if (value := each.of(self)) is not None
        ]
        return [*known, ("Hardware", self.hardware)] if self.hardware else known

    def keep_said(self) -> None:
        """Fill what was not said of the run from the run that it replaces, if any."""
        earlier = Run.objects.with_tag(self.campaign, self.tag).filter(team=self.team)
        if self.pk:
            earlier = earlier.filter(pk__lt=self.pk)
        replaced = earlier.order_by("pk").last()
        if replaced is None:
            return
        own = {name: getattr(self, name) for name in SAID}
        said = {
            name: getattr(replaced, name) if value in {None, ""} else value
            for name, value in own.items()
        }
        if faults(said):  # new figures do not go with the old ones
            said |= {name: getattr(self, name) for name in EFFICIENCY}
        for name, value in said.items():
            setattr(self, name, value)

    @property
    def said(self) -> str:
        """What its team has said of it, in words: "description, manual, priority 2"."""
        parts = {
            "description": self.description,
            "manual": self.is_manual,
            "automatic": self.is_manual is False,
            f"priority {self.priority}": self.priority,
            "efficiency": self.stated,
        }
        return ", ".join(words for words, is_said in parts.items() if is_said)

    def ranked(self) -> RankedRun:
        """Open the stored rankings, memory-mapped."""
        return open_columns(local_path(self.columns))

    @property
    def is_out(self) -> bool:
        return self.state in OUT

    @property
    def is_settled(self) -> bool:
        """Whether it has been checked and is not out."""
        return self.state in {self.State.VALID, self.State.INVALID}

    @property
    def is_named(self) -> bool:
        """Whether the frozen pool or a board names it, so that team and tag are final."""
        return self.is_pooled or self.is_scored

    @property
    def is_baseline(self) -> bool:
        return self.team.is_baseline

    @property
    def why_out(self) -> str:
        """When and why the run is out: "disqualified on 3 May 2026: trained on the qrels", or "".

        For the organizers and its own team; others see the state alone.
        """
        if not self.is_out:
            return ""
        day = dated(self.out_at, self.campaign.zone, "j F Y")
        reason = f": {self.out_reason}" if self.out_reason else ""
        return f"{self.state}{day and f' on {day}'}{reason}"


def open_runs(runs: Sequence[Run]) -> dict[str, RankedRun]:
    """Return the stored rankings by run tag, memory-mapped."""
    return {run.tag: run.ranked() for run in runs}
