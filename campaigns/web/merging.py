"""Forms for rows that others may change meanwhile: no change is overwritten unseen."""

import json
import re
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from django import forms
from django.db.models import Model, TextChoices
from django.utils.text import Truncator

from accounts.models import User
from campaigns.acting import campaign_of
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent, AuditEventQuerySet
from trec.streams import lines_of

Row = TypeVar("Row", bound=Model)
LONGEST = 600  # characters of the other's value that are shown


class Merging(forms.BaseForm):
    """A form that takes only what the person has changed since its page was opened.

    `stored` holds the present values by field; read it from locked rows, after `follow`. A field
    that somebody else has changed too is refused with their value; sent again, it replaces that.
    The template sends `seen_now` back as `seen`; without it every field counts as changed.
    """

    kind: TextChoices  # of the events that change what the form is about
    # The names of columns by those of fields, where they differ.
    stored_as: Mapping[str, str] = {}
    stored: dict[str, Any]
    trail: AuditEventQuerySet = AuditEvent.objects.none()
    newest = 0
    conflicts: Collection[str] = ()

    def follow(self, campaign_id: int | None, **about: int) -> None:
        """Note the newest event with these details, before what it changed is read."""
        details = {f"detail__{name}": pk for name, pk in about.items()}
        self.trail = AuditEvent.objects.changes(campaign_id, self.kind, **details)
        self.newest = self.trail.values_list("pk", flat=True).first() or 0

    def _attribute(self, name: str) -> str:
        return self.stored_as.get(name, name)

    @cached_property
    def seen(self) -> dict[str, int]:
        """The newest event when the page was opened, under "", and when a conflict was shown."""
        words = (each.rpartition(":") for each in self.data.get("seen", "").split())
        return {name: int(pk) for name, _, pk in words if re.fullmatch(r"\d{1,18}", pk)}

    @property
    def seen_now(self) -> str:
        """What this page has shown; a conflict shown once is not reported again."""
        now = dict.fromkeys(self.conflicts if self.is_bound else [""], self.newest)
        return " ".join(f"{name}:{pk}" for name, pk in {**self.seen, **now}.items())

    @cached_property
    def _since(self) -> dict[str, tuple[Any, User]]:
        """By fields changed since the page showed them: what it showed, and who changed it last."""
        since = self.trail.filter(pk__gt=self.seen.get("", self.newest)).select_related("actor")
        found: dict[str, tuple[Any, User]] = {}
        for event in since:  # the newest first
            for name in self.stored:
                before, column = event.detail["before"], self._attribute(name)
                if column in before and event.pk > self.seen.get(name, 0):
                    _, actor = found.get(name, (None, event.actor))
                    found[name] = before[column], actor
        return found

    def _opened(self, name: str) -> Any:
        """Return what the page showed of a field."""
        value, _ = self._since.get(name, (self.stored[name], None))
        is_moment = isinstance(value, str) and isinstance(self.fields[name], forms.DateTimeField)
        return plain(datetime.fromisoformat(value) if is_moment else value)

    def _changed(self) -> list[str]:
        """Return the fields that the person has changed. What was not sent is not changed."""
        return [
            name
            for name, now in self.stored.items()
            if name in self.cleaned_data
            and plain(self.cleaned_data[name]) not in (self._opened(name), plain(now))
            and not self.fields[name].widget.value_omitted_from_data(self.data, self.files, name)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        theirs = [name for name, now in self.stored.items() if self._opened(name) != plain(now)]
        self.conflicts = [name for name in self._changed() if name in theirs]
        for name in self.conflicts:
            self.add_error(name, self._conflict(name))
        # Conditions between fields are of what would be stored, not of what the page showed.
        mine = self._changed()
        kept = [name for name in theirs if name in cleaned and name not in mine]
        cleaned |= {name: self.stored[name] for name in kept}
        return cleaned

    def _conflict(self, name: str) -> str:
        shown = Truncator(self.shown(name, self.stored[name])).chars(LONGEST)
        return (
            f"{self.changed_by(name)} changed this while you had the page open, to “{shown}”. "
            "Yours is still in the field: save again to put it in place of theirs."
        )

    def changed_by(self, name: str) -> str:
        _, actor = self._since.get(name, (None, None))
        return str(actor or "Somebody else")

    def shown(self, name: str, value: Any) -> str:
        """Return a stored value in words."""
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            labels = (label for choice, label in field.widget.choices if choice == value)
            return str(next(labels, value))
        return str(field.prepare_value(value)) if value not in (None, "") else "nothing"

    def changes(self) -> dict[str, Any]:
        """Return what the person changed, by column."""
        return {self._attribute(name): self.cleaned_data[name] for name in self._changed()}


class MergingForm(Merging, forms.ModelForm[Row]):
    """A merging form of one row: build it on the locked row."""

    def __init__(
        self, data: Any = None, files: Any = None, *, instance: Row | None = None, **options: Any
    ) -> None:
        columns = {name: self._attribute(name) for name in self.base_fields}
        model = self._meta.model
        columns = {name: each for name, each in columns.items() if hasattr(model, each)}
        if instance is not None:
            about = {} if model is Campaign else {str(model._meta.model_name): instance.pk}
            self.follow(campaign_of(instance), **about)
            instance.refresh_from_db(fields=columns.values())
        super().__init__(data, files, instance=instance, **options)
        # The form writes into its instance when it is cleaned.
        self.stored = {name: getattr(self.instance, each) for name, each in columns.items()}


def plain(value: Any) -> Any:
    """Return a value as the trail keeps it, but for what browsers change: line ends, seconds."""
    if isinstance(value, str):
        return "\n".join(lines_of(value)).strip()
    if isinstance(value, datetime):
        return value.timestamp() // 60
    return json.loads(json.dumps(value))
