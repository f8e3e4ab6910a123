"""The form that sets practice up."""

from typing import TYPE_CHECKING, Any, BinaryIO, cast

from django import forms
from django.core.exceptions import ValidationError

from campaigns.models.campaign import Campaign
from campaigns.web.editing import Editing
from practice.access import faults_of_known
from practice.core import Known, read_known, written
from practice.models import Practice
from practice.services import stored
from trec.signatures import not_a_table
from trec.streams import BYTE_ORDER_MARK, FormatError, decoded, opened, told

if TYPE_CHECKING:
    from django.http import QueryDict

MOST_BYTES = 1 << 20
MOST_CHARACTERS = 10_000
LINES = (
    "One document per line: docno, grade, and why it has that grade, separated by tabs or blanks. "
    "Assessors get them in this order."
)


class PracticeForm(Editing, forms.Form):
    """The practice topic and its known answers; `known` is cleaned to a list of `Known`.

    A file replaces the lines in the field, so that the page shows it with its faults.
    """

    title = forms.CharField(max_length=300)
    description = forms.CharField(
        required=False, max_length=MOST_CHARACTERS, widget=forms.Textarea(attrs={"rows": 2})
    )
    narrative = forms.CharField(
        required=False, max_length=MOST_CHARACTERS, widget=forms.Textarea(attrs={"rows": 3})
    )
    file = forms.FileField(
        required=False,
        label="or a file of such lines",
        help_text="UTF-8, plain or gzip. It takes the place of what is in the field.",
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
        help_text="Otherwise assessors must answer every practice document first.",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        self.practice = Practice.objects.of(campaign)
        self.stored = stored(self.practice)
        options["initial"] = {**self.stored, "known": written(self.stored["known"])}
        super().__init__(*arguments, **options)

    def clean_file(self) -> str | None:
        """Return the text of the file, if any."""
        file = self.cleaned_data["file"]
        if not file:
            return None
        try:
            content = opened(cast("BinaryIO", file.file), limit=MOST_BYTES).read()
            if why := not_a_table(content[:4096]):
                raise ValidationError(why)
            return decoded(content).removeprefix(BYTE_ORDER_MARK)
        except FormatError as error:
            raise ValidationError(str(error)) from error

    def clean_known(self) -> list[Known]:
        text = self.cleaned_data.get("file")
        if text is None:
            # Pasting from a file can bring an invisible mark along.
            text = self.cleaned_data["known"].removeprefix(BYTE_ORDER_MARK)
        else:
            data = cast("QueryDict", self.data).copy()
            data["known"] = text
            self.data = data
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

    def known_after(self) -> list[Known]:
        """Return the known answers as they will be once saved."""
        known: list[Known] = self.changes().get("known", self.stored["known"])
        return known
