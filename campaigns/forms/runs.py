"""What people may send to submit a run."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File

from campaigns.forms.files import within
from trec.runs.run import check_tag


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
        return within(self.cleaned_data["file"], settings.MAX_RUN_BYTES)

    def clean_tag(self) -> str:
        tag: str = self.cleaned_data["tag"]
        try:
            check_tag(tag)
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return tag
