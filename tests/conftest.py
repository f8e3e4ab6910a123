"""The cast, the services and the browser."""

import gc
import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.management import create_permissions
from django.contrib.contenttypes.management import create_contenttypes
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, connections
from django.db.models.signals import post_migrate
from django.test import Client

from accounts.append_only import ERASING
from config.cache import OPTIONS as CACHE_OPTIONS
from config.cache import PatientRedis
from tests import make
from tests.onscreen import PATIENCE_MS
from tests.worlds import DJANGOS, make_fingerprint, once

# The longest tests come first, so that the other workers do everything else meanwhile.
TURNS = {"recovery": 0, "e2e": 0, "browser": 1}
CORES = Path(__file__).parent / "core"


def pytest_configure() -> None:
    if settings.IS_EMBEDDED:
        settings.EMBEDDED.hold()
    # A busy machine is no bug: how long an example takes is measured in benchmarks/.
    for name, count in {"quick": 8, "deep": 1000}.items():
        hypothesis.settings.register_profile(name, max_examples=count, deadline=None)
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Nor is a Redis away that takes long to answer there; tests that take theirs away keep the
    # patience of production.
    CACHE_OPTIONS.update({"socket_connect_timeout": 10, "socket_timeout": 10})
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    # As in development: otherwise each test client lists every static file when it starts.
    settings.WHITENOISE_AUTOREFRESH = True
    # Millions of objects live until the end, and looking through them for garbage takes a fifth of
    # the time.
    gc.set_threshold(100_000, 50, 1000)


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.hookimpl(trylast=True)  # after the random order is made
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: TURNS.get(item.path.parent.name, 2))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> None:
    """Empty the tables after a transactional test by deleting: TRUNCATE makes new files."""

    def sql_flush(style, tables, **_) -> list[str]:
        deletions = (f'DELETE FROM "{name}"' for name in set(tables) - DJANGOS)  # noqa: S608
        return [f"SET LOCAL {ERASING} = 'on'", *deletions]

    connection.ops.sql_flush = sql_flush
    for receiver in (create_contenttypes, create_permissions):
        assert post_migrate.disconnect(receiver) or post_migrate.disconnect(
            dispatch_uid=f"{receiver.__module__}.{receiver.__name__}"
        )
    with django_db_blocker.unblock():
        make_fingerprint()


@pytest.fixture(autouse=True)
def _own_files(request):
    """Uploaded files go to a temporary folder, and the cache is empty; but cores write no file and
    know no cache.
    """
    if CORES not in request.path.parents:
        request.getfixturevalue("_empty")


@pytest.fixture
def _empty(tmp_path, settings):
    from django.contrib.contenttypes.models import ContentType
    from django.core.cache import cache

    settings.MEDIA_ROOT = tmp_path / "media"
    settings.VAR_DIR = tmp_path
    PatientRedis.outage.pause_ends = 0.0  # that Redis was away in another test is over
    cache.clear()
    ContentType.objects.clear_cache()  # of rows that went with another test


@pytest.fixture
def queued(monkeypatch) -> list[tuple[int, str]]:
    """The jobs told to the queue, instead of telling it; `run_jobs` below does them."""
    from jobs import work

    told: list[tuple[int, str]] = []
    monkeypatch.setattr(work, "enqueue", lambda job_id, kind, **_: told.append((job_id, kind)))
    return told


@pytest.fixture
def olga(db):
    return make.known("olga")


@pytest.fixture
def ada(db):
    return make.known("ada")


@pytest.fixture
def ben(db):
    return make.known("ben")


@pytest.fixture
def pat(db):
    return make.known("pat")


@pytest.fixture
def sam(db):
    """A stranger: signed in, with no role anywhere."""
    return make.user("sam")


@pytest.fixture
@once
def otto(db):
    """The organizer of another campaign: a stranger in this one."""
    otto = make.user("otto")
    make.campaign(otto)
    return otto


@pytest.fixture
@once
def campaign(olga, ada, ben, pat):
    """A campaign with two topics, six documents and everybody in their role."""
    return make.campaign(olga, assessors=[ada, ben], participants={"Aldgate": [pat]})


@pytest.fixture
def sign_in(client: Client):
    def as_(user) -> Client:
        client.force_login(user)
        return client

    return as_


@pytest.fixture
def connected():
    """The test's connection stays after each request, as with the client of Django."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


# The browser


# The shell opens a page in a quarter of the time that the whole browser takes.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium_path() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def launched(playwright, path: str, arguments: list[str]):
    """Chromium; started once more where it died as it started, as it does once in some hundreds."""
    from playwright._impl._errors import TargetClosedError

    launch = partial(playwright.chromium.launch, executable_path=path, args=arguments)
    try:
        return launch()
    except TargetClosedError:
        return launch()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    path = chromium_path()
    if path is None:
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail("REQUIRE_BROWSER is set and there is no Chromium on the path.")
        pytest.skip("there is no Chromium on the path")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        arguments = [
            "--no-sandbox",
            "--disable-gpu",
            "--in-process-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ]
        chromium = launched(playwright, path, arguments)
        yield chromium
        chromium.close()
        # Playwright runs an event loop, and Django keeps a connection apart for code inside one.
        # Left open, it would keep the test database from being dropped once the loop has gone.
        connections.close_all()
