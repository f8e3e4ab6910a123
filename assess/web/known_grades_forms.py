"""Forms for importing known grades and removing them."""

from django import forms
from django.core.exceptions import ValidationError

from accounts.fields import SeenField, within
from assess.access.known_grades import faults_of_lines
from assess.core.known_grades import KnownLine, read_known
from campaigns.models.campaign import Campaign
from cleverdon.trec.streams import FormatError, opened, told
from collection.models.texts import Topic

# Read and imported within a request.
MAX_BYTES = 2 << 20
ADD, REPLACE = "add", "replace"


class KnownForm(forms.Form):
    """A file of known grades; `cleaned_data["file"]` holds its lines."""

    seen = SeenField()
    file = forms.FileField(
        label="known grades",
        help_text="Topic, 0, docno, grade, as in qrels; plain or gzip. "
        "The documents must have been imported.",
    )
    how = forms.ChoiceField(
        label="existing known grades",
        initial=ADD,
        widget=forms.RadioSelect,
        choices=[
            (ADD, "keep them; a document in both gets the new grade"),
            (REPLACE, "replace them all"),
        ],
    )

    def __init__(self, *arguments: object, campaign: Campaign, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.campaign = campaign

    def clean_file(self) -> list[KnownLine]:
        file = within(self.cleaned_data["file"], MAX_BYTES)
        try:
            lines, faults = read_known(opened(file, limit=MAX_BYTES).read())  # type: ignore[arg-type]
        except FormatError as error:
            raise ValidationError(str(error)) from error
        if faults:
            faults += faults_of_lines(self.campaign, lines)
            raise ValidationError(told(faults))
        return lines

    @property
    def replaces(self) -> bool:
        return bool(self.cleaned_data["how"] == REPLACE)


class ConfirmKnownForm(forms.Form):
    """The grade of the text that a document has now."""

    known = forms.IntegerField(min_value=1, max_value=1 << 62)
    seen = SeenField(required=True)
    grade = forms.IntegerField(min_value=-(1 << 15), max_value=(1 << 15) - 1)


class RemoveKnownForm(forms.Form):
    """The topic whose known grades are removed; without one, all."""

    seen = SeenField()
    topic = forms.ModelChoiceField(Topic.objects.none(), required=False)

    def __init__(self, *arguments: object, campaign: Campaign, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.fields["topic"].queryset = campaign.topic_set.all()  # type: ignore[attr-defined]
