"""The card of a program, and a file of its labels."""

from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError

from accounts.fields import within
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from programs.access import MAX_BYTES, MOST_PROMPT, BadLabels, labels_of
from programs.core import Verdict
from programs.models import Program


class ProgramForm(forms.ModelForm[Program]):
    """The card of a program, which stays as it is."""

    class Meta:
        model = Program
        fields = ("name", "model", "version", "prompt", "parameters", "labelled_on", "team")
        widgets = {
            "labelled_on": forms.DateInput({"type": "date"}),
            "prompt": forms.Textarea({"rows": 8}),
            "parameters": forms.Textarea({"rows": 2}),
        }
        labels = {"labelled_on": "date", "team": "made by the team"}
        help_texts = {"name": "Short: it stands in captions, and in the names of files."}

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["prompt"].max_length = MOST_PROMPT  # type: ignore[attr-defined]
        team = self.fields["team"]
        team.to_field_name = "name"  # type: ignore[attr-defined]
        team.queryset = Team.objects.filter(campaign=campaign).in_order()  # type: ignore[attr-defined]
        team.empty_label = "nobody who takes part"  # type: ignore[attr-defined]


class LabelsForm(forms.Form):
    """A file of labels; `cleaned_data["file"]` holds them."""

    file = forms.FileField(
        label="labels",
        help_text="A line for each document: topic, docno, grade and, if there is one, confidence. "
        "Or CSV whose first line names these columns. Plain or gzip.",
    )

    def clean_file(self) -> list[Verdict]:
        try:
            return labels_of(within(self.cleaned_data["file"], MAX_BYTES))
        except BadLabels as refusal:
            raise ValidationError([*refusal.sentences]) from refusal


class TokenForm(forms.Form):
    """The hidden id keeps a page that is loaded again from making another token."""

    client_id = forms.UUIDField(initial=uuid4, widget=forms.HiddenInput)
