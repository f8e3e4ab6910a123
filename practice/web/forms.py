"""Forms of practice: its setup, a confirmation, and an answer."""

from typing import TYPE_CHECKING, Any, BinaryIO, cast

from django import forms
from django.core.exceptions import ValidationError

from accounts.fields import SeenField
from assess.access.answers import MAX_DOCNO_LENGTH
from campaigns.models.campaign import Campaign
from campaigns.web.merging import Merging
from practice.access import NOTHING_TO_GRADE, faults_of_known
from practice.core import Known, read_known, written
from practice.events import PracticeEvent
from practice.models import PracticeTopic
from trec.signatures import not_a_table
from trec.streams import BYTE_ORDER_MARK, MARKED, FormatError, decoded, opened, told

if TYPE_CHECKING:
    from django.http import QueryDict

MOST_BYTES = 1 << 20
MOST_CHARACTERS = 10_000
LINES = (
    "One document per line: docno, grade, and why it has that grade, separated by tabs or blanks. "
    "Assessors get them in this order."
)
CANNOT_JUDGE = "cannot_judge"


class PracticeForm(Merging, forms.Form):
    """The practice topic and its known answers; `known` is cleaned to a list of `Known`.

    A file replaces the lines in the field, so that the page shows it with its faults.
    """

    kind = PracticeEvent.CHANGED
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
        self.follow(campaign.pk)
        self.practice = practice = PracticeTopic.objects.of(campaign)
        names = ("title", "description", "narrative", "is_on", "may_skip")
        self.stored = {name: getattr(practice, name) for name in names}
        options["initial"] = {**self.stored, "known": written(practice.known)}
        self.stored["known"] = practice.known
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
            text = decoded(content)
        except FormatError as error:
            raise ValidationError(str(error)) from error
        if text.startswith(BYTE_ORDER_MARK):
            raise ValidationError(MARKED)
        return text

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


class ConfirmPracticeForm(forms.Form):
    """The document for whose present text the known grade still holds."""

    docno = forms.CharField(max_length=MAX_DOCNO_LENGTH)
    seen = SeenField(required=True)


class PracticeAnswerForm(forms.Form):
    """A grade for a document; `n_seen` is how many earlier answers the page had shown."""

    docno = forms.CharField(
        max_length=MAX_DOCNO_LENGTH,
        error_messages={"required": "The answer does not say which document it is about."},
    )
    choice = forms.RegexField(
        rf"^(-?[0-9]{{1,2}}|{CANNOT_JUDGE})$",
        error_messages={"required": NOTHING_TO_GRADE, "invalid": NOTHING_TO_GRADE},
    )
    n_seen = forms.IntegerField(required=False, min_value=0, max_value=1 << 30)
    scale = forms.CharField(required=False, max_length=20)

    def answer(self) -> dict[str, Any]:
        """Return the arguments of `answer_practice`."""
        choice = self.cleaned_data["choice"]
        return {
            "docno": self.cleaned_data["docno"],
            "grade": None if choice == CANNOT_JUDGE else int(choice),
            "n_seen": self.cleaned_data["n_seen"] or 0,
            "scale": self.cleaned_data["scale"],
        }
