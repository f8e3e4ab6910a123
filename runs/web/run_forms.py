"""Forms that act on a run, and the filter of the list."""

from typing import Any, cast

from django import forms

from accounts.fields import SeenField
from campaigns.models.rounds import Round
from campaigns.web.editing import EditingForm
from runs.core.efficiency import EFFICIENCY
from runs.core.run_table import MAX_DESCRIPTION, MAX_PRIORITY, TYPES
from runs.models import Run
from runs.web.upload_forms import BASELINE, PRIORITY, EfficiencyFields, TeamField, TypeField

MAX_REASON = 500


class OutForm(forms.Form):
    """Withdraw a run."""

    seen = SeenField()
    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON,
        help_text="Shown on the page of the run, to its team and to the organizers.",
    )


class DisqualifyForm(OutForm):
    reason = forms.CharField(
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Its team reads it on the page of the run.",
    )


class MoveForm(forms.Form):
    """Give a run to another team."""

    team = TeamField()
    seen = SeenField()

    def __init__(self, *arguments: Any, run: Run, **options: Any) -> None:
        super().__init__(*arguments, **options)
        field = cast("TeamField", self.fields["team"])
        field.of(run.campaign)
        mine = BASELINE if run.is_baseline else str(run.team_id)
        field.choices = [each for each in field.offered if each[0] != mine]


class MoveToRoundForm(forms.Form):
    """Have a run belong to another round."""

    number = forms.TypedChoiceField(coerce=int, label="round")
    seen = SeenField()

    def __init__(self, *arguments: Any, run: Run, **options: Any) -> None:
        super().__init__(*arguments, **options)
        numbers = Round.objects.numbers(run.campaign)
        field = cast("forms.TypedChoiceField", self.fields["number"])
        field.choices = [(number, number) for number in numbers if number != run.round]


class DescriptionForm(EfficiencyFields, EditingForm[Run]):
    description = forms.CharField(
        required=False, max_length=MAX_DESCRIPTION, widget=forms.Textarea(attrs={"rows": 3})
    )
    is_manual = TypeField()
    priority = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_PRIORITY, help_text=PRIORITY
    )

    class Meta:
        model = Run
        fields = ["description", "is_manual", "priority", *EFFICIENCY]

    def shown(self, name: str, value: Any) -> str:
        return TYPES[value] if name == "is_manual" else super().shown(name, value)
