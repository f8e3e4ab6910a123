"""What a campaign lists, each thing defined once, without a page: pages, files and API read it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, get_type_hints

from django import forms
from django.db.models import QuerySet

from campaigns.sorting import UNSORTED, Sorting

MAX_WORDS_LENGTH = 100


class Field(NamedTuple):
    """What is told of a row: its type, how the row has it, and what its name does not say.

    Without `of` it is the attribute of its name. It is one of the `choices`, if there are any.
    """

    type: Any
    of: Callable[[Any], object] | None = None
    help: str = ""
    choices: Sequence[str] = ()


class Key(NamedTuple):
    """What names one row in an address: the field that tells it, and how it is looked up.

    `part` is the converter of the part of the address, "" if rows have no address of their own.
    """

    field: str
    lookup: str
    part: str = "str"


# Of rows that nothing outside names.
NO_KEY = Key("", "", "")
# Of rows that have no name but the one they were given for programs.
ID = Key("id", "public_id", "uuid")


class SearchForm(forms.Form):
    """Words to find rows by, in a field of this name; `label` names what is searched."""

    def __init__(self, data: Mapping[str, Any], *, label: str, name: str = "q") -> None:
        super().__init__(data)
        self.name = name
        self.fields[name] = forms.CharField(
            required=False, max_length=MAX_WORDS_LENGTH, label=label
        )

    def words(self) -> str:
        return str(self.cleaned_data[self.name]) if self.is_valid() else ""


@dataclass(frozen=True, kw_only=True)
class Noun:
    """What is listed: who may see it, its rows, how they are found and sorted, and their fields.

    `see` is the verb of those to whom `rows` are shown at all; both are asked of a person and the
    campaign, or of what in it has the rows. `filters` makes the form of what is asked for, `found`
    takes rows and each value of that form. `model` is the class of rows that services take and
    return; `order` is the column with an index by which all rows are read on. A noun that `is_one`
    has a single row. `details` are long fields, told of a single row only. Rows that
    are not of a queryset are found by `at`. Where more records are shown than rows are listed,
    `shown` has them all.
    """

    name: str
    see: Callable[[Any, Any], None]
    rows: Callable[[Any, Any], Any]
    filters: Callable[[Mapping[str, Any]], forms.Form] = forms.Form
    found: Callable[..., Any] = lambda rows: rows
    sorts: Sorting = UNSORTED
    fields: Mapping[str, Field] = field(default_factory=dict)
    model: type | None = None
    key: Key = NO_KEY
    at: Callable[[Any, Any], Any | None] = lambda *_: None
    shown: Callable[[Any, Any], Any] | None = None
    order: str = "pk"
    is_one: bool = False
    tell: Callable[[Any, Iterable[Any]], Iterable[Any]] = lambda _, rows: rows
    noted: Callable[[Any, Any], None] = lambda *_: None
    details: Mapping[str, Field] = field(default_factory=dict)
    help: str = ""

    def matching(self, user: Any, thing: Any, asked: forms.Form) -> Any:
        """Return the rows that the filters ask for, and all if what is asked cannot be."""
        chosen = asked.cleaned_data if asked.is_valid() else {}
        return self.found(self.rows(user, thing), **chosen)

    def one(self, user: Any, thing: Any, key: object) -> Any | None:
        """Return the row of a key, the newest where several had it; None if there is none."""
        if "\0" in str(key):
            return None  # which no text of the database holds
        rows = (self.shown or self.rows)(user, thing)
        if not isinstance(rows, QuerySet):
            return self.at(thing, key)
        return rows.filter(**{self.key.lookup: key}).order_by("-pk").first()

    @cached_property
    def every_field(self) -> Mapping[str, Field]:
        return {**self.fields, **self.details}

    def told(self, thing: Any, row: Any) -> Any:
        """Return what has the fields of one row."""
        [its] = self.tell(thing, [row])
        return its

    def record(self, row: Any, names: Iterable[str] = ()) -> dict[str, object]:
        """Return these fields of a row by name; unless some are named, all of them."""
        return {
            name: value_of(row, name, self.every_field[name]) for name in names or self.every_field
        }

    def records(
        self, thing: Any, rows: Any, names: Sequence[str] = ()
    ) -> Iterator[dict[str, object]]:
        """Yield the fields of every row by name, read as they are asked for.

        What a record tells otherwise than its list is told as in the list.
        """
        read = rows.iterator(2000) if isinstance(rows, QuerySet) else rows
        its = {**self.details, **self.fields}
        for row in self.tell(thing, read):
            yield {name: value_of(row, name, its[name]) for name in names or self.fields}


def value_of(row: Any, name: str, its: Field) -> object:
    return its.of(row) if its.of else getattr(row, name)


def fields_of(record: Any, **helps: str) -> dict[str, Field]:
    """Return the fields of rows that are NamedTuples or dataclasses, by their types."""
    return {
        name: Field(kind, help=helps.get(name, "")) for name, kind in get_type_hints(record).items()
    }
