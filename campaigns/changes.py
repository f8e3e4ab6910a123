"""Changes of the settings: as an event keeps them, and as people read them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models

from campaigns.core.criteria import Criterion, criteria_of
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.moments import SHORT_MINUTE, dated
from campaigns.models.trail import AuditEvent
from cleverdon.trec.words import counted

# Of a longer text only the length is shown.
LONGEST = 60


def label_of(name: str) -> str:
    return str(getattr(Campaign._meta.get_field(name), "verbose_name", name))


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
    found: list[tuple[str, str, str]] = []
    for name in after:
        if name == "criteria":
            found += _of_criteria(criteria_of(before[name]), criteria_of(after[name]))
        else:
            was, now = (_written(name, value, zone) for value in (before[name], after[name]))
            found.append((label_of(name), was, now))
    return found


def _of_criteria(
    before: Sequence[Criterion], after: Sequence[Criterion]
) -> Iterator[tuple[str, str, str]]:
    was, is_now = ({each.name: each for each in given} for given in (before, after))
    for name in {**was, **is_now}:
        old, new = was.get(name), is_now.get(name)
        if old != new:
            yield name, criterion_in_words(old), criterion_in_words(new)


def criterion_in_words(criterion: Criterion | None) -> str:
    """Return its answers, and what else counts: "0 no, 1 yes; relevant from 1"."""
    if criterion is None:
        return "none"
    said = [", ".join(f"{value} {label}" for value, label in criterion.fixed.items())]
    if criterion.level is not None:
        said.append(f"relevant from {criterion.level}")
    if criterion.from_grade is not None:
        said.append(f"asked from grade {criterion.from_grade}")
    if criterion.is_retired:
        said.append("no longer asked")
    return "; ".join(said)


def _written(name: str, value: Any, zone: ZoneInfo) -> str:
    """Write a value as the settings show it."""
    field = Campaign._meta.get_field(name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", []):
        return "none"
    if isinstance(field, models.DateTimeField):
        return dated(datetime.fromisoformat(value), zone, SHORT_MINUTE)
    if choices := dict(getattr(field, "flatchoices", ())):
        return str(choices.get(value, value))
    text = str(value)
    return text if len(text) <= LONGEST else f"a text of {counted(len(text.split()), 'word')}"
