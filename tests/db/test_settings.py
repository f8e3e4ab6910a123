"""The settings and the embedded servers."""

import contextlib
import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import dj_database_url
import psycopg2
import pytest
from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured

from config import apps, env
from demo.embedded import Embedded
from demo.servers import CannotStart

ROOT = Path(__file__).resolve().parents[2]


def test_flags_numbers_and_words(monkeypatch):
    monkeypatch.setenv("X", "TRUE")
    assert env.flag("X", default=False)
    monkeypatch.setenv("X", "yes")
    with pytest.raises(ImproperlyConfigured, match="X must be 'true' or 'false', not 'yes'"):
        env.flag("X", default=False)
    with pytest.raises(ImproperlyConfigured, match="X must be a whole number, not 'yes'"):
        env.number("X", default=1)
    monkeypatch.setenv("X", " a, b ,")
    assert env.words("X") == ["a", "b"]


def test_one_of_several_words_is_chosen(monkeypatch):
    monkeypatch.setenv("CHOICE", "two")
    assert env.choice("CHOICE", ("one", "two"), default="one") == "two"
    monkeypatch.setenv("CHOICE", "three")
    with pytest.raises(ImproperlyConfigured, match="CHOICE must be one of one, two, not 'three'"):
        env.choice("CHOICE", ("one", "two"), default="one")


def test_a_secret_may_come_from_a_file_and_keeps_its_blanks(monkeypatch, tmp_path):
    (tmp_path / "key").write_text(" p \t\n")
    monkeypatch.setenv("X_FILE", str(tmp_path / "key"))
    assert env.text("X") == " p \t"
    monkeypatch.setenv("X_FILE", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match="cannot be read"):
        env.text("X")


# Every character that means something in a URL, a shell, YAML or libpq, and one outside ASCII.
ODD_PASSWORD = "p@ss/w#rd %:?[]{}|\\\"'`$&;=~+,%41é"
ADDRESSES = (
    "postgres://cleverdon@db:5433/cleverdon?sslmode=require",
    "postgres://cleverdon:replaced@/cleverdon?host=/run/postgresql",
)


def test_a_password_given_apart_may_hold_any_character(monkeypatch):
    for address in ADDRESSES:
        monkeypatch.setenv("X_URL", address)
        found = dj_database_url.parse(env.url("X_URL", ODD_PASSWORD))
        assert found == dj_database_url.parse(address) | {"PASSWORD": ODD_PASSWORD}
    monkeypatch.setenv("X_URL", "redis://:p%40ss@redis:6379/0")
    assert env.url("X_URL") == "redis://:p%40ss@redis:6379/0"
    monkeypatch.delenv("X_URL")
    assert env.url("X_URL", "unused") == ""


@pytest.mark.parametrize("character", "/?#[]")
def test_a_character_that_splits_a_url_elsewhere_is_refused(monkeypatch, character):
    """Read as it stands, the host would be another: the password goes to a stranger."""
    monkeypatch.setenv("X_URL", f"postgres://user:pa@ss{character}word@db/cleverdon")
    with pytest.raises(ImproperlyConfigured) as refused:
        env.url("X_URL")
    said = "must be percent-encoded there; a password may be given as it is in X_PASSWORD."
    assert said in str(refused.value)
    assert "word@db" not in str(refused.value)


def test_contradicting_settings_are_found(settings):
    settings.SITE_URL = "https://example.org"
    assert [message.id for message in apps.site_url_is_allowed(None)] == ["config.E001"]
    settings.ALLOWED_HOSTS = ["example.org"]
    assert apps.site_url_is_allowed(None) == []
    assert {message.id for message in apps.services_are_not_embedded(None)} <= {"config.W001"}


