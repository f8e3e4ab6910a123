"""Forms of the pool's pages."""

from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from django.db.models import F
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.models.people import Role
from pooling.models import MAX_DEPTH, Pool
from runs.models import Run

HOURS_A_WEEK = 6


class RunChoice(NamedTuple):
    """A run in the list to choose from. One that was uploaded after the present pool was asked for is new."""

    run: Run
    is_chosen: bool
    is_new: bool


class PoolForm(forms.Form):
    """Build a pool: from which runs, how deep, and how many hours that would take whom."""

    runs = forms.ModelMultipleChoiceField(
        queryset=Run.objects.none(),
        label="contributing runs",
        error_messages={"required": "Choose at least one run."},
    )
    depth = forms.IntegerField(
        min_value=1,
        max_value=MAX_DEPTH,
        initial=20,
        help_text="Every document a contributing run ranks this high.",
    )
    second_percent = forms.IntegerField(
        label="judged twice, in percent",
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
        self, *arguments: Any, campaign: Campaign, current: Pool | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        valid = Run.objects.filter(campaign=campaign).valid().select_related("team")
        self.valid_runs = list(
            valid.defer("report").order_by(
                natural("team__name"), "team_id", F("priority").asc(nulls_last=True), natural("tag")
            )
        )
        self.fields["runs"].queryset = valid  # type: ignore[attr-defined]
        assessors = campaign.membership_set.filter(role=Role.ASSESSOR)
        self.initial = {
            "n_assessors": assessors.count() or 1,
            **self._start(current),
            **self.initial,
        }
        self.current = current

    def _start(self, current: Pool | None) -> dict[str, Any]:
        """Return what the form starts with: the choice of the present pool, or else all runs."""
        keys = [run.pk for run in self.valid_runs]
        if current is None:
            return {"runs": keys}
        pooled = {contributor.run_id for contributor in current.contributors.all()}
        return {
            "runs": [key for key in keys if key in pooled],
            "depth": current.depth,
            "second_percent": current.second_percent,
        }

    def clean_second_percent(self) -> int:
        return self.cleaned_data["second_percent"] or 0

    def clean_n_assessors(self) -> int:
        n_assessors: int = self.cleaned_data["n_assessors"] or self.initial["n_assessors"]
        return n_assessors

    def clean_hours_a_week(self) -> int:
        return self.cleaned_data["hours_a_week"] or HOURS_A_WEEK

    def chosen(self) -> dict[str, Any] | None:
        """Return the choice as sent, or what an unsent form starts with; None if it is no choice of a pool."""
        if self.is_bound:
            return self.cleaned_data if self.is_valid() else None
        values = {
            name: self.get_initial_for_field(field, name) for name, field in self.fields.items()
        }
        wanted = set(values["runs"])
        values["runs"] = [run for run in self.valid_runs if run.pk in wanted]
        return values if values["runs"] else None

    def by_team(self) -> list[tuple[str, list[RunChoice]]]:
        """Return the runs to choose from, by team."""
        chosen = {str(key) for key in self["runs"].value() or []}
        since = self.current.created_at if self.current else timezone.now()
        choices = (
            RunChoice(run, str(run.pk) in chosen, run.submitted_at > since)
            for run in self.valid_runs
        )
        groups = groupby(choices, key=lambda choice: str(choice.run.team))
        return [(team, list(runs)) for team, runs in groups]


class BuildForm(PoolForm):
    """What the button *Build* sends: the choice, and which pool was on the page (0: none)."""

    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)


class FreezeForm(forms.Form):
    """Freeze the pool that the organizer looked at, which this hash identifies."""

    sha256 = forms.CharField(
        max_length=64,
        error_messages={
            "required": "The page does not say which pool to freeze. Look at the pool again."
        },
    )


class UnfreezeForm(forms.Form):
    """Unfreeze the pool, given what was said to go with it."""

    seen = forms.CharField(required=False, strip=False)


class DeleteForm(forms.Form):
    """Delete the pool that was on the page."""

    pool = forms.IntegerField(
        min_value=1,
        max_value=2**63 - 1,
        error_messages={"required": "The page does not say which pool to delete."},
    )
