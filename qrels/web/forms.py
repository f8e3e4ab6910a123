"""Forms for publishing qrels, importing those that exist already, and withdrawing a version."""

from typing import Any

from django import forms
from django.core.files import File

from accounts.fields import AcceptField, SeenField
from campaigns.models.campaign import Campaign
from campaigns.web.file_forms import within
from qrels.tasks import MAX_QRELS_BYTES

MAX_WORDS = 1000
LEVEL_LABEL = "relevant from grade"
LEVEL_HELP = (
    "The lowest grade that counts as relevant. "
    "It belongs to the version, and to every evaluation against it."
)


class VersionForm(forms.Form):
    """A new version: its level."""

    level = forms.TypedChoiceField(coerce=int, label=LEVEL_LABEL, help_text=LEVEL_HELP)
    seen = SeenField()


class PublishForm(VersionForm):
    """Publish the official grades; the levels are the grades of the campaign's scale above 0."""

    accepts = AcceptField()

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        options["initial"] = {"level": campaign.level}
        super().__init__(*arguments, **options)
        self.fields["level"].choices = [  # type: ignore[attr-defined]
            (grade.value, f"{grade.value} {grade.label}")
            for grade in campaign.scale.grades
            if grade.value > 0
        ]


class ImportForm(VersionForm):
    """Import a file that has been read; the level may be any up to its highest grade."""

    def __init__(self, *arguments: Any, highest: int, usual: int, **options: Any) -> None:
        options["initial"] = {"level": min(usual, highest)}
        super().__init__(*arguments, **options)
        self.fields["level"] = forms.IntegerField(
            min_value=1, max_value=highest, label=LEVEL_LABEL, help_text=LEVEL_HELP
        )


class UploadForm(forms.Form):
    """A file of qrels, and where its judgments are from."""

    file = forms.FileField(
        label="qrels file", help_text="Topic, anything, docno, grade; plain or gzip."
    )
    source = forms.CharField(
        max_length=MAX_WORDS,
        label="where these judgments are from",
        help_text="Shown with every score against them: "
        "who judged, which collection, which release.",
    )

    def clean_file(self) -> File[bytes]:
        return within(self.cleaned_data["file"], MAX_QRELS_BYTES)


class WithdrawForm(forms.Form):
    """Why a version is withdrawn."""

    reason = forms.CharField(
        max_length=MAX_WORDS,
        label="why it is withdrawn",
        help_text="Shown on this page and on every leaderboard scored against it.",
    )
