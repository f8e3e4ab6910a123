"""Models in written SQL, for queries at every keystroke, which Django builds slowly."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Generic, TypeVar

from django.db import connection, models

M = TypeVar("M", bound=models.Model)


class Columns(Generic[M]):
    """All columns of a model's table under an alias, and instances made of their values."""

    def __init__(self, model: type[M], alias: str) -> None:
        self.model = model
        self.fields = model._meta.concrete_fields
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
        """Return the instance with these values; None if an outer join had no row."""
        if values[0] is None:
            return None
        row = list(values)
        for place, convert in self._converters:
            row[place] = convert(row[place], None, connection)
        return self.model.from_db(connection.alias, [field.attname for field in self.fields], row)


def split(row: Sequence[Any], *columns: Columns[Any]) -> list[Any]:
    """Return the instances at the beginning of a row, and the list of the other values."""
    instances, at = [], 0
    for each in columns:
        instances.append(each.make(row[at : at + len(each)]))
        at += len(each)
    return [*instances, list(row[at:])]


def inserting(model: type[M], instances: Sequence[M]) -> tuple[str, list[Any]]:
    """Return the statement, and its values, that inserts these instances, at least one.

    Their ids are the table's next.
    """
    table = model._meta
    fields = [each for each in table.concrete_fields if not (each.primary_key or each.generated)]
    names = ", ".join(f'"{field.column}"' for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    rows = (
        [field.get_db_prep_save(getattr(each, field.attname), connection) for field in fields]
        for each in instances
    )
    placeholders = ", ".join([row] * len(instances))
    sql = f'INSERT INTO "{table.db_table}" ({names}) VALUES {placeholders}'  # noqa: S608 - columns
    return sql, list(chain.from_iterable(rows))


def insert(model: type[M], instances: Sequence[M]) -> None:
    """Insert new instances in one query, and give each its id."""
    if not instances:
        return
    sql, values = inserting(model, instances)
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} RETURNING id", values)
        for each, (pk,) in zip(instances, cursor.fetchall(), strict=True):
            each.pk, state = pk, each._state  # noqa: SLF001 - as Django does
            state.adding, state.db = False, connection.alias
