"""Forms of the pool's pages."""

from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from django.db.models import F
from django.utils import timezone

from campaigns.core.spans import read_numbers, spans
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.models.people import Role, Team
from campaigns.models.rounds import topics_in
from pooling.core.strategy.depths import DEPTH
from pooling.core.strategy.sampling import SAMPLE
from pooling.core.strategy.table import STRATEGIES
from pooling.from_above import existing_judgments
from pooling.models.batches import Batch
from pooling.web.parameter_fields import field_of
from runs.models import Run
from trec.ranking import DEFAULT_RULES, ORDER_RULES

HOURS_A_WEEK = 6
USUAL = {"strategy": DEPTH.name, "order_rule": DEFAULT_RULES}
KEPT = ("strategy", "order_rule", "topics", "second_percent", "existing_sha256", "joins_duplicates")


class TeamChoice(NamedTuple):
    team: Team
    alone: str  # how many documents its runs alone would add: "(35)"


class RunChoice(NamedTuple):
    run: Run
    is_chosen: bool
    alone: str
    is_new: bool  # uploaded after the newest batch was requested


class BatchForm(forms.Form):
    """The choice of a batch, and who would judge it."""

    runs = forms.ModelMultipleChoiceField(
        queryset=Run.objects.none(),
        label="contributing runs",
        error_messages={"required": "Choose at least one run."},
    )
    strategy = forms.ChoiceField(initial=DEPTH.name)
    order_rule = forms.ChoiceField(
        choices=[*ORDER_RULES.items()],
        initial=DEFAULT_RULES,
        help_text="In which order runs are read.",
    )
    topics = forms.CharField(
        required=False,
        max_length=100_000,
        help_text="Numbers or spans such as 31-35, with blanks between; empty for all topics.",
    )
    existing_sha256 = forms.ChoiceField(
        label="existing judgments",
        required=False,
        help_text="They count as judged: the batch has only what they lack. What the pool has "
        "already is judged all the same.",
    )
    joins_duplicates = forms.BooleanField(
        label="one judgment serves exact duplicates",
        required=False,
        help_text="Of documents with the same text one is judged; the others get its grade.",
    )
    second_percent = forms.IntegerField(
        label="percent judged twice",
        min_value=0,
        max_value=100,
        initial=25,
        required=False,
        help_text="The share you plan to have judged by a second assessor. Counts in the hours.",
    )
    n_assessors = forms.IntegerField(
        label="assessors",
        min_value=1,
        max_value=1000,
        required=False,
        help_text="How many people judge.",
    )
    hours_a_week = forms.IntegerField(
        min_value=1,
        max_value=80,
        initial=HOURS_A_WEEK,
        required=False,
        help_text="Hours each of them judges per week; gives the finish date.",
    )

    def __init__(
        self, *arguments: Any, campaign: Campaign, current: Batch | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign
        # What each run and team would add that no other has, by their ids, once it is counted.
        self.alone: dict[int, int] = {}
        self.alone_by_team: dict[int, int] = {}
        valid = Run.objects.filter(campaign=campaign).valid().select_related("team")
        self.valid_runs = list(
            valid.defer("report").order_by(
                natural("team__name"), "team_id", F("priority").asc(nulls_last=True), natural("tag")
            )
        )
        self.fields["runs"].queryset = valid  # type: ignore[attr-defined]
        self._offer_strategies(current)
        assessors = campaign.membership_set.filter(role=Role.ASSESSOR)
        self.initial = {
            "n_assessors": assessors.count() or 1,
            **self._start(current),
            **self.initial,
        }
        self.current = current

    def _offer_strategies(self, current: Batch | None) -> None:
        """Offer the strategies, and the parameters of the chosen one."""
        choice = self.fields["strategy"]
        choice.choices = [(name, each.title) for name, each in STRATEGIES.items()]  # type: ignore[attr-defined]
        before = current.strategy if current else DEPTH.name
        name = self.data.get("strategy") or self.initial.get("strategy") or before
        self.chosen_strategy = STRATEGIES.get(name, DEPTH)
        if self.is_bound:  # its page may have had the parameters of another strategy
            self.data = self.data.copy()  # type: ignore[attr-defined]
            usual = {each.name: each.usual for each in self.chosen_strategy.parameters}
            for name, value in (usual | USUAL).items():
                self.data.setdefault(name, str(value))  # type: ignore[attr-defined]
        self.fields |= {each.name: field_of(each) for each in self.chosen_strategy.parameters}
        self.fields["runs"].required = self.chosen_strategy.reads_runs
        self._offer_what_counts()

    def _offer_what_counts(self) -> None:
        """Offer existing judgments if there are some; a sample is judged document by document."""
        existing = existing_judgments(self.campaign)
        named = [(sha256, each.name) for sha256, each in existing.items()]
        self.fields["existing_sha256"].choices = [("", "none"), *named]  # type: ignore[attr-defined]
        is_sample = self.chosen_strategy is SAMPLE
        if is_sample or not existing:
            del self.fields["existing_sha256"]
        if is_sample:
            del self.fields["joins_duplicates"]

    def _start(self, current: Batch | None) -> dict[str, Any]:
        """Return the choice of the newest batch, or all runs if there is none.

        In a campaign of several rounds runs and topics are those of the current round.
        """
        keys = [run.pk for run in self.valid_runs]
        number, of_round = self.campaign.round, dict[str, Any]()
        if self.campaign.has_rounds:
            of_round = {
                "runs": [run.pk for run in self.valid_runs if run.round == number],
                "topics": self._topics_of_round(),
            }
        if current is None:
            return {"runs": keys, **of_round}
        pooled = set(current.contributors.values_list("run", flat=True))
        return {
            "runs": [key for key in keys if key in pooled],
            "strategy": current.strategy,
            "order_rule": current.order_rule,
            **{
                each.name: each.written(current.parameters[each.name])
                for each in self.chosen_strategy.parameters
                if each.name in current.parameters
            },
            "second_percent": current.second_percent,
            "joins_duplicates": current.joins_duplicates,
            **of_round,
        }

    def _topics_of_round(self) -> str:
        return spans(topics_in(self.campaign, self.campaign.round))

    def clean_second_percent(self) -> int:
        return self.cleaned_data["second_percent"] or 0

    def clean_topics(self) -> list[str]:
        try:
            return self._named(self.cleaned_data["topics"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def _named(self, text: str) -> list[str]:
        known = list(self.campaign.topic_set.values_list("number", flat=True))
        return read_numbers(text, known)

    def clean_n_assessors(self) -> int:
        n_assessors: int = self.cleaned_data["n_assessors"] or self.initial["n_assessors"]
        return n_assessors

    def clean_hours_a_week(self) -> int:
        return self.cleaned_data["hours_a_week"] or HOURS_A_WEEK

    def of_strategy(self) -> list[forms.BoundField]:
        """Return the fields of the strategy's parameters."""
        return [self[each.name] for each in self.chosen_strategy.parameters]

    def of_what_counts(self) -> list[forms.BoundField]:
        names = ("existing_sha256", "joins_duplicates")
        return [self[name] for name in names if name in self.fields]

    def choice(self) -> dict[str, Any]:
        """Return what was chosen, by the names that `request_batch` has for it."""
        values = self.cleaned_data
        parameters = {each.name: values[each.name] for each in self.chosen_strategy.parameters}
        same = {name: values[name] for name in KEPT if name in values}
        return {**same, "runs": list(values["runs"]), "parameters": parameters}

    def chosen(self) -> dict[str, Any] | None:
        """Return the choice as sent, or the initial one; None if it is not valid."""
        if self.is_bound:
            return self.cleaned_data if self.is_valid() else None
        values = {
            name: self.get_initial_for_field(each, name) for name, each in self.fields.items()
        }
        values["runs"] = [run for run in self.valid_runs if run.pk in set(values["runs"])]
        values["topics"] = self._named(values["topics"] or "")
        if not self.chosen_strategy.reads_runs:
            return None
        for each in self.chosen_strategy.parameters:
            values[each.name] = each.read(str(values[each.name]))
        return values if values["runs"] else None

    def by_team(self) -> list[tuple[TeamChoice, list[RunChoice]]]:
        chosen = {str(key) for key in self["runs"].value() or []}
        since = self.current.created_at if self.current else timezone.now()

        def choice(run: Run) -> RunChoice:
            alone = _in_brackets(self.alone.get(run.pk))
            return RunChoice(run, str(run.pk) in chosen, alone, run.submitted_at > since)

        return [
            (TeamChoice(team, _in_brackets(self.alone_by_team.get(team.pk))), [*map(choice, runs)])
            for team, runs in groupby(self.valid_runs, key=lambda run: run.team)
        ]


def _in_brackets(n: int | None) -> str:
    return "" if n is None else f"({n:,})"
