"""The settings of a campaign."""

import re
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError

from campaigns.core.grades import MAX_GRADE, MIN_GRADE, BadLevel, Scale
from campaigns.models import Campaign

# Only these are accepted: the name of a zone is also the path of a system file.
TIME_ZONES = sorted(available_timezones())


class Moment(forms.DateTimeInput):
    """A field in which the browser picks a date and a time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class CampaignForm(forms.ModelForm[Campaign]):
    """The settings of a campaign. Times are read and shown in the campaign's own zone."""

    grades = forms.CharField(
        label="scale of grades",
        widget=forms.Textarea(attrs={"rows": 5, "class": "code"}),
        help_text=f"One grade a line: value ({MIN_GRADE} to {MAX_GRADE}), label, description, separated by |. The digit key gives the grade, "
        "after the minus key for one below 0. From the first judgment on, values and labels stay and descriptions can be corrected.",
    )
    time_zone = forms.ChoiceField(
        initial="UTC", choices=[(zone, zone) for zone in TIME_ZONES]
    )

    class Meta:
        model = Campaign
        fields = [
            "name", "guidelines", "grades", "level", "run_depth", "seconds_per_judgment", "time_zone",
            "submission_opens_at", "submission_closes_at", "judging_opens_at", "judging_closes_at", "visibility", "notice",
        ]  # fmt: skip
        help_texts = {
            "visibility": "The last choice shows the scores to assessors too, also while they judge: they could be swayed by them."
        }
        widgets = {
            "guidelines": forms.Textarea(attrs={"rows": 10}),
            "notice": forms.Textarea(attrs={"rows": 2}),
            **{
                name: Moment()
                for name in (
                    "submission_opens_at",
                    "submission_closes_at",
                    "judging_opens_at",
                    "judging_closes_at",
                )
            },
        }

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["grades"].initial = "\n".join(
            f"{grade['value']} | {grade['label']} | {grade['description']}"
            for grade in self.instance.scale_grades
        )

    def clean_grades(self) -> list[dict[str, Any]]:
        lines = [
            line for line in self.cleaned_data["grades"].splitlines() if line.strip()
        ]
        return [_grade(number, line) for number, line in enumerate(lines, 1)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "grades" in cleaned and "level" in cleaned:
            try:
                Scale.from_json(
                    {"grades": cleaned["grades"], "level": cleaned["level"]}
                )
            except BadLevel as error:
                self.add_error("level", str(error))
            except ValueError as error:
                self.add_error("grades", str(error))
        for act in ("submission", "judging"):
            opens, closes = (
                cleaned.get(f"{act}_opens_at"),
                cleaned.get(f"{act}_closes_at"),
            )
            if opens and closes and closes <= opens:
                self.add_error(f"{act}_closes_at", f"It must be after {act} opens.")
        return cleaned

    def values(self) -> dict[str, Any]:
        """Return the settings under the model's own names."""
        values = dict(self.cleaned_data)
        values["scale_grades"] = values.pop("grades")
        return values


def _grade(number: int, line: str) -> dict[str, Any]:
    value, _, rest = line.partition("|")
    label, _, description = rest.partition("|")
    # A minus sign as word processors write it means the same.
    value = value.strip().replace("\N{MINUS SIGN}", "-")
    if not re.fullmatch(r"-?\d{1,9}", value, re.ASCII) or not label.strip():
        raise ValidationError(
            f"Line {number}: write a whole number from {MIN_GRADE} to {MAX_GRADE}, |, a label, |, a description."
        )
    return {
        "value": int(value),
        "label": label.strip(),
        "description": description.strip(),
    }