def settings_of(monkeypatch, **given: str) -> dict:
    """What config/settings.py makes of these variables."""
    for name in ("DEBUG", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


@pytest.mark.parametrize(
    ("given", "is_debug"),
    [
        ({}, True),
        ({"DATABASE_URL": "postgres://db/cleverdon"}, False),
        ({"REDIS_URL": "redis://redis"}, False),
        ({"DATABASE_URL": "postgres://db/cleverdon", "DEBUG": "true"}, True),
        ({"DEBUG": "false"}, False),
    ],
)
def test_a_server_that_is_named_means_production(monkeypatch, given, is_debug):
    assert settings_of(monkeypatch, SECRET_KEY="mine", **given)["DEBUG"] is is_debug


def test_production_needs_a_key_of_its_own(monkeypatch):
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY \(or SECRET_KEY_FILE\) must be"):
        settings_of(monkeypatch, DEBUG="false", SECRET_KEY="")


@pytest.mark.parametrize("chosen", [False, True])
def test_https_is_promised_for_the_hosts_below_this_one_only_by_choice(monkeypatch, chosen):
    """An institute's other hosts are not for one of them to promise for."""
    choice = {"HSTS_SUBDOMAINS": "true", "HSTS_PRELOAD": "true"} if chosen else {}
    made = settings_of(
        monkeypatch, DEBUG="false", SECRET_KEY="mine", SITE_URL="https://example.org", **choice
    )
    assert made["SECURE_HSTS_SECONDS"] > 0
    names = ("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
    assert [made[name] for name in names] == [chosen, chosen]


@pytest.mark.parametrize("ending", ["", "/"])
def test_a_site_below_a_path_says_so_in_links_and_cookies(monkeypatch, ending):
    made = settings_of(monkeypatch, SITE_URL=f"https://example.org/lab/eval{ending}")
    assert made["FORCE_SCRIPT_NAME"] == "/lab/eval"
    assert made["STATIC_URL"] == "/lab/eval/static/"
    assert made["CSRF_TRUSTED_ORIGINS"] == ["https://example.org"]
    assert made["SESSION_COOKIE_NAME"] == "sessionid_lab_eval"
    assert made["SESSION_COOKIE_PATH"] == made["CSRF_COOKIE_PATH"] == "/lab/eval/"
    usual = settings_of(monkeypatch, SITE_URL=f"https://example.org{ending}")
    assert usual["FORCE_SCRIPT_NAME"] is None
    assert (usual["STATIC_URL"], usual["CSRF_COOKIE_NAME"]) == ("/static/", "csrftoken")
    assert usual["SESSION_COOKIE_PATH"] == "/"


@pytest.mark.parametrize("path", ["/a b", "/a;b", "/%41", "/é", "//a"])
def test_a_path_that_no_cookie_can_name_is_refused(monkeypatch, path):
    with pytest.raises(ImproperlyConfigured, match="The path in SITE_URL may hold letters"):
        settings_of(monkeypatch, SITE_URL=f"https://example.org{path}")


# Embedded servers

HOLD = """
import sys, time
from pathlib import Path
from demo.embedded import Embedded
Embedded(Path(sys.argv[1]), durable=False).hold()
print("holding", flush=True)
sys.stdin.read()
"""


def holder(var: Path) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(var)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "holding\n"
    return process


def end(process: subprocess.Popen, by: signal.Signals | None = None) -> None:
    if by:
        process.send_signal(by)
    process.stdin.close()
    process.wait(60)
    process.stdout.close()


@pytest.fixture
def server(tmp_path):
    server = Embedded(tmp_path / "var")
    server.var.mkdir()
    yield server
    server.discard()


def write(server: Embedded, sql: str) -> None:
    connection = psycopg2.connect(server.database_url)
    with contextlib.closing(connection), connection, connection.cursor() as cursor:
        # Tests commit without waiting for the log, which a kill would lose.
        cursor.execute(f"SET synchronous_commit = on; {sql}")


@pytest.mark.slow
def test_servers_survive_kills_with_their_data_and_stop_with_the_last_process_that_holds_them(
    server,
):
    half_made = server.postgres.data / "half"  # what a killed first start leaves
    half_made.mkdir(parents=True)
    first, second, last = (holder(server.var) for _ in range(3))
    end(first, signal.SIGKILL)
    assert server.answers()
    write(server, "CREATE TABLE kept AS SELECT 1")
    for each in server.servers:
        each.process().kill()
        while each.is_running():
            time.sleep(0.01)
        server.restart(each)
    write(server, "DROP TABLE kept")
    end(second, signal.SIGTERM)
    assert second.returncode == 128 + signal.SIGTERM
    assert server.answers()
    end(last, signal.SIGHUP)
    assert last.returncode == 128 + signal.SIGHUP
    assert not any(each.is_running() for each in server.servers)
    assert not server.sockets.exists()


@pytest.mark.slow
def test_where_one_server_cannot_start_the_other_does_not_stay(server):
    server.postgres.data.mkdir(parents=True)
    (server.postgres.data / "PG_VERSION").write_text("of another program")
    start = [sys.executable, "-c", HOLD, str(server.var)]
    done = subprocess.run(start, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "PostgreSQL could not start" in done.stderr
    assert "redis" in (server.var / "redis.log").read_text().lower()  # it did run
    assert not server.redis.is_running()


def test_a_folder_that_cannot_be_written_to_is_named_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(
        CannotStart, match=r"The folder .*file.* cannot be written to: Not a directory\."
    ):
        Embedded(tmp_path / "file" / "var").hold()


def test_a_forked_child_of_a_holder_does_not_let_go(server, tmp_path):
    with (tmp_path / "lock").open("a") as lock:
        server.release(lock, os.getpid() + 1)
        assert not lock.closed


def test_tests_have_servers_of_their_own(server):
    if django_settings.IS_EMBEDDED:
        assert django_settings.EMBEDDED.var.parent.name == "test"
        assert django_settings.EMBEDDED.sockets != server.sockets
