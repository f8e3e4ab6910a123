"""Forms of the page that forms a batch of the pool."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import forms
from django.db.models import F
from django.utils.text import capfirst

from campaigns.core.spans import read_numbers, spans
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.models.people import Role, Team
from campaigns.models.rounds import topics_in
from cleverdon.pools.strategy.depths import DEPTH
from cleverdon.pools.strategy.sampling import SAMPLE
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.ranking import DEFAULT_RULES, ORDER_RULES
from pooling.core.statistics import SECOND_PERCENT
from pooling.from_above import existing_judgments
from pooling.models.batches import Batch
from pooling.models.pools import Pool
from pooling.web.parameter_fields import RecipeForm
from runs.models import Run

HOURS_A_WEEK = 6
FEW_RUNS = 24  # all stand open
USUAL = {"strategy": DEPTH.name, "order_rule": DEFAULT_RULES}
KEPT = ("strategy", "parameters", "order_rule", "topics", "existing_sha256", "joins_duplicates")


@dataclass(frozen=True)
class TeamChoice:
    team: Team
    runs: list[tuple[Run, bool]]  # each with whether it is chosen
    is_open: bool
    brings: str  # how many new documents its runs have: "+35"

    @property
    def n_chosen(self) -> int:
        return sum(is_chosen for _, is_chosen in self.runs)


class StaffForm(forms.Form):
    """Who would judge, and how fast: for a forecast, and kept nowhere."""

    seconds = forms.IntegerField(min_value=1, max_value=36_000)
    second_percent = forms.IntegerField(
        label="twice, %", min_value=0, max_value=100, initial=SECOND_PERCENT
    )
    n_assessors = forms.IntegerField(label="people", min_value=1, max_value=1000)
    hours_a_week = forms.IntegerField(
        label="hours a week", min_value=1, max_value=80, initial=HOURS_A_WEEK
    )

    def __init__(self, sent: Mapping[str, Any] | None, *, campaign: Campaign) -> None:
        n_assessors = campaign.membership_set.filter(role=Role.ASSESSOR).count()
        here = {"seconds": campaign.seconds_per_judgment, "n_assessors": n_assessors or 1}
        usual = {name: each.initial for name, each in self.base_fields.items()} | here
        super().__init__(usual | dict(sent.items()) if sent else usual)


class BatchForm(forms.Form):
    """The choice of a batch: a recipe, runs, and what counts."""

    runs = forms.ModelMultipleChoiceField(
        queryset=Run.objects.none(),
        label="contributing runs",
        error_messages={"required": "Choose at least one run."},
    )
    strategy = forms.ChoiceField(initial=DEPTH.name)
    topics = forms.CharField(
        required=False,
        max_length=100_000,
        help_text="Numbers or spans such as 31-35, with blanks between; empty for all.",
    )
    existing_sha256 = forms.ChoiceField(
        label="given judgments",
        required=False,
        help_text="Where there are any. Documents judged there are not judged again. Those already "
        "in the pool are.",
    )
    joins_duplicates = forms.BooleanField(
        label="one judgment serves exact duplicates",
        required=False,
        help_text="Of documents with the same text one is judged; the others get its grade.",
    )
    order_rule = forms.ChoiceField(
        label="order in a run", choices=[*ORDER_RULES.items()], initial=DEFAULT_RULES
    )

    def __init__(
        self, data: Any = None, *, campaign: Campaign, current: Batch | None = None
    ) -> None:
        super().__init__(data, initial=_start(campaign, current))
        self.campaign, self.pool = campaign, Pool.objects.of(campaign)
        self.staff = StaffForm(data, campaign=campaign)
        # What the runs of each team have that is new, by its id, once it is counted.
        self.brought: Mapping[int, int] = {}
        valid = Run.objects.filter(campaign=campaign).valid().select_related("team")
        self.valid_runs = list(
            valid.defer("report", "description").order_by(
                natural("team__name"), "team_id", F("priority").asc(nulls_last=True), natural("tag")
            )
        )
        self.fields["runs"].queryset = valid  # type: ignore[attr-defined]
        self.initial["runs"] = self._first_runs(current)
        self._offer_strategies(current)
        self.existing = existing_judgments(campaign)
        named = [(sha256, each.name) for sha256, each in self.existing.items()]
        self.fields["existing_sha256"].choices = [("", "none"), *named]  # type: ignore[attr-defined]
        if not named:
            del self.fields["existing_sha256"]

    def _first_runs(self, current: Batch | None) -> list[int]:
        """Return those that are not pooled yet, or else those of the newest batch, or else all.

        In a campaign of several rounds they are those of the current round.
        """
        runs = self.valid_runs
        if self.campaign.has_rounds:
            runs = [run for run in runs if run.round == self.campaign.round]
        elif current and not self.n_unpooled:
            pooled = set(current.contributors.values_list("run", flat=True))
            runs = [run for run in runs if run.pk in pooled]
        unpooled = [run for run in runs if self.pool and not run.is_pooled]
        return [run.pk for run in unpooled or runs]

    def _offer_strategies(self, current: Batch | None) -> None:
        """Offer the strategies, each with its parameters: those of the chosen one are read."""
        self.fields["strategy"].choices = [(name, each.title) for name, each in STRATEGIES.items()]  # type: ignore[attr-defined]
        name = self.data.get("strategy") or self.initial.get("strategy")
        self.chosen_strategy = STRATEGIES.get(name or "", DEPTH)
        self.fields["runs"].required = self.chosen_strategy.reads_runs
        sent = None
        if self.is_bound:  # an address may be without what is as usual
            sent = self.data = self.data.copy()  # type: ignore[attr-defined]
            start, parameters = f"{self.chosen_strategy.name}-", self.chosen_strategy.parameters
            usual = {f"{start}{each.name}": each.usual for each in parameters}
            for key, value in (USUAL | usual).items():
                sent.setdefault(key, str(value))
        self.recipes = [
            RecipeForm(
                each,
                sent if each is self.chosen_strategy else None,
                initial=_typed(each.name, self.data)
                | (_written(current) if current and current.strategy == each.name else {}),
            )
            for each in STRATEGIES.values()
        ]
        self.recipe = next(each for each in self.recipes if each.strategy is self.chosen_strategy)

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if not self.recipe.is_valid():
            for name, errors in self.recipe.errors.items():
                label = self.recipe.fields[name].label
                start = f"{capfirst(label)}: " if label else ""  # here no field stands beside
                self.add_error(None, [f"{start}{each}" for each in errors])
        values["parameters"] = self.recipe.cleaned_data
        if self.chosen_strategy is SAMPLE:  # it is judged document by document
            values |= {"existing_sha256": "", "joins_duplicates": False}
        return values

    def clean_topics(self) -> list[str]:
        try:
            return self._named(self.cleaned_data["topics"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def _named(self, text: str) -> list[str]:
        known = list(self.campaign.topic_set.values_list("number", flat=True))
        return read_numbers(text, known)

    def choice(self) -> dict[str, Any]:
        """Return what was chosen, by the names that `request_batch` has for it."""
        values = self.cleaned_data
        same = {name: values[name] for name in KEPT if name in values}
        return {**same, "runs": list(values["runs"])}

    def chosen(self) -> dict[str, Any] | None:
        """Return the choice as sent, or the initial one; None if it is not valid."""
        if self.is_bound:
            return self.cleaned_data if self.is_valid() else None
        if not self.chosen_strategy.reads_runs:
            return None
        values = {
            name: self.get_initial_for_field(each, name) for name, each in self.fields.items()
        }
        first = set(values["runs"])
        values["runs"] = [run for run in self.valid_runs if run.pk in first]
        values["topics"] = self._named(values["topics"] or "")
        values["parameters"] = self.recipe.usual()
        return values if values["runs"] else None

    @property
    def n_unpooled(self) -> int:
        """How many valid runs the pool has nothing of."""
        return sum(not run.is_pooled for run in self.valid_runs) if self.pool else 0

    @property
    def has_priorities(self) -> bool:
        return any(run.priority for run in self.valid_runs)

    def by_team(self) -> list[TeamChoice]:
        chosen = {str(key) for key in self["runs"].value() or []}
        are_few, found = len(self.valid_runs) <= FEW_RUNS, list[TeamChoice]()
        for team, own in groupby(self.valid_runs, key=lambda run: run.team):
            runs = [(run, str(run.pk) in chosen) for run in own]
            is_part = len({is_chosen for _, is_chosen in runs}) > 1
            brings = self.brought.get(team.pk)
            text = f"+{brings:,}" if brings else ""
            found.append(TeamChoice(team, runs, are_few or is_part, text))
        return found

    def counting(self) -> str:
        """Say what counts as judged, and how runs are read."""
        parts, rule = list[str](), self["order_rule"].value()
        if self.chosen_strategy is not SAMPLE:
            names = {sha256: each.name for sha256, each in self.existing.items()}
            given = names.get(self["existing_sha256"].value()) if names else None
            parts += [f"judgments of {given} count"] if given else []
            each = "once" if self["joins_duplicates"].value() else "each"
            parts.append(f"exact duplicates judged {each}")
        return " · ".join([*parts, ORDER_RULES.get(rule, rule)])


def _start(campaign: Campaign, current: Batch | None) -> dict[str, Any]:
    """Return the choice of the newest batch; topics are those of the current round."""
    same = ("strategy", "order_rule", "joins_duplicates")
    kept = {name: getattr(current, name) for name in same} if current else {}
    if campaign.has_rounds:
        kept["topics"] = spans(topics_in(campaign, campaign.round))
    return kept


def _written(batch: Batch) -> dict[str, str]:
    """Return the parameters of a batch as they are typed."""
    given = batch.parameters
    parameters = STRATEGIES[batch.strategy].parameters
    return {each.name: each.written(given[each.name]) for each in parameters if each.name in given}


def _typed(strategy: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was sent for the parameters of a strategy."""
    start = f"{strategy}-"
    return {name.removeprefix(start): data[name] for name in data if name.startswith(start)}
