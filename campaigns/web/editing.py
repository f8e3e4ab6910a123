"""Forms for rows that others may change meanwhile: no change is overwritten unseen."""

import json
from datetime import datetime
from typing import Any, TypeVar

from django import forms
from django.db.models import Model
from django.utils.text import Truncator

from cleverdon.trec.streams import lines_of
from cleverdon.trec.versions import version

Row = TypeVar("Row", bound=Model)
LONGEST = 600  # characters of a stored value that are shown


class Editing(forms.BaseForm):
    """A form that says of a field what is stored now if that changed since its page was opened.

    `stored` holds the present values by field; read it from locked rows. The template sends
    `seen_now` back as `seen`; who sends none has seen no page, and nothing is compared.
    """

    stored: dict[str, Any]

    @property
    def versions(self) -> dict[str, str]:
        """By field, the version of what is stored now."""
        return {name: f"{name}-{version(repr(plain(now)))}" for name, now in self.stored.items()}

    @property
    def seen_now(self) -> str:
        return " ".join(self.versions.values())

    def _changed(self) -> list[str]:
        """Return the fields that were sent with another value than the stored one."""
        return [
            name
            for name, now in self.stored.items()
            if name in self.cleaned_data and plain(self.cleaned_data[name]) != plain(now)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name in self.stored.keys() & cleaned.keys():
            if self.fields[name].widget.value_omitted_from_data(self.data, self.files, name):
                cleaned[name] = self.stored[name]  # as what is sent has to fit
        seen = self.data.get("seen", self.seen_now).split()
        elsewhere = {name for name, now in self.versions.items() if now not in seen}
        faulty = [name for name in self.stored if name in self.errors]
        for name in [*self._changed(), *faulty]:
            if name in elsewhere:
                self.add_error(name, self._stored_now(name))
        return cleaned

    def _stored_now(self, name: str) -> str:
        value = self.stored[name]
        shown = Truncator(self.shown(name, value)).chars(LONGEST)
        now = f"here it is now {shown}" if isinstance(value, bool) else f"here it now has “{shown}”"
        return (
            f"This form was changed elsewhere while you had the page open: {now}. "
            "Yours is still in the field: save again to put it in place of that."
        )

    def shown(self, name: str, value: Any) -> str:
        """Return a stored value in words."""
        field = self.fields[name]
        if isinstance(value, bool):
            return "ticked" if value else "not ticked"
        if isinstance(field, forms.ChoiceField):
            labels = (label for choice, label in field.widget.choices if choice == value)
            return str(next(labels, value))
        return str(field.prepare_value(value)) if value not in (None, "") else "nothing"

    def changes(self) -> dict[str, Any]:
        """Return what differs from what is stored, by field."""
        return {name: self.cleaned_data[name] for name in self._changed()}


class EditingForm(Editing, forms.ModelForm[Row]):
    """A form that edits one row: build it on the locked row."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # The form writes into its instance when it is cleaned.
        row = self.instance
        stored = {name: getattr(row, name) for name in self.base_fields if hasattr(row, name)}
        self.stored = stored if row.pk else {}


def plain(value: Any) -> Any:
    """Return a value without what browsers change: line ends, seconds."""
    if isinstance(value, str):
        return "\n".join(lines_of(value)).strip()
    if isinstance(value, datetime):
        return value.timestamp() // 60
    return json.loads(json.dumps(value))
