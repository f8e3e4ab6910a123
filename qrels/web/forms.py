"""Forms for publishing qrels, importing those that exist already, and withdrawing a version."""

from typing import Any, cast

from django import forms
from django.core.files import File
from django.core.files.base import ContentFile

from accounts.fields import AcceptField, SeenField, beginning, rewrite, within
from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from cleverdon.trec.three_columns import four_columns, is_qrels
from qrels.bases import bases_of
from qrels.models import Qrels
from qrels.rows import OFFICIAL
from qrels.services.importing import WHERE_FROM
from qrels.tasks import MAX_QRELS_BYTES

MAX_WORDS = 1000
THREE_COLUMNS = (
    "Its first line names three columns: topic, docno and grade. Ask to have it converted, and "
    "choose it again."
)
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

    grades = forms.TypedChoiceField(required=False, empty_value=OFFICIAL, label="which grades")
    accepts = AcceptField()

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        options["initial"] = {"level": campaign.level, "grades": OFFICIAL}
        super().__init__(*arguments, **options)
        self.fields["grades"].one_is_needed = True  # type: ignore[attr-defined]  # not called optional
        self.fields["grades"].choices = [  # type: ignore[attr-defined]
            (key, each.label) for key, each in bases_of(campaign).items()
        ]
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


class VersionChoice(forms.ModelChoiceField[Qrels]):
    def label_from_instance(self, obj: Qrels) -> str:
        return f"{obj.campaign}, {obj}"


class UploadForm(forms.Form):
    """A file of qrels, or a version of an earlier campaign, and where its judgments are from."""

    file = forms.FileField(
        label="qrels file",
        required=False,
        help_text="Topic, anything, docno, grade; plain or gzip.",
    )
    converts = forms.BooleanField(
        required=False,
        label="take the header off, and write a 0 between topic and docno",
        help_text="The preview shows the lines as they are then.",
    )
    earlier = VersionChoice(
        Qrels.objects.none(),
        label="or a version of another campaign",
        required=False,
        empty_label="none",
        help_text="Of the campaigns that you organize. Topics and documents have the same names.",
    )
    source = forms.CharField(
        max_length=MAX_WORDS,
        required=False,
        label="where these judgments are from",
        help_text="Shown with every score against them: "
        "who judged, which collection, which release.",
    )

    def __init__(self, *arguments: Any, user: User, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.has_three_columns = False  # until a file has
        organized = Membership.objects.filter(user=user, role=Role.ORGANIZER).values("campaign")
        others = (
            Qrels.objects.standing()
            .filter(campaign__in=organized, basis__in=["", OFFICIAL])
            .exclude(campaign=campaign)
        )
        others = others.select_related("campaign").order_by("campaign__name", "-number")
        cast("VersionChoice", self.fields["earlier"]).queryset = others
        for name in ("file", "earlier", "source"):  # those of a version say it themselves
            self.fields[name].one_is_needed = True  # type: ignore[attr-defined]  # not called optional
        if not others.exists():
            del self.fields["earlier"]

    def clean_file(self) -> File[bytes] | None:
        file = self.cleaned_data["file"]
        if file:
            within(file, MAX_QRELS_BYTES)
            self.has_three_columns = is_qrels(beginning(file, MAX_QRELS_BYTES))
        return file  # type: ignore[no-any-return]

    def clean(self) -> dict[str, Any]:
        """Return the file and its source, as `upload_qrels` takes them."""
        values = self.cleaned_data
        file, earlier = values.get("file"), values.get("earlier")
        if earlier and file:
            raise forms.ValidationError("Choose a file or a version, not both.")
        if earlier:
            source = values.get("source") or f"{earlier.campaign}, {earlier}"
            return {"file": _copied(earlier), "source": source}
        if not file and "file" not in self.errors:
            self.add_error("file", "Choose a file.")
        if file and not values.get("source"):
            self.add_error("source", WHERE_FROM)
        if file and self.has_three_columns:
            if not values["converts"]:
                raise forms.ValidationError({"file": THREE_COLUMNS})
            if not self.errors:
                self._convert(file)
        return {"file": file, "source": values.get("source", "")}

    def _convert(self, file: File[bytes]) -> None:
        try:
            rewrite(file, four_columns, MAX_QRELS_BYTES)
        except forms.ValidationError as error:
            self.add_error("file", error)


def _copied(qrels: Qrels) -> File[bytes]:
    """Return the content of a version as a file of its own: no two campaigns share one."""
    with qrels.file.open("rb") as file:
        return ContentFile(file.read(), name=f"{qrels.campaign.slug}-qrels-{qrels.number}.txt")


class WithdrawForm(forms.Form):
    """Why a version is withdrawn."""

    reason = forms.CharField(
        max_length=MAX_WORDS,
        label="why it is withdrawn",
        help_text="Shown with the version and on every leaderboard scored against it.",
    )
