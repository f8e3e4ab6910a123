"""Forms that upload runs."""

from functools import partial
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.forms.models import fields_for_model

from accounts.fields import FilesField, beginning, rewrite, usable
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from cleverdon.trec.archives import is_archive
from cleverdon.trec.runs.run import check_tag
from cleverdon.trec.streams import readable
from cleverdon.trec.three_columns import is_run, six_columns
from runs.core.efficiency import EFFICIENCY, faults
from runs.core.run_table import (
    MAX_BYTES,
    MAX_DESCRIPTION,
    MAX_PRIORITY,
    TYPES,
    RunRow,
    is_run_table,
    read_run_table,
)
from runs.models import Run
from runs.unpacking import tag_in

BASELINE, FOLDERS = "baseline", "folders"
PRIORITY = "1 = pool this run first"
MAX_FILES = 200  # in one upload; more come as an archive
THREE_COLUMNS = (
    "It has three columns, as MS MARCO's runs: topic, docno and rank. Ask to have the others "
    "written, and choose it again."
)


class TeamField(forms.ChoiceField):
    """The team that an organizer uploads for; None is a baseline."""

    def of(self, campaign: Campaign) -> None:
        teams = Team.objects.filter(campaign=campaign, is_baseline=False).in_order()
        self.teams = {str(team.pk): team for team in teams}
        names = [(key, team.name) for key, team in self.teams.items()]
        self.offered = [("", "Choose"), (BASELINE, "none: a baseline"), *names]
        self.choices = self.offered

    def offer(self, key: str, label: str) -> None:
        """Add a choice that is no team, after the first two."""
        self.choices = [*self.offered[:2], (key, label), *self.offered[2:]]

    def clean(self, value: Any) -> Team | None:
        return self.teams.get(super().clean(value))


class TypeField(forms.TypedChoiceField):
    """The type of a run: manual if a person intervened, automatic, or not stated."""

    kind = bool

    def __init__(self, **options: Any) -> None:
        written = {False: "automatic", True: "manual: a person intervened"}
        super().__init__(
            label="type",
            required=False,
            choices=[("", TYPES[None]), *written.items()],
            coerce=lambda value: value == "True",
            empty_value=None,
            **options,
        )

    def to_python(self, value: Any) -> str:
        """Return it as the choices are written, also of a program's true or false."""
        return str(super().to_python(value)).capitalize()


