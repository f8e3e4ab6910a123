"""What people may send to import topics and documents."""

from io import BytesIO
from typing import Any, BinaryIO, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.base import ContentFile

from campaigns.forms.files import within
from trec.streams import FormatError, opened
from trec.topics import MAX_BYTES as MAX_TOPIC_BYTES
from trec.topics import read_topics

# Of topics, unpacked: read within a request in a tenth of a second, whatever they hold.
IN_REQUEST_BYTES = 1 << 16


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
        within(file, MAX_TOPIC_BYTES)
        try:
            stream = opened(cast("BinaryIO", file.file), limit=MAX_TOPIC_BYTES)
            content = stream.read(IN_REQUEST_BYTES + 1)
            is_short = len(content) <= IN_REQUEST_BYTES
            cleaned["records"] = read_topics(BytesIO(content)) if is_short else None
        except FormatError as error:
            raise ValidationError(str(error)) from error
        file.seek(0)
        return cleaned


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
        return within(self.cleaned_data["file"], settings.MAX_EXPANDED_BYTES)


class DocumentSearchForm(forms.Form):
    docno = forms.CharField(required=False, max_length=255)
