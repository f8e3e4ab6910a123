"""No process begins on a database of another version, and none says that all is well."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config import tables
from config.version import VERSION
from tests.deployment import ROOT

CHANGES = {
    "ALTER TABLE runs_run ADD COLUMN of_tomorrow integer": "a column of_tomorrow, which",
    "ALTER TABLE runs_run DROP COLUMN description": "the table runs_run has no column description",
    "DROP TABLE evaluation_evaluation_runs": "there is no table evaluation_evaluation_runs",
}


def change(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture(autouse=True)
def _not_looked_at(monkeypatch):
    monkeypatch.setattr(tables, "_has_fitted", False)
    # The test's transaction would end with its connection.
    monkeypatch.setattr(connection, "close", lambda: None)


@pytest.mark.parametrize(("sql", "told"), CHANGES.items())
def test_tables_of_another_version_are_told_at_every_door(db, client, unmigrated, sql, told):
    assert tables.why_not_begin() == ""
    call_command("migrate", verbosity=0)
    change(sql)
    assert told in tables.why_not_begin()
    assert VERSION in tables.why_not_begin()
    with pytest.raises(CommandError, match=told):
        call_command("migrate", verbosity=0)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["database"], answer.json()["tables"]) == (
        503,
        True,
        False,
    )


def test_migrations_in_an_order_that_never_was_end_in_a_sentence(db, settings):
    settings.MIGRATION_MODULES = {}  # which tests are without
    MigrationRecorder(connection).record_applied("pooling", "0001_initial")
    with pytest.raises(CommandError, match="cannot upgrade it: go back to that version"):
        call_command("migrate", verbosity=0)


def test_one_version_stands_everywhere():
    assert f'\nversion = "{VERSION}"\n' in (ROOT / "pyproject.toml").read_text()
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
