"""The settings of a campaign."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.template.defaultfilters import pluralize
from django.utils.functional import cached_property

from accounts.forms import AcceptField, Suggesting
from campaigns.access.windows import shown
from campaigns.core.control_shares import Share, shares_of
from campaigns.core.criteria import BadCriteria, criteria_of, read, written
from campaigns.core.grades import MAX_GRADE, MIN_GRADE, BadLevel, Scale
from campaigns.events import CampaignEvent
from campaigns.from_above import progress_of
from campaigns.models.campaign import MOST_CONTROLS, Campaign
from campaigns.models.moments import ZONE_NAMES, named_day, zone_name
from campaigns.models.people import Team
from campaigns.web.merging import MergingForm, last_actor
from trec.words import counted

# Only these are accepted: the name of a zone is also the path of a system file.
TIME_ZONES = sorted(available_timezones())
FIRST_ZONES = (*ZONE_NAMES, "UTC")
MOMENTS = (
    "topics_open_at",
    "submission_opens_at",
    "submission_closes_at",
    "judging_opens_at",
    "judging_closes_at",
)
KEEP_CLOCK, KEEP_MOMENT = "clock", "moment"
# The pages of the settings: what each is called, and its fields.
SECTIONS: Mapping[str, tuple[str, Sequence[str]]] = {
    "description": ("Description", ("name", "description", "notice")),
    "dates": ("Dates", ("time_zone", "times_are_in", "keep", *MOMENTS)),
    "runs": ("Runs", ("run_depth", "accepts")),
    "grades": (
        "Grades and criteria",
        ("grades", "level", "criteria", "takes_evidence", "evidence_from", "accepts"),
    ),
    "guidelines": ("Guidelines", ("guidelines", "shows_guidelines")),
    "judging": (
        "Judging and controls",
        (
            "seconds_per_judgment",
            "least_view_ms",
            "refuses_conflicts",
            "known_percent",
            "repeat_percent",
        ),
    ),
}
SECTION_TITLES = [(name, title) for name, (title, _) in SECTIONS.items()]
# What a campaign begins with; the rest has defaults.
TO_BEGIN = ("name", "description", "time_zone", "grades", "level")


class Moment(forms.DateTimeInput):
    """A field in which the browser picks a date and a time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A moment by the clock of the zone in force; what that clock skips or shows twice is refused with the reason."""

    def to_python(self, value: Any) -> datetime | None:
        try:
            return super().to_python(value)
        except ValidationError as error:
            if getattr(error, "code", "") != "ambiguous_timezone":
                raise
            raise ValidationError(_why_no_moment(error.params or {})) from error


def _why_no_moment(typed: Mapping[str, Any]) -> str:
    """Say whether a time falls where clocks go forward or back: across a gap the later offset is the greater one."""
    at, zone = typed["datetime"], typed["current_timezone"]
    before, after = (zone.utcoffset(at.replace(fold=fold)) for fold in (0, 1))
    when = named_day(at, r"G:i \o\n j F Y")
    if before < after:
        return (
            f"{when} does not exist in {zone}, where clocks go forward then: choose another time."
        )
    return f"{when} comes twice in {zone}, where clocks go back then: choose another time."


EXAMPLE = """credibility | How credible is it? | from 1
0 | not credible
1 | credible"""


class ZoneField(forms.CharField):
    """A time zone, found by typing a part of its name."""

    def __init__(self, **options: Any) -> None:
        named = (ZONE_NAMES.get(zone, zone) for zone in (*FIRST_ZONES, *TIME_ZONES))
        help_text = "Clear it and type a city or a continent, such as Europe/Paris."
        super().__init__(widget=Suggesting(dict.fromkeys(named)), help_text=help_text, **options)

    def prepare_value(self, value: Any) -> Any:
        return ZONE_NAMES.get(value, value)

    def clean(self, value: Any) -> str:
        zone = zone_key(super().clean(value))
        if zone not in TIME_ZONES:
            raise ValidationError("Choose a time zone from the list.")
        return zone


def zone_key(typed: str) -> str:
    """Return the key of a zone, of which the name may have been typed."""
    return next((key for key, name in ZONE_NAMES.items() if name == typed), typed)


class CampaignForm(MergingForm[Campaign]):
    """Some of the settings of a campaign, those in `only`. Times are shown in its own zone, and read in the zone that `zone_of` returns."""

    stored_as = {"grades": "scale_grades"}

    grades = forms.CharField(
        label="scale of grades",
        widget=forms.Textarea(attrs={"rows": 5, "class": "code"}),
        help_text=f"A line for each grade: value ({MIN_GRADE} to {MAX_GRADE}) | label | description. Measures read grades below 0 as trec_eval does: like unjudged.",
    )
    criteria = forms.CharField(
        label="further criteria",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "class": "code", "placeholder": EXAMPLE}),
        help_text="A line for each criterion: name | question | from grade (optional). Below it a line for each answer: value (0 to 9) | label | description. "
        "You can always add one. Answers keep their values and labels once somebody has judged. To retire a criterion, write “not asked” after its question.",
    )
    time_zone = ZoneField(initial="UTC")
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)
    accepts = AcceptField()
    keep = forms.ChoiceField(
        label="You changed the time zone. Should the dates keep their clock time or stay the same moment?",
        required=False,
        widget=forms.RadioSelect,
        choices=[
            (KEEP_CLOCK, "keep their clock time: 23:59 stays 23:59, in the new zone"),
            (KEEP_MOMENT, "stay the same moment, at another clock time"),
        ],
    )

    class Meta:
        model = Campaign
        fields = [
            "name",
            "description",
            "guidelines",
            "shows_guidelines",
            "grades",
            "level",
            "criteria",
            "takes_evidence",
            "evidence_from",
            "run_depth",
            "seconds_per_judgment",
            "time_zone",
            "refuses_conflicts",
            "least_view_ms",
            "known_percent",
            "repeat_percent",
            *MOMENTS,
            "notice",
        ]
        help_texts = {
            "description": "What the campaign is about, what the collection is and where to get it. Shown on Overview and Collection; addresses become links."
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
        grades = self.instance.scale_grades
        lines = [f"{each['value']} | {each['label']} | {each['description']}" for each in grades]
        self.initial["grades"] = "\n".join(lines)
        self.initial["criteria"] = written(self.instance.every_criterion)
        self.initial["times_are_in"] = self.instance.time_zone
        teams = Team.objects.filter(campaign=self.instance.pk)
        self.n_extended = n = teams.extended().count() if "keep" in only else 0
        if n:
            whose = f"deadline{pluralize(n)} of {counted(n, 'team')}"
            self.fields["keep"].help_text = f"This applies to the extended {whose}."

    @property
    def shares(self) -> list[Share]:
        """What a share of controls comes to: a usual one, and those in the fields."""
        names = ("known_percent", "repeat_percent")
        percents = [self.stored.get(name) or 0 for name in names]
        return shares_of(percents, self._sizes)

    @property
    def n_pooled(self) -> int:
        """How many topics the pool has."""
        return len(self._sizes)

    @cached_property
    def _sizes(self) -> list[int]:
        found = progress_of(self.instance) if self.instance.pk else {}
        return [each.n_pooled for each in found.values()]

    @property
    def asks_what_stays(self) -> bool:
        """Whether the zone was changed, so that the page must ask what becomes of the times."""
        return bool(self.data.get("keep")) or "keep" in self.errors

    def clean_grades(self) -> list[dict[str, Any]]:
        lines = [line for line in self.cleaned_data["grades"].splitlines() if line.strip()]
        return [_grade(number, line) for number, line in enumerate(lines, 1)]

    def clean_criteria(self) -> list[dict[str, Any]]:
        try:
            return [each.to_json() for each in read(self.cleaned_data["criteria"])]
        except BadCriteria as error:
            raise ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "grades" in cleaned and "level" in cleaned:
            try:
                Scale.from_json({"grades": cleaned["grades"], "level": cleaned["level"]})
            except BadLevel as error:
                self.add_error("level", str(error))
            except ValueError as error:
                self.add_error("grades", str(error))
        self._check_conditions(cleaned)
        self._check_zone(cleaned)
        for act in ("submission", "judging"):
            opens, closes = (cleaned.get(f"{act}_opens_at"), cleaned.get(f"{act}_closes_at"))
            if opens and closes and closes <= opens:
                self.add_error(f"{act}_closes_at", f"It must be after {act} opens.")
        return cleaned

    def _check_conditions(self, cleaned: Mapping[str, Any]) -> None:
        """Refuse a condition that names no grade of the scale: it would hold always or never."""
        grades = [grade["value"] for grade in cleaned.get("grades", ())]
        if not grades:
            return
        listed = ", ".join(map(str, sorted(grades)))
        for each in criteria_of(cleaned.get("criteria", ())):
            if each.from_grade is not None and each.from_grade not in grades:
                self.add_error(
                    "criteria",
                    f"{each.name} is asked from grade {each.from_grade}, which is not a grade of the scale: {listed}.",
                )
        lowest = cleaned.get("evidence_from")
        if lowest is not None and lowest not in grades:
            self.add_error("evidence_from", f"It is not a grade of the scale: {listed}.")
        if lowest is not None and cleaned.get("takes_evidence") is False:
            self.add_error("evidence_from", "Let assessors mark passages, or leave this empty.")

    def _check_zone(self, cleaned: dict[str, Any]) -> None:
        """Ask what becomes of the times if the zone changes and there were any."""
        is_other = cleaned.get("times_are_in") not in {"", cleaned.get("time_zone")}
        has_times = self.n_extended or any(map(self.stored.get, MOMENTS))
        if is_other and has_times and not cleaned.get("keep"):
            self.add_error("keep", "Choose what happens to the dates.")

    @property
    def keeps_clock(self) -> bool:
        """Whether times stay what the clock says in the new zone."""
        return bool(self.cleaned_data.get("keep") == KEEP_CLOCK)

    def changed_by(self, name: str) -> str:
        """Return who changed a setting last, from the audit trail."""
        return changed_setting(self.instance, self._attribute(name))

    def shown(self, name: str, value: Any) -> str:
        if name == "grades":
            return "; ".join(f"{each['value']} {each['label']}" for each in value)
        if name == "criteria":
            return written(criteria_of(value)) or "none"
        if name in MOMENTS and value:
            return shown(self.instance, value, self.zone)
        return super().shown(name, value)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which the times in the fields are read."""
        return zone_of(self.data, self.instance)

    def _conflict(self, name: str) -> str:
        """Say also that the zone is another by now: theirs and one's own are in the one that the page showed."""
        said = super()._conflict(name)
        zone_shown = self.data.get("times_are_in")
        if name not in MOMENTS or zone_shown in {"", None, self.instance.time_zone}:
            return said
        return (
            f"{said} {self.changed_by('time_zone')} also changed the campaign's time zone, to {self.instance.zone_name}: "
            f"the times in the fields are still in {zone_name(self.zone)}."
        )

    def values(self) -> dict[str, Any]:
        """Return what a campaign begins with, under the model's own names."""
        values = dict(self.cleaned_data)
        values["scale_grades"] = values.pop("grades")
        return values


