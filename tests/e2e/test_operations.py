"""What an operator does with real servers: passwords of any characters, a backup, a restore."""

import os
import re
import runpy
import subprocess
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
import redis
from django.conf import settings as django_settings
from django.core.cache import CacheHandler
from django.db.utils import ConnectionHandler
from kombu import Connection
from psycopg2.extensions import make_dsn, parse_dsn

from tests import make
from tests.deployment import ROOT, blocks
from tests.e2e import processes

PASSWORD = "p@ss/w#rd %:?[]{}|\\\"'`$&;=~+,%41é"
needs_own_server = pytest.mark.skipif(
    not django_settings.IS_EMBEDDED, reason="changes who may enter PostgreSQL"
)


def settings_with(monkeypatch, **variables: str) -> dict:
    """The settings as these variables make them."""
    for name, value in {"SECRET_KEY": "mine", **variables}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


def test_servers_are_given_a_password_of_any_characters(monkeypatch):
    """As their clients read the settings, not as we wrote them."""
    made = settings_with(
        monkeypatch,
        DATABASE_URL="postgres://role@db/cleverdon",
        DATABASE_PASSWORD=PASSWORD,
        REDIS_URL="redis://redis/3",
        REDIS_PASSWORD=PASSWORD,
    )
    database = ConnectionHandler(made["DATABASES"])["default"].get_connection_params()
    assert database["password"] == PASSWORD
    assert parse_dsn(make_dsn(password=database["password"]))["password"] == PASSWORD
    cache = CacheHandler(made["CACHES"])["default"]._cache.get_client()  # noqa: SLF001 - Django has no other way
    pools = [cache.connection_pool, redis.Redis.from_url(made["REDIS_URL"]).connection_pool]
    assert [pool.connection_kwargs["password"] for pool in pools] == [PASSWORD, PASSWORD]
    broker = Connection(made["CELERY_BROKER_URL"])
    assert (broker.hostname, broker.virtual_host, broker.password) == ("redis", "3", PASSWORD)


# Backup and restore


def content(url: str) -> dict[str, tuple]:
    """How many rows each table has, and a hash of all of them."""
    found = {}
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (name,) in cursor.fetchall():
            lines = f"SELECT t::text AS line FROM {name} AS t"  # noqa: S608 - a name from the catalogue
            whole = "count(*), md5(string_agg(line, '|' ORDER BY line))"
            cursor.execute(f"SELECT {whole} FROM ({lines})")  # noqa: S608 - as above
            found[name] = cursor.fetchone()
    return found


def files(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def empty_database():
    """The URL of a database of another name on the same server."""
    postgres, name = django_settings.EMBEDDED.postgres, "restored"
    with closing(psycopg2.connect(postgres.url)) as connection:
        connection.autocommit = True
        cursor = connection.cursor()
        cursor.execute(f"CREATE DATABASE {name}")
        yield postgres.url.replace("/cleverdon?", f"/{name}?")
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@needs_own_server
@pytest.mark.django_db(transaction=True)
def test_what_is_backed_up_as_documented_is_restored(tmp_path, queued, empty_database):
    pat = make.user("pat")
    campaign = make.campaign(make.user("olga"), participants={"Aldgate": [pat]})
    make.submitted(campaign, pat, "1 Q0 d1 1 1.0 one\n", "one")
    site = processes.environment(tmp_path)["DATABASE_URL"]
    backup, restored = tmp_path / "backup", tmp_path / "restored"
    backup.mkdir()
    binaries = django_settings.EMBEDDED.postgres.program("psql").parent  # of the server's version
    (tmp_path / "password").write_text(f"{PASSWORD}\n")  # which this server does not ask for
    variables = {
        "DATABASE_PASSWORD_FILE": str(tmp_path / "password"),
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "DATABASE_URL": site,
        "RESTORED_URL": empty_database,
        "VAR_DIR": str(tmp_path),
        "BACKUP": str(backup),
        "RESTORED_DIR": str(restored),
    }
    page = (ROOT / "docs" / "deploy.md").read_text()
    for heading in ("Backup", "Restore"):
        of_compose, commands = blocks(page, heading)
        for line in re.findall(r".*\bpg_(?:dump|restore)\b.*", of_compose + commands):
            assert " --no-password " in line  # nobody is there to type one
        subprocess.run(["sh", "-e"], input=commands.encode(), env=variables, check=True)
    assert content(empty_database) == content(site)
    assert content(site)["runs_run"][0] == 1
    assert files(restored / "media") == files(tmp_path / "media") != {}
