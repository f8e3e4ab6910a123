"""Changes of the settings: as an event keeps them, and as people read them."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models

from campaigns.core.criteria import criteria_of
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.moments import SHORT_MINUTE, dated
from campaigns.models.trail import AuditEvent
from cleverdon.trec.words import counted

LABELS = {"level": "relevant from", "scale_grades": "grades"}
# Settings that are lists, as a line of text.
LISTS: Mapping[str, Callable[[Any], str]] = {
    "scale_grades": lambda grades: ", ".join(f"{each['value']} {each['label']}" for each in grades),
    "criteria": lambda stored: "; ".join(
        f"{each.name} ({', '.join(each.fixed.values())})" for each in criteria_of(stored)
    ),
}
# Of a longer text only the length is shown.
LONGEST = 60


def label_of(name: str) -> str:
    field = Campaign._meta.get_field(name)
    return LABELS.get(name, str(getattr(field, "verbose_name", name)))


def recorded(campaign: Campaign, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an event keeps of changes that are about to be made."""
    before = {name: _stored(getattr(campaign, name)) for name in changes}
    after = {name: _stored(value) for name, value in changes.items()}
    return {"before": before, "after": after}


def _stored(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def changes_of(event: AuditEvent, zone: ZoneInfo) -> list[tuple[str, str, str]]:
    """Return the settings that changed, each with its values before and after, as texts.

    Of a release, what people saw before and what they see now.
    """
    before, after = event.detail.get("before"), event.detail.get("after")
    if isinstance(before, str) and isinstance(after, str):
        return [("released", before or "nothing", after or "nothing")]
    if event.kind != CampaignEvent.CHANGED:
        return []
    return [
        (label_of(name), _written(name, before[name], zone), _written(name, after[name], zone))
        for name in after
    ]


def _written(name: str, value: Any, zone: ZoneInfo) -> str:
    """Write a value as the settings show it."""
    field = Campaign._meta.get_field(name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", []):
        return "none"
    if isinstance(field, models.DateTimeField):
        return dated(datetime.fromisoformat(value), zone, SHORT_MINUTE)
    if name in LISTS:
        return LISTS[name](value)
    if choices := dict(getattr(field, "flatchoices", ())):
        return str(choices.get(value, value))
    text = str(value)
    return text if len(text) <= LONGEST else f"a text of {counted(len(text.split()), 'word')}"
