"""What people may send to create a campaign, import, submit and invite."""

import re
from io import BytesIO
from typing import Any, BinaryIO, cast
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.base import ContentFile

from campaigns.core.grades import Scale
from campaigns.models import Campaign, Role
from trec.runs.run import check_tag
from trec.streams import FormatError, opened
from trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from trec.topics import read_topics

# Of topics, unpacked: read within a request in a tenth of a second, whatever they hold.
IN_REQUEST_BYTES = 1 << 16

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
        help_text="One grade a line: value, label, description, separated by |. A key press gives the value.",
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
    if not re.fullmatch(r"\d{1,9}", value.strip(), re.ASCII) or not label.strip():
        raise ValidationError(
            f"Line {number}: write a whole number, |, a label, |, a description."
        )
    return {
        "value": int(value),
        "label": label.strip(),
        "description": description.strip(),
    }


class TopicsForm(forms.Form):
    """Topics, pasted or as a file.

    Up to IN_REQUEST_BYTES are read here, into `records`; what is longer is for a worker, which gets the `file`.
    """

    file = forms.FileField(
        required=False, label="topic file", help_text="Plain or gzip."
    )
    text = forms.CharField(
        required=False,
        label="or paste them",
        widget=forms.Textarea(attrs={"rows": 12, "class": "code"}),
        strip=False,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        pasted = ContentFile(cleaned.get("text", "").encode(), "pasted.txt")
        file = cleaned["file"] = cleaned.get("file") or pasted
        if not file.size:
            raise ValidationError("Choose a file or paste the topics.")
        _within(file, MAX_TOPIC_BYTES)
        try:
            stream = opened(cast("BinaryIO", file.file), limit=MAX_TOPIC_BYTES)
            content = stream.read(IN_REQUEST_BYTES + 1)
            is_short = len(content) <= IN_REQUEST_BYTES
            cleaned["records"] = read_topics(BytesIO(content)) if is_short else None
        except FormatError as error:
            raise ValidationError(str(error)) from error
        file.seek(0)
        return cleaned


def _within(file: File[bytes], limit: int) -> File[bytes]:
    """Refuse a file that already is longer, packed or not, than what is read of it."""
    if file.size > limit:
        raise ValidationError(
            f"The file has {file.size:,} bytes; at most {limit:,} are accepted."
        )
    return file


class DocumentsForm(forms.Form):
    """A file of documents."""

    file = forms.FileField(
        label="document file", help_text="JSON Lines, TREC text or TSV; plain or gzip."
    )
    is_whole_collection = forms.BooleanField(
        required=False,
        label="this is the whole collection",
        help_text="Then a run's docno outside it is reported as unknown.",
    )

    def clean_file(self) -> File[bytes]:
        return _within(self.cleaned_data["file"], settings.MAX_EXPANDED_BYTES)


class DocumentSearchForm(forms.Form):
    docno = forms.CharField(required=False, max_length=255)


class RunForm(forms.Form):
    """A run to submit."""

    tag = forms.CharField(
        label="run tag",
        max_length=20,
        help_text="As in the file's sixth column: 1 to 20 letters, digits, _ - or .",
    )
    file = forms.FileField(
        label="run file", help_text="Six columns in TREC format; plain or gzip."
    )
    description = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the system works, in a few words.",
    )
    is_manual = forms.BooleanField(
        required=False, label="a person intervened (manual run)"
    )

    def clean_file(self) -> File[bytes]:
        return _within(self.cleaned_data["file"], settings.MAX_RUN_BYTES)

    def clean_tag(self) -> str:
        tag: str = self.cleaned_data["tag"]
        try:
            check_tag(tag)
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return tag


class InvitationForm(forms.Form):
    """The role that a link gives, and the team of a participant."""

    role = forms.ChoiceField(choices=Role.choices)
    team_name = forms.CharField(
        required=False, max_length=60, label="team", help_text="For participants."
    )
