"""The form that copies a campaign."""

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import get_text_list

from campaigns.models.campaign import Campaign
from overview.services.copying import PARTS


class CopyForm(forms.Form):
    """The name of the copy, and what it gets beside the settings."""

    name = forms.CharField(max_length=120, label="name of the copy")
    taking = forms.MultipleChoiceField(
        required=False,
        label="besides the settings, copy",
        widget=forms.CheckboxSelectMultiple,
        help_text="People keep their roles and teams: "
        "members see the copy at once, and teams may upload runs. "
        "Texts start again at version 1. "
        "Known grades are those of controls and practice.",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        name = f"{campaign.name[:113]} (copy)"
        ticked = [each for each in PARTS if each != "people"]
        options["initial"] = {"name": name, "taking": ticked}
        super().__init__(*arguments, **options)
        taking = cast("forms.MultipleChoiceField", self.fields["taking"])
        taking.choices = [(each, each.capitalize()) for each in PARTS]

    def clean_taking(self) -> list[str]:
        taking: list[str] = self.cleaned_data["taking"]
        for each in taking:
            if missing := [need for need in PARTS[each].needs if need not in taking]:
                others = get_text_list(missing, "and")
                raise ValidationError(f"{each.capitalize()} are about {others}: copy these too.")
        return taking
