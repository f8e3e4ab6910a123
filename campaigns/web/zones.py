"""Times in forms: fields for a moment and a zone, and the zone whose clock a form is read by."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError

from accounts.fields import Suggesting
from campaigns.models.campaign import DATES, Campaign
from campaigns.models.moments import ZONE_NAMES, named_day

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
# What becomes of the times if the zone changes.
KEEP_CLOCK, KEEP_MOMENT = "clock", "moment"


class Moment(forms.DateTimeInput):
    """An input with the browser's picker of date and time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A moment by the clock in force, which must show it exactly once."""

    default_validators = [*DATES]

    def to_python(self, value: Any) -> datetime | None:
        try:
            return super().to_python(value)
        except ValidationError as error:
            if getattr(error, "code", "") != "ambiguous_timezone":
                raise
            raise ValidationError(_why_no_moment(error.params or {})) from error


def _why_no_moment(typed: Mapping[str, Any]) -> str:
    """Say whether clocks go forward or back at a time: across a gap the offset grows."""
    at, zone = typed["datetime"], typed["current_timezone"]
    before, after = (zone.utcoffset(at.replace(fold=fold)) for fold in (0, 1))
    when = named_day(at, r"G:i \o\n j F Y")
    if before < after:
        return (
            f"{when} does not exist in {zone}, where clocks go forward then: choose another time."
        )
    return f"{when} comes twice in {zone}, where clocks go back then: choose another time."


class ZoneField(forms.CharField):
    """A time zone, found by a part of its name."""

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
    """Return the key of a zone that was typed by key or by name."""
    return next((key for key, name in ZONE_NAMES.items() if name == typed), typed)


def zone_of(data: Mapping[str, Any], campaign: Campaign | None) -> ZoneInfo:
    """Return the zone of the times in a form.

    It is the one in which the page showed them, or the chosen one: if there were no times, or if
    they keep their clock time.
    """
    stored = campaign.time_zone if campaign else "UTC"
    has_times = campaign and any(getattr(campaign, name) for name in MOMENTS)
    name = data.get("times_are_in") if has_times else ""
    if not name or data.get("keep") == KEEP_CLOCK:
        name = zone_key(data.get("time_zone") or stored)
    # The form itself refuses any other name.
    return ZoneInfo(name if name in TIME_ZONES else "UTC")


def zone_shown(data: Mapping[str, Any], campaign: Campaign) -> ZoneInfo:
    """Return the time zone of the page that was sent."""
    name = data.get("times_are_in")
    return ZoneInfo(name) if name in TIME_ZONES else campaign.zone