def zone_of(data: Mapping[str, Any], campaign: Campaign | None) -> ZoneInfo:
    """Return the zone of the times in a form: the one in which the page showed them, or the chosen one if it showed none or the clock is kept."""
    stored = campaign.time_zone if campaign else "UTC"
    has_times = campaign and any(getattr(campaign, name) for name in MOMENTS)
    name = data.get("times_are_in") if has_times else ""
    if not name or data.get("keep") == KEEP_CLOCK:
        name = zone_key(data.get("time_zone") or stored)
    # The form itself refuses any other name.
    return ZoneInfo(name if name in TIME_ZONES else "UTC")


def changed_setting(campaign: Campaign, name: str) -> str:
    """Return who changed a setting last."""
    return last_actor(campaign, CampaignEvent.CHANGED, detail__after__has_key=name)


class DeletionForm(forms.Form):
    """The name of the campaign, typed by whoever deletes what has no way back."""

    name = forms.CharField(label="the campaign's name")
    seen = forms.CharField(max_length=500, widget=forms.HiddenInput)

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.campaign.name:
            raise ValidationError("This is not the name of the campaign.")
        return name


def _grade(number: int, line: str) -> dict[str, Any]:
    value, _, rest = line.partition("|")
    label, _, description = rest.partition("|")
    # A minus sign as word processors write it means the same.
    value = value.strip().replace("\N{MINUS SIGN}", "-")
    if not re.fullmatch(r"-?\d{1,9}", value, re.ASCII) or not label.strip():
        raise ValidationError(
            f"Line {number}: write a whole number from {MIN_GRADE} to {MAX_GRADE}, |, a label, |, a description."
        )
    return {"value": int(value), "label": label.strip(), "description": description.strip()}
