"""Redis or PostgreSQL away: a state that pages speak of, not an error."""

import json
import logging
import os
import signal
import subprocess
import sys
import time
from functools import partial
from http.cookies import SimpleCookie
from itertools import product

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.utils import ConnectionHandler
from django.test import Client, RequestFactory

from cleverdon.version import VERSION
from config import errors
from config.cache import PatientRedis
from jobs import database
from tests.redis_server import own_redis
from tests.web.asking import ask
from tests.web.doors import CAST, DOORS, asked_by
from tests.web.html import source

pytestmark = pytest.mark.slow

WAITS = "Background work waits."


@pytest.fixture
def redis():
    with own_redis() as server:
        yield server


@pytest.mark.parametrize("which", ["of each kind", pytest.param("all", marks=pytest.mark.deep)])
def test_doors_work_without_redis_and_every_page_says_so(
    request, doors, redis, django_capture_on_commit_callbacks, which
):
    """Each is opened by one who may; whom a door refuses does not get to Redis."""
    clients = {name: Client() for name in ("olga", "ada", "pat")}
    for name, client in clients.items():
        client.force_login(request.getfixturevalue(name))
    signed_in = {name: client.cookies for name, client in clients.items()}
    assert cache.answers()
    redis.kill()
    commit = partial(django_capture_on_commit_callbacks, execute=True)
    found, expected, silent = {}, {}, []
    for method, name in asked_by("olga") if which != "all" else product(("GET", "POST"), doors):
        by_person = dict(zip(CAST, map(int, DOORS[name][method == "POST"].split()), strict=True))
        opened = [each for each in clients if by_person[each] in {200, 302}]
        for person in opened[:1]:
            clients[person].cookies = SimpleCookie(signed_in[person])
            answer = ask(clients[person], method, *doors[name], commit)
            expected[method, name], found[method, name] = by_person[person], answer.status_code
            if is_page(answer) and WAITS not in answer.text:
                silent.append((method, name))
    assert len(found) > 30
    assert found == expected
    assert silent == []


def is_page(answer) -> bool:
    return not answer.streaming and b'<header class="site">' in answer.content


def test_a_redis_that_is_silent_or_comes_back_is_noticed(as_olga, campaign, redis, caplog):
    address = f"/campaigns/{campaign.slug}/"
    assert WAITS not in as_olga.get(address).text
    PatientRedis.outage.log_due = 0.0
    redis.kill(signal.SIGSTOP)
    with caplog.at_level(logging.WARNING, "config.cache"):
        start = time.monotonic()
        assert WAITS in as_olga.get(address).text
        as_olga.get(address)
        assert time.monotonic() - start < 10  # without patience's end: for ever
    redis.kill()
    redis.start()
    assert WAITS not in as_olga.get(address).text
    [said] = caplog.messages
    assert said.startswith("redis=away error=")


def test_health_says_what_answers(client, db, redis):
    well = {"version": VERSION, "database": True, "tables": True, "queue": True, "worker": False}
    assert client.get("/health/").json() == well
    cache.set("worker_alive", 1)
    redis.kill()
    answer = client.get("/health/")
    assert answer.status_code == 200  # pages can be served
    assert answer.json() == {**well, "queue": False}
    assert "no-store" in answer["Cache-Control"]


# PostgreSQL


def failure(sql: str, **options) -> DatabaseError:
    """What a statement on a connection of its own raises."""
    values = {**connection.settings_dict, **options}
    own = ConnectionHandler({"default": values})["default"]
    try:
        with own.cursor() as cursor:
            cursor.execute(sql)
    except DatabaseError as error:
        return error
    finally:
        own.close()
    raise AssertionError(sql)


@pytest.fixture(params=["nowhere", "stopped"])
def outage(request, db):
    if request.param == "nowhere":
        return failure("SELECT 1", OPTIONS={}, HOST="/nowhere")
    return failure("SELECT pg_terminate_backend(pg_backend_pid())")


def test_a_database_that_is_away_is_a_503_with_a_sentence(outage):
    handler, page = errors.refusals(lambda request: None), RequestFactory().get("/")
    answer = handler.process_exception(page, outage)
    text = answer.text
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert database.AWAY in text
    assert "Traceback" not in text
    page.htmx = True
    swap = handler.process_exception(page, outage)
    assert swap.text == database.AWAY
    assert swap["Content-Type"] == "text/plain"
    api = errors.api_exception_handler(outage, {})
    said = json.loads(api.content)
    assert (api.status_code, said["detail"]) == (503, database.AWAY)
    assert said["type"].endswith("#unavailable")
    try:
        raise outage
    except DatabaseError:
        assert errors.server_error(page).status_code == 503


def test_a_statement_that_takes_too_long_is_given_up_and_the_page_says_so(db, settings, caplog):
    settings.STATEMENT_SECONDS = 1
    own = ConnectionHandler({"default": connection.settings_dict})["default"]
    database.limit_statements(own)
    with own.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("1s",)
    own.close()
    late = failure("SET statement_timeout = 1; SELECT pg_sleep(5)")
    handler = errors.refusals(lambda request: None)
    answer = handler.process_exception(RequestFactory().get("/"), late)
    assert database.TOO_LONG in source(answer, 503)
    assert json.loads(errors.api_exception_handler(late, {}).content)["detail"] == database.TOO_LONG
    assert "database=late" in caplog.text


def test_statements_of_web_processes_are_limited_and_those_of_others_not():
    shown = (
        "from django.db import connection as c; u = c.cursor(); u.execute('SHOW "
        "statement_timeout'); print(u.fetchone()[0])"
    )
    found = []
    for module in ("config.wsgi", "config.celery"):
        program = f"import django, {module}; django.setup(); {shown}"
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ
            | {
                "DATABASE_URL": settings.DATABASE_URL,
                "REDIS_URL": settings.REDIS_URL,
                "DEBUG": "true",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(done.stdout.strip())
    assert found == ["30s", "0"]


def test_a_statement_that_the_database_refuses_is_a_bug(db):
    wrong = failure("SELECT nothing")
    handler = errors.refusals(lambda request: None)
    assert handler.process_exception(RequestFactory().get("/"), wrong) is None
    assert errors.server_error(RequestFactory().get("/")).status_code == 500
