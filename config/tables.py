"""Whether the database has the tables that this version of the code reads and writes."""

from collections import defaultdict
from collections.abc import Collection

from django.apps import apps
from django.db import OperationalError, connection
from django.db.models import Model

from cleverdon.version import VERSION
from config.servers import why_too_old

COLUMNS = """
    SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND attnum > 0 AND NOT attisdropped
"""
NAMES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('i', 'I')
    UNION SELECT conname FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace
    UNION SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
"""
# of a table: the type of each column
Columns = dict[str, str]
_has_fitted = False


def why_unfit(apart_from: Collection[str] = ()) -> str:
    """Return a sentence if the tables are those of another version, else "".

    Without those of the apps that are named, by their labels.
    Django's own record of migrations does not tell: it knows their names alone. Compared are
    columns with their types, and the names of indexes and constraints (of which
    `AppendOnly` is a trigger).
    """
    there = defaultdict[str, Columns](dict)
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column, kind, is_required in cursor.fetchall():
            there[table][column] = _in_words(kind, is_required=is_required)
        cursor.execute(NAMES)
        names = {name for (name,) in cursor.fetchall()}
    for model in apps.get_models(include_auto_created=True):
        options = model._meta
        if options.managed and not options.proxy and options.app_label not in apart_from:
            what = _difference(options.db_table, _wanted(model), there[options.db_table])
            if what := what or _missing(model, names):
                return (
                    f"The database is not of this version of Cleverdon, {VERSION}: {what}. "
                    "Unless `manage.py migrate` upgrades it, go back to the version that made it: "
                    "see Upgrade in docs/deploy.md."
                )
    return ""


def _in_words(kind: str, *, is_required: bool) -> str:
    """Write Django's and PostgreSQL's names of a type alike; it knows arrays of no depth."""
    kind = kind.replace("character varying", "varchar").replace("[][]", "[]")
    return kind if is_required else f"{kind} or NULL"


def _wanted(model: type[Model]) -> Columns:
    """Return its columns; of keys no type, for those that Django's own migrations make differ."""
    return {
        field.column: ""
        if field.primary_key
        else _in_words(
            field.db_type(connection) or "", is_required=not (field.null or field.generated)
        )
        for field in model._meta.local_concrete_fields
        if field.column
    }


def _difference(table: str, wanted: Columns, there: Columns) -> str:
    if not there:
        return f"there is no table {table}"
    if missing := sorted(wanted.keys() - there.keys()):
        return f"the table {table} has no column {missing[0]}"
    if unknown := sorted(there.keys() - wanted.keys()):
        return f"the table {table} has a column {unknown[0]}, which this version does not know"
    for column, kind in wanted.items():
        if kind not in {there[column], ""}:
            return f"the column {column} of the table {table} is {there[column]} and not {kind}"
    return ""


def _missing(model: type[Model], names: set[str]) -> str:
    """Say which index or constraint of the model has no such name in the database."""
    options = model._meta
    for each in (*options.indexes, *options.constraints):
        if each.name not in names:
            return f"the table {options.db_table} lacks {each.name}"
    return ""


def why_not_begin() -> str:
    """Return why no process may begin on these servers and tables; "" also if they are away."""
    try:
        return why_too_old() or why_unfit()
    except OperationalError:
        return ""
    finally:
        connection.close()


def fits() -> bool:
    """Tell whether the tables fit; once they did, they are not looked at again."""
    global _has_fitted  # noqa: PLW0603 - of this process
    _has_fitted = _has_fitted or not why_unfit()
    return _has_fitted
