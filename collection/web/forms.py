"""Forms of topics, documents and their imports."""

from collections.abc import Sequence
from typing import Any, BinaryIO, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.base import ContentFile

from accounts.fields import AcceptField, FilesField, SeenField, SeenForm, usable, within
from campaigns.core.spans import read_numbers
from cleverdon.trec.streams import FormatError, opened
from cleverdon.trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from collection.importing import IN_REQUEST_BYTES

MOST_PASTED = 1_000_000
TOO_LONG = f"Pasted topics have at most {MOST_PASTED:,} characters."
MOST_FILES = 50  # of documents, in one upload


class TopicsForm(forms.Form):
    """Topics, pasted or as a file; `is_short` if they are read within the request."""

    file = forms.FileField(required=False, label="topic file", help_text="Plain or gzip.")
    text = forms.CharField(
        required=False,
        label="or paste them",
        widget=forms.Textarea(attrs={"rows": 6, "class": "code"}),
        strip=False,
        max_length=MOST_PASTED,
        error_messages={"max_length": f"{TOO_LONG} Send more as a file."},
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for field in self.fields.values():
            field.one_is_needed = True  # type: ignore[attr-defined]  # not called optional

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:  # the chosen file is empty
            return cleaned
        pasted = ContentFile(cleaned.get("text", "").encode(), "pasted text")
        file = cleaned["file"] = cleaned.get("file") or pasted
        if not file.size:
            raise ValidationError("Choose a file or paste the topics.")
        within(file, MAX_TOPIC_BYTES)
        try:
            stream = opened(cast("BinaryIO", file.file), limit=MAX_TOPIC_BYTES)
            n_bytes = len(stream.read(IN_REQUEST_BYTES + 1))
        except FormatError as error:
            raise ValidationError(str(error)) from error
        file.seek(0)
        cleaned["is_short"] = n_bytes <= IN_REQUEST_BYTES
        return cleaned


class HiddenForm(SeenForm):
    """The numbers of the hidden topics, `known` being those of all."""

    numbers = forms.CharField(
        required=False,
        label="numbers of the hidden topics",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Numbers or spans such as 31-35, separated by spaces, commas or lines, or all. "
        "The others are public.",
    )

    def __init__(self, *arguments: Any, known: Sequence[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.known = known

    def clean_numbers(self) -> list[str]:
        try:
            return read_numbers(self.cleaned_data["numbers"], self.known)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class DocumentsForm(forms.Form):
    """Files of documents; `faults` names those that are not taken."""

    file = FilesField(
        most=MOST_FILES,
        more="Send the others afterwards, or put several into one file.",
        label=f"document files, up to {MOST_FILES} at once",
        help_text="JSON, TREC text, CSV or TSV; plain or gzip.",
    )
    is_html = forms.BooleanField(
        required=False,
        label="the texts are HTML",
        help_text="Not needed where a document says so itself, by html or content_type.",
    )
    completes_collection = forms.BooleanField(
        required=False,
        label="with these files the collection is complete",
        help_text="Runs that name any other document then get a warning.",
    )

    def clean_file(self) -> list[File[bytes]]:
        self.faults: list[str] = []
        files = []
        for file in self.cleaned_data["file"]:
            try:
                files.append(usable(file, settings.MAX_EXPANDED_BYTES))
            except ValidationError as error:
                self.faults += error.messages
        if not files:
            raise ValidationError(self.faults)
        return files


class ConfirmForm(forms.Form):
    """The preview that the person has seen, and whether texts in the frozen pool may change."""

    seen = SeenField(required=True)
    takes_versions = forms.BooleanField(required=False, label="take the new texts as new versions")


class ConfirmAllForm(forms.Form):
    """The previews that the person has seen, by the import's id."""

    seen = forms.Field(
        widget=forms.MultipleHiddenInput,
        error_messages={"required": "No file was ready to be imported: look again."},
    )

    def clean_seen(self) -> dict[str, str]:
        pairs = (each.partition(":") for each in self.cleaned_data["seen"])
        return {pk: previewed for pk, _, previewed in pairs}


class UndoForm(forms.Form):
    accepts = AcceptField()


class CollectionForm(forms.Form):
    is_whole = forms.BooleanField(required=False, label="these documents are the whole collection")
