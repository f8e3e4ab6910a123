"""Words to find rows of a list by."""

from collections.abc import Mapping
from typing import Any

from django import forms

LONGEST = 100


class SearchForm(forms.Form):
    """Words to find rows by; `label` says in what they are looked for."""

    q = forms.CharField(required=False, max_length=LONGEST)

    def __init__(self, data: Mapping[str, Any], *, label: str) -> None:
        super().__init__(data)
        self.fields["q"].label = label

    def words(self) -> str:
        """Return what was asked for, or nothing if it cannot be looked for."""
        return str(self.cleaned_data["q"]) if self.is_valid() else ""
