"""The settings of a campaign as forms."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.template.defaultfilters import pluralize
from django.utils.functional import cached_property

from accounts.fields import AcceptField, SeenField
from campaigns.access.windows import shown
from campaigns.changes import criterion_in_words as in_words
from campaigns.core.control_shares import ControlShare, shares_of
from campaigns.core.criteria import criteria_of
from campaigns.core.settings import setting_faults
from campaigns.from_above import progress_of
from campaigns.models.campaign import MOST_CONTROLS, Campaign
from campaigns.models.people import Team
from campaigns.web.criteria_forms import CriteriaRows, Rows
from campaigns.web.editing import EditingForm
from campaigns.web.zones import (
    KEEP_CLOCK,
    KEEP_MOMENT,
    MOMENTS,
    Moment,
    MomentField,
    ZoneField,
    zone_of,
)
from cleverdon.trec.words import counted

CONTROLS = ("known_percent", "repeat_percent")
# The pages of the settings, each with its title and its fields.
SECTIONS: Mapping[str, tuple[str, Sequence[str]]] = {
    "description": ("Description", ("name", "description", "notice")),
    "dates": ("Dates", ("time_zone", "times_are_in", "keep", *MOMENTS, "accepts")),
    "runs": ("Runs", ("run_depth", "accepts")),
    "grades": ("Grades and criteria", ("criteria", "takes_evidence", "evidence_from", "accepts")),
    "guidelines": ("Guidelines", ("guidelines", "shows_guidelines")),
    "judging": (
        "Judging and controls",
        (
            "seconds_per_judgment",
            "least_view_ms",
            "refuses_conflicts",
            "serves_duplicates_together",
            "shared_rule",
            *CONTROLS,
            "accepts",
        ),
    ),
}
SECTION_TITLES = [(name, title) for name, (title, _) in SECTIONS.items()]
# What a campaign begins with; the rest has defaults.
TO_BEGIN = ("name", "description", "time_zone", "criteria")


class CampaignForm(EditingForm[Campaign]):
    """The settings in `only`. Times are shown in the campaign's zone, and read in `zone_of`'s."""

    criteria = forms.Field(label="grades and criteria", required=False, widget=Rows)
    time_zone = ZoneField(initial="UTC")
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)
    accepts = AcceptField()
    keep = forms.ChoiceField(
        label=(
            "You changed the time zone. "
            "Should the dates keep their clock time or stay the same moment?"
        ),
        required=False,
        widget=forms.RadioSelect,
        choices=[
            (KEEP_CLOCK, "keep their clock time: 23:59 stays 23:59, in the new zone"),
            (KEEP_MOMENT, "stay the same moment, at another clock time"),
        ],
    )

    class Meta:
        model = Campaign
        fields = sorted({name for _, names in SECTIONS.values() for name in names})
        help_texts = {
            "description": (
                "What the campaign is about, what the collection is and where to get it. "
                "Shown on Overview, and to assessors and participants on their page Collection; "
                "addresses become links."
            )
        }
        error_messages = {
            "known_percent": {
                "max_value": f"At most {MOST_CONTROLS} of 100 documents can be of known grade."
            },
            "repeat_percent": {
                "max_value": f"At most {MOST_CONTROLS} of 100 documents can be repeats."
            },
        }
        field_classes = dict.fromkeys(MOMENTS, MomentField)
        widgets = {
            "guidelines": forms.Textarea(attrs={"rows": 10}),
            "notice": forms.Textarea(attrs={"rows": 2}),
            "description": forms.Textarea(attrs={"rows": 3}),
            **{name: Moment() for name in MOMENTS},
        }

    def __init__(self, *arguments: Any, only: Sequence[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields = {name: self.fields[name] for name in only}
        self.stored = {name: self.stored[name] for name in only if name in self.stored}
        if "criteria" in only:
            self.rows = CriteriaRows(self.instance, self.data)
        self.initial["times_are_in"] = self.instance.time_zone
        self.n_extended = n = Team.objects.extended(self.instance).count() if "keep" in only else 0
        if n:
            whose = f"deadline{pluralize(n)} of {counted(n, 'team')}"
            self.fields["keep"].help_text = f"This applies to the extended {whose}."

    @property
    def shares(self) -> list[ControlShare]:
        """How many controls the usual shares and the stored ones give."""
        percents = [self.stored.get(name) or 0 for name in CONTROLS]
        return shares_of(percents, self._sizes)

    @property
    def n_pooled(self) -> int:
        return len(self._sizes)

    @cached_property
    def _sizes(self) -> list[int]:
        progress = progress_of(self.instance) if self.instance.pk else {}
        return [each.n_pooled for each in progress.values()]

    @property
    def asks_what_stays(self) -> bool:
        """Whether the zone was changed, so that the page asks what becomes of the times."""
        return bool(self.data.get("keep")) or "keep" in self.errors

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self._check_zone(cleaned)
        for name, sentence in setting_faults(cleaned, self._grades):
            self.add_error(name, sentence)
        return cleaned

    def clean_criteria(self) -> list[dict[str, Any]]:
        try:
            return self.rows.cleaned() if self.rows.is_sent else self.instance.criteria
        except ValidationError:
            # The summary leads there.
            self.fields["criteria"].widget.attrs["id"] = next(iter(self.rows.faults), "")
            raise

    @property
    def _grades(self) -> list[int]:
        """The grades of the scale as it was sent, or else as it is."""
        its: CriteriaRows | None = getattr(self, "rows", None)
        scale = its.forms[0].answers if its and its.is_sent else self.instance.scale.grades
        return [each.value for each in scale or ()]

    def _check_zone(self, cleaned: dict[str, Any]) -> None:
        """Ask what becomes of the times, if there are any and the zone changes."""
        is_other = "time_zone" in self._changed() and cleaned.get("times_are_in")
        has_times = self.n_extended or any(map(self.stored.get, MOMENTS))
        if is_other and has_times and not cleaned.get("keep"):
            self.add_error("keep", "Choose what happens to the dates.")

    @property
    def keeps_clock(self) -> bool:
        return bool(self.cleaned_data.get("keep") == KEEP_CLOCK)

    def shown(self, name: str, value: Any) -> str:
        if name == "criteria":
            return ". ".join(f"{each.name}: {in_words(each)}" for each in criteria_of(value))
        if name in MOMENTS and value:
            return shown(self.instance, value, self.zone)
        return super().shown(name, value)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which the times in the fields are read."""
        return zone_of(self.data, self.instance)


class DeletionForm(forms.Form):
    """Asks for the campaign's name: there is no way back."""

    name = forms.CharField(label="the campaign's name")
    seen = SeenField(required=True)

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.campaign.name:
            raise ValidationError("This is not the name of the campaign.")
        return name
