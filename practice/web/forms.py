"""The form that sets practice up."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from campaigns.models.campaign import Campaign
from campaigns.web.editing import Editing
from cleverdon.trec.streams import BYTE_ORDER_MARK, told
from practice.access import faults_of_known
from practice.core import Known, read_known, written
from practice.models import Practice
from practice.services import stored

MOST_BYTES = 1 << 20
MOST_CHARACTERS = 10_000
LINES = (
    "One document per line: docno, grade, and why it has that grade, separated by tabs or blanks. "
    "Assessors get them in this order."
)


class PracticeForm(Editing, forms.Form):
    """The practice topic and its known answers; `known` is cleaned to a list of `Known`."""

    title = forms.CharField(max_length=300)
    description = forms.CharField(
        required=False, max_length=MOST_CHARACTERS, widget=forms.Textarea(attrs={"rows": 2})
    )
    narrative = forms.CharField(
        required=False, max_length=MOST_CHARACTERS, widget=forms.Textarea(attrs={"rows": 3})
    )
    known = forms.CharField(
        required=False,
        label="known answers",
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 9, "class": "code"}),
        help_text=LINES,
    )
    is_on = forms.BooleanField(
        required=False,
        label="practice is on",
        help_text="Assessors who have not judged anything yet do it before their first topic.",
    )
    may_skip = forms.BooleanField(
        required=False,
        label="it may be skipped",
        help_text="Otherwise their first topic opens once every practice document is answered.",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        self.practice = Practice.objects.of(campaign)
        self.stored = stored(self.practice)
        options["initial"] = {**self.stored, "known": written(self.stored["known"])}
        super().__init__(*arguments, **options)

    def clean_known(self) -> list[Known]:
        # Pasting from a file can bring an invisible mark along.
        text = self.cleaned_data["known"].removeprefix(BYTE_ORDER_MARK)
        known, faults = read_known(text.replace("\r\n", "\n"))
        # An unchanged one may have become wrong since: the page says so, and the rest can change.
        new = {line: each for line, each in known.items() if each not in self.stored["known"]}
        faults += faults_of_known(self.practice.campaign, new)
        if faults:
            raise ValidationError(told(faults))
        return list(known.values())

    def shown(self, name: str, value: Any) -> str:
        if name == "known":
            return ", ".join(f"{each.docno} {each.grade}" for each in value) or "nothing"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return super().shown(name, value)
