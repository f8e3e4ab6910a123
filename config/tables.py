"""Whether the database has the tables that this version of the code reads and writes."""

from collections import defaultdict

from django.apps import apps
from django.db import OperationalError, connection

from config.servers import why_too_old
from config.version import VERSION

COLUMNS = """
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = current_schema()
"""
_has_fitted = False


def why_unfit() -> str:
    """Return a sentence if the tables are those of another version, else "".

    Django's own record of migrations does not tell: it knows their names alone.
    """
    there = defaultdict[str, set[str]](set)
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column in cursor.fetchall():
            there[table].add(column)
    for model in apps.get_models(include_auto_created=True):
        options = model._meta
        if options.managed and not options.proxy:
            wanted = {field.column for field in options.local_concrete_fields if field.column}
            if what := _difference(options.db_table, wanted, there[options.db_table]):
                return (
                    f"The database is not of this version of Cleverdon, {VERSION}: {what}. If "
                    "`manage.py migrate` does not help, go back to the version that made it: see "
                    "Upgrade in docs/deploy.md."
                )
    return ""


def _difference(table: str, wanted: set[str], there: set[str]) -> str:
    if not there:
        return f"there is no table {table}"
    if missing := sorted(wanted - there):
        return f"the table {table} has no column {missing[0]}"
    if unknown := sorted(there - wanted):
        return f"the table {table} has a column {unknown[0]}, which this version does not know"
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
