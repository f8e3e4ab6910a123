"""No process begins on a database of another version, and none says that all is well."""

import re
import time

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import NotSupportedError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from cleverdon.version import VERSION
from config import servers, tables
from config.cache import PatientRedis
from tests.deployment import ROOT

CHANGES = {
    "ALTER TABLE runs_run ADD COLUMN of_tomorrow integer": "a column of_tomorrow, which",
    "ALTER TABLE runs_run DROP COLUMN description": "the table runs_run has no column description",
    "DROP TABLE evaluation_evaluation_runs": "there is no table evaluation_evaluation_runs",
    "ALTER TABLE collection_topic ALTER COLUMN number TYPE varchar(60)": (
        r"number of the table collection_topic is varchar\(60\) and not varchar\(255\)"
    ),
    "ALTER TABLE runs_run ALTER COLUMN tag DROP NOT NULL": r"is varchar\(\d+\) or NULL and not",
    "DROP INDEX answers_to_controls": "the table assess_judgment lacks answers_to_controls",
    "ALTER TABLE collection_topic DROP CONSTRAINT one_topic_per_number": "lacks one_topic_per_",
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
    assert re.search(told, tables.why_not_begin())
    assert VERSION in tables.why_not_begin()
    with pytest.raises(CommandError, match=told):
        call_command("migrate", verbosity=0)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["database"], answer.json()["tables"]) == (
        503,
        True,
        False,
    )


@pytest.mark.parametrize(("name", "least"), [("POSTGRESQL", (99,)), ("REDIS", (99, 1))])
def test_a_server_that_is_too_old_is_told_before_anything_is_done(
    db, unmigrated, monkeypatch, name, least
):
    assert servers.why_too_old() == ""
    monkeypatch.setattr(servers, name, least)
    told = rf"(?i){name} {'.'.join(map(str, least))} or later is required \(found \d+\.\d+\)"
    assert re.match(told, tables.why_not_begin())
    with pytest.raises(CommandError, match=told):
        call_command("migrate", verbosity=0)


def test_a_redis_that_is_away_keeps_nobody_from_beginning(db, monkeypatch):
    monkeypatch.setattr(servers, "REDIS", (99, 1))
    monkeypatch.setattr(PatientRedis.outage, "pause_ends", time.monotonic() + 60)
    assert tables.why_not_begin() == ""


def test_a_server_that_django_is_too_new_for_is_told_in_a_sentence(db, monkeypatch):
    def refuse() -> None:
        raise NotSupportedError("PostgreSQL 14 or later is required (found 13.1).")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", refuse)
        assert tables.why_not_begin() == "PostgreSQL 14 or later is required (found 13.1)."


def test_migrations_in_an_order_that_never_was_end_in_a_sentence(db, settings):
    settings.MIGRATION_MODULES = {}  # which tests are without
    MigrationRecorder(connection).record_applied("pooling", "0001_initial")
    with pytest.raises(CommandError, match="cannot upgrade it: go back to that version"):
        call_command("migrate", verbosity=0)


def test_tables_of_another_version_are_told_before_a_new_app_gets_its_own(db, settings):
    settings.MIGRATION_MODULES = {}  # which tests are without
    recorder = MigrationRecorder(connection)
    for app, name in MigrationLoader(connection).graph.nodes:
        if app != "questions":
            recorder.record_applied(app, name)
    questions = {each._meta.db_table for each in apps.get_app_config("questions").get_models()}
    for table in questions:
        change(f"DROP TABLE {table} CASCADE")
    change("ALTER TABLE runs_run ADD COLUMN of_tomorrow integer")
    with pytest.raises(CommandError, match="a column of_tomorrow, which"):
        call_command("migrate", verbosity=0)
    assert not questions & {*connection.introspection.table_names()}
    change("ALTER TABLE runs_run DROP COLUMN of_tomorrow")
    call_command("migrate", verbosity=0)
    assert questions <= {*connection.introspection.table_names()}


def test_one_version_stands_everywhere():
    assert f'\nversion = "{VERSION}"\n' in (ROOT / "pyproject.toml").read_text()
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
