"""Models from written SQL, for what is asked at every keystroke: Django takes longer to build such a query than PostgreSQL to answer it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.db import connection, models

if TYPE_CHECKING:
    from collections.abc import Sequence

M = TypeVar("M", bound=models.Model)


class Columns(Generic[M]):
    """All columns of a model's table, which has this alias in a query, and instances made of their values."""

    def __init__(self, model: type[M], alias: str) -> None:
        self.model = model
        self.fields = model._meta.concrete_fields  # noqa: SLF001 - Django's public name of it
        self.sql = ", ".join(f'{alias}."{field.column}"' for field in self.fields)

    @cached_property
    def _converters(self) -> list[tuple[int, Any]]:
        return [
            (place, convert)
            for place, field in enumerate(self.fields)
            for convert in field.get_db_converters(connection)
        ]

    def __len__(self) -> int:
        return len(self.fields)

    def make(self, values: Sequence[Any]) -> M | None:
        """Return the instance with these values; None where an outer join found no row."""
        if values[0] is None:
            return None
        row = list(values)
        for place, convert in self._converters:
            row[place] = convert(row[place], None, connection)
        return self.model.from_db(connection.alias, [field.attname for field in self.fields], row)  # fmt: skip


def split(row: Sequence[Any], *columns: Columns[Any]) -> list[Any]:
    """Return the instances that a row begins with, and the list of what follows them."""
    made, at = [], 0
    for each in columns:
        made.append(each.make(row[at : at + len(each)]))
        at += len(each)
    return [*made, list(row[at:])]
