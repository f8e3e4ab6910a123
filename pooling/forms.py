"""Forms of the pool's page."""

from typing import Any

from django import forms

from campaigns.models import Campaign, Run
from pooling.forecast import MAX_DEPTH


class FreezeForm(forms.Form):
    """Freeze the pool that the organizer looked at, which this hash identifies."""

    sha256 = forms.CharField(max_length=64)


class PoolForm(forms.Form):
    """Build a pool: from which runs, and how deep."""

    runs = forms.ModelMultipleChoiceField(
        queryset=Run.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        label="contributing runs",
    )
    depth = forms.IntegerField(
        min_value=1,
        max_value=MAX_DEPTH,
        initial=20,
        help_text="Every document a contributing run ranks this high.",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        runs = Run.objects.filter(campaign=campaign).valid().order_by("tag")
        self.fields["runs"].queryset = runs  # type: ignore[attr-defined]
        self.fields["runs"].initial = list(runs)

    @property
    def has_runs(self) -> bool:
        return bool(self.fields["runs"].initial)

    def defaults(self) -> dict[str, Any]:
        """Return the choice that the page starts with: all runs, and the initial depth."""
        return {
            name: self.get_initial_for_field(field, name)
            for name, field in self.fields.items()
        }
