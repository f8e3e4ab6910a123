"""Forms for rows that somebody else may change while the page is open: nobody's change is overwritten without a word."""

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

    `stored` holds what is there now, by field; read it from locked rows. A field that both have changed is refused with the
    other's value; sent again, it replaces that. The template writes `form.seen_now` into a hidden field named `seen`; without
    it every field counts as changed.
    """

    # Fields that are stored under another name, by their own.
    stored_as: Mapping[str, str] = {}
    stored: dict[str, Any]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conflicts: set[str] = set()

    def _attribute(self, name: str) -> str:
        return self.stored_as.get(name, name)

    @property
    def seen(self) -> dict[str, str]:
        """What the page showed, as a digest of each field."""
        try:
            sent = json.loads(self.data.get("seen", "{}"))
        except (ValueError, RecursionError):
            return {}
        shown = sent.items() if isinstance(sent, dict) else ()
        return {name: each for name, each in shown if isinstance(each, str)}

    @property
    def seen_now(self) -> str:
        """What this page shows: a conflict, once shown, is no conflict any more."""
        now = {
            name: digest(value)
            for name, value in self.stored.items()
            if not self.is_bound or name in self.conflicts
        }
        return json.dumps({**self.seen, **now})

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, theirs in self.stored.items():
            before, now = self.seen.get(name), digest(theirs)
            if name in cleaned and before and before != now:
                mine = digest(cleaned[name])
                if mine not in {before, now}:
                    self.conflicts.add(name)
        for name in self.conflicts:
            self.add_error(name, self._conflict(name))
        return cleaned

    def _conflict(self, name: str) -> str:
        shown = Truncator(self.shown(name, self.stored[name])).chars(LONGEST)
        return (
            f"{self.changed_by(name)} changed this while you had the page open, to “{shown}”. Yours is still in the field: "
            "save again to put it in place of theirs."
        )

    def changed_by(self, name: str) -> str:
        """Return who changed a field, if the row's history says so."""
        return "Somebody else"

    def shown(self, name: str, value: Any) -> str:
        """Return a stored value as a reader would know it."""
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            labels = (label for choice, label in field.widget.choices if choice == value)
            return str(next(labels, value))
        return str(field.prepare_value(value)) if value not in (None, "") else "nothing"

    def changes(self) -> dict[str, Any]:
        """Return what the person changed, under the row's own names. What the page did not show cannot have been changed."""
        seen = self.seen
        return {
            self._attribute(name): self.cleaned_data[name]
            for name, theirs in self.stored.items()
            if name in self.cleaned_data
            and not (seen and name not in seen)
            and digest(self.cleaned_data[name]) not in {seen.get(name), digest(theirs)}
        }


class MergingForm(Merging, forms.ModelForm[Row]):
    """A merging form of one row: build it on the row as it is now, locked."""

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
    """Return who last did something, from the audit trail."""
    events = AuditEvent.objects.filter(campaign=campaign, kind=kind, **where)
    last = events.select_related("actor").first()
    return str(last.actor) if last else "Somebody else"


def digest(value: Any) -> str:
    """Return a short fingerprint of a value; what a browser does to line ends, or cuts off a time, makes no other."""
    if isinstance(value, str):
        value = "\n".join(value.splitlines()).strip()
    if isinstance(value, datetime):
        value = int(value.timestamp() // 60)
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
