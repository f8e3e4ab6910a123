"""Forms for rows that others may change meanwhile: no change is overwritten unseen."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from django import forms
from django.db.models import Model, TextChoices
from django.utils.text import Truncator

from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent

Row = TypeVar("Row", bound=Model)
LONGEST = 600  # characters of the other's value that are shown


class Merging(forms.BaseForm):
    """A form that knows what its page showed, and takes only what the person has changed since.

    `stored` holds the present values by field; read it from locked rows. A field that somebody else
    has changed too is refused with their value; sent again, it replaces that. The template writes
    `form.seen_now` into a hidden field `seen`; without it every field counts as changed.
    """

    # The names of columns by those of fields, where they differ.
    stored_as: Mapping[str, str] = {}
    stored: dict[str, Any]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conflicts: set[str] = set()

    def _attribute(self, name: str) -> str:
        return self.stored_as.get(name, name)

    @property
    def seen(self) -> dict[str, str]:
        """Digests of what the page showed, by field."""
        try:
            sent = json.loads(self.data.get("seen", "{}"))
        except (ValueError, RecursionError):
            return {}
        shown = sent.items() if isinstance(sent, dict) else ()
        return {name: each for name, each in shown if isinstance(each, str)}

    @property
    def seen_now(self) -> str:
        """Digests of what this page shows: a conflict that was shown is none any more."""
        now = {
            name: digest(value)
            for name, value in self.stored.items()
            if not self.is_bound or name in self.conflicts
        }
        return json.dumps({**self.seen, **now})

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, value in self.stored.items():
            before, now = self.seen.get(name), digest(value)
            is_changed = name in cleaned and before and before != now
            if is_changed and digest(cleaned[name]) not in {before, now}:
                self.conflicts.add(name)
        for name in self.conflicts:
            self.add_error(name, self._conflict(name))
        return cleaned

    def _conflict(self, name: str) -> str:
        shown = Truncator(self.shown(name, self.stored[name])).chars(LONGEST)
        return (
            f"{self.changed_by(name)} changed this while you had the page open, to “{shown}”. "
            "Yours is still in the field: save again to put it in place of theirs."
        )

    def changed_by(self, name: str) -> str:
        """Return who changed a field, as far as it is known."""
        return "Somebody else"

    def shown(self, name: str, value: Any) -> str:
        """Return a stored value in words."""
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            labels = (label for choice, label in field.widget.choices if choice == value)
            return str(next(labels, value))
        return str(field.prepare_value(value)) if value not in (None, "") else "nothing"

    def changes(self) -> dict[str, Any]:
        """Return what the person changed, by column. What the page did not show is not changed."""
        seen = self.seen
        return {
            self._attribute(name): self.cleaned_data[name]
            for name, value in self.stored.items()
            if name in self.cleaned_data
            and not (seen and name not in seen)
            and digest(self.cleaned_data[name]) not in {seen.get(name), digest(value)}
        }


class MergingForm(Merging, forms.ModelForm[Row]):
    """A merging form of one row: build it on the locked row."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # The form writes into its instance when it is cleaned.
        attributes = {name: self._attribute(name) for name in self.fields}
        self.stored = {
            name: getattr(self.instance, attribute)
            for name, attribute in attributes.items()
            if hasattr(self.instance, attribute)
        }


def last_actor(campaign: Campaign, kind: TextChoices, **where: Any) -> str:
    """Return who last did something, by the audit trail."""
    events = AuditEvent.objects.filter(campaign=campaign, kind=kind, **where)
    last = events.select_related("actor").first()
    return str(last.actor) if last else "Somebody else"


def digest(value: Any) -> str:
    """Return a short hash of a value, but for what browsers change: line ends, seconds."""
    if isinstance(value, str):
        value = "\n".join(value.splitlines()).strip()
    if isinstance(value, datetime):
        value = int(value.timestamp() // 60)
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