class Upload(forms.Form):
    """Has a field for the team where organizers upload; participants have one team."""

    team = TeamField()

    def __init__(self, *arguments: Any, for_team: Campaign | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if for_team is None:
            del self.fields["team"]
        else:
            cast("TeamField", self.fields["team"]).of(for_team)


class EfficiencyFields(forms.BaseForm):
    """Has the fields of a run's efficiency, apart from the others."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, sentence in faults(cleaned).items():
            self.add_error(name, sentence)
        return cleaned

    @property
    def of_efficiency(self) -> list[forms.BoundField]:
        return [self[name] for name in EFFICIENCY]

    @property
    def others(self) -> list[forms.BoundField]:
        return [each for each in self if each.name not in EFFICIENCY]

    @property
    def is_efficiency_refused(self) -> bool:
        return any(each.errors for each in self.of_efficiency)


class RunForm(EfficiencyFields, Upload):
    field_order = ["team", "file", "converts", "tag", "description", "is_manual", "priority"]
    file = forms.FileField(
        label="run file",
        allow_empty_file=True,  # `usable` names it
        help_text="Six columns in TREC format; plain or gzip.",
    )
    converts = forms.BooleanField(
        required=False,
        label="write the columns Q0, score and tag",
        help_text="The score is the rank with a minus, and the tag the one that is given, "
        "or else the name of the file.",
    )
    tag = forms.CharField(
        required=False,
        label="run tag",
        max_length=20,
        help_text="Leave empty to take it from the file's sixth column: "
        "1 to 20 letters, digits, _ - or .",
    )
    description = forms.CharField(
        required=False,
        max_length=MAX_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the system works, in a few words.",
    )
    is_manual = TypeField()
    priority = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_PRIORITY, help_text=PRIORITY
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields |= fields_for_model(Run, EFFICIENCY)
        self.has_three_columns = False  # until a file has

    @property
    def others(self) -> list[forms.BoundField]:
        return [
            each for each in super().others if each.name != "converts" or self.has_three_columns
        ]

    def clean_file(self) -> File[bytes]:
        file = self.cleaned_data["file"]
        if is_archive(cast("BinaryIO", file.file)):
            raise ValidationError("This is an archive: send it under “Upload many runs at once”.")
        return usable(file, settings.MAX_RUN_BYTES)

    def clean_tag(self) -> str:
        tag, file = self.cleaned_data["tag"], self.cleaned_data.get("file")
        if file:
            self.has_three_columns = is_run(beginning(file, settings.MAX_RUN_BYTES))
        if self.has_three_columns and not self.cleaned_data["converts"]:
            self.add_error("file", THREE_COLUMNS)
            return str(tag)
        try:
            if tag:
                check_tag(tag)
            elif file and self.has_three_columns:
                tag = PurePosixPath(file.name).name.partition(".")[0]
                check_tag(tag)
            elif file:
                tag = tag_in(cast("BinaryIO", file.file))
        except ValueError as error:
            typed = "" if self.cleaned_data["tag"] else "The tag cannot be taken from the file. "
            raise ValidationError(f"{typed}{error}") from error
        return str(tag)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        file, converts = cleaned.get("file"), cleaned.pop("converts", False)
        if converts and self.has_three_columns and file and cleaned.get("tag"):
            try:
                rewrite(file, partial(six_columns, tag=cleaned["tag"]), settings.MAX_RUN_BYTES)
            except ValidationError as error:
                self.add_error("file", error)
        return cleaned


class RunsForm(Upload):
    """Many runs at once, each under the tag in its file."""

    field_order = ["team", "run_files", "converts_all"]
    run_files = FilesField(
        most=MAX_FILES,
        more="Put them into an archive.",
        label="run files, or an archive of them",
        help_text="Each under the tag of its sixth column; "
        "a zip, tar or tar.gz archive is taken apart. "
        "A table runs.csv in it, or beside the files, describes them all: "
        "its columns are tag, manual, priority, description, and those of efficiency.",
    )

    converts_all = forms.BooleanField(
        required=False,
        label="write the columns Q0, score and tag of runs that have three",
        help_text="As MS MARCO's: topic, docno and rank. The score is the rank with a minus, and "
        "the tag is the name of the file.",
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, auto_id="many_%s", **options)  # two forms are on one page
        if "team" in self.fields:
            team = cast("TeamField", self.fields["team"])
            team.offer(FOLDERS, "several: an archive with a folder for each")
            team.help_text = (
                "For several teams, put each team's runs in a folder with its name. "
                "New names make new teams."
            )

    @property
    def by_folder(self) -> bool:
        """Whether the folders of an archive name the teams, new ones included."""
        return "team" in self.fields and self["team"].value() == FOLDERS

    def clean_run_files(self) -> list[File[bytes]]:
        """Keep the files that may hold runs; `faults` names the others."""
        self.faults: list[str] = []
        self.rows: list[RunRow] = []
        files = []
        for file in self.cleaned_data["run_files"]:
            if is_run_table(str(file.name)):
                self._read_table(file)
            elif self._is_usable(file):
                files.append(file)
        if self.rows and any(is_archive(cast("BinaryIO", file.file)) for file in files):
            self.faults.append("The table beside an archive is not read: put it into the archive.")
        if not files:
            raise ValidationError(self.faults)
        return files

    def _read_table(self, file: File[bytes]) -> None:
        try:
            self.rows += read_run_table(file.read(MAX_BYTES + 1), len(self.rows))
        except ValueError as fault:
            self.faults.append(f"{readable(str(file.name))}: {fault}")

    def _is_usable(self, file: File[bytes]) -> bool:
        is_whole = is_archive(cast("BinaryIO", file.file))
        if self.by_folder and not is_whole:
            self.faults.append(
                f"{readable(str(file.name))} is not an archive, so no folder names its team."
            )
            return False
        try:
            usable(file, settings.MAX_EXPANDED_BYTES if is_whole else settings.MAX_RUN_BYTES)
        except ValidationError as fault:
            named = "" if not file.size else f"{readable(str(file.name))}: "
            self.faults += [f"{named}{sentence}" for sentence in fault.messages]
            return False
        return True
