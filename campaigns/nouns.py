"""What a campaign lists, each thing defined once, without a page: pages and files read it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django import forms
from django.db.models import QuerySet

from campaigns.models.campaign import Campaign
from campaigns.sorting import UNSORTED, Sorting


class Field(NamedTuple):
    """What is told of a row: its type, how the row has it, and what its name does not say.

    Without `of` it is the attribute of its name.
    """

    type: Any
    of: Callable[[Any], object] | None = None
    help: str = ""


@dataclass(frozen=True, kw_only=True)
class Noun:
    """What is listed: who may see it, its rows, how they are found and sorted, and their fields.

    `see` is the verb of those to whom `rows` are shown at all. `filters` makes the form of what
    is asked for, `found` takes rows and each value of that form.
    """

    name: str
    see: Callable[[Any, Campaign], None]
    rows: Callable[[Any, Campaign], Any]
    filters: Callable[[Mapping[str, Any]], forms.Form] = forms.Form
    found: Callable[..., Any] = lambda rows: rows
    sorts: Sorting = UNSORTED
    fields: Mapping[str, Field] = field(default_factory=dict)

    def matching(self, user: Any, campaign: Campaign, asked: forms.Form) -> Any:
        """Return the rows that the filters ask for, and all if what is asked cannot be."""
        chosen = asked.cleaned_data if asked.is_valid() else {}
        return self.found(self.rows(user, campaign), **chosen)

    def records(self, user: Any, campaign: Campaign) -> Iterator[dict[str, object]]:
        """Yield the fields of every row by name."""
        rows = self.rows(user, campaign)
        for row in rows.iterator() if isinstance(rows, QuerySet) else rows:
            yield {
                name: its.of(row) if its.of else getattr(row, name)
                for name, its in self.fields.items()
            }
