"""What every address gives, to somebody who may see it: at which cost, and whether it is a file."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from tests.deployment import ROOT
from tests.web.doors import expected_of
from tests.web.growth import grow
from tests.worlds import once

pytestmark = pytest.mark.slow


class Given(NamedTuple):
    n_queries: int
    is_download: bool


def given_by(doors: dict[str, tuple[str, dict]]) -> dict[str, Given]:
    """What each address gives, by name."""
    clients = {name: Client() for name in ("olga", "ada", "pat")}
    for name, client in clients.items():
        client.force_login(User.objects.get(username=name))
    found = {}
    for name, (address, _) in doors.items():
        seen_by = [each for each in clients if expected_of(each, name)["GET"] == 200]
        if seen_by:
            found[name] = asked(clients[seen_by[0]], address)
    return found


def asked(client: Client, address: str) -> Given:
    with CaptureQueriesContext(connection) as captured:
        response = client.get(address)
        assert response.status_code == 200, address
        if response.streaming:
            assert b"".join(response.streaming_content)
    # Where the cache has lost the session, it comes from its row.
    n_queries = sum("django_session" not in each["sql"] for each in captured)
    return Given(n_queries, "attachment" in response.get("Content-Disposition", ""))


@pytest.fixture
@once
def given(played, doors) -> dict[str, Given]:
    grow(played, 1)
    return given_by(doors)


def test_no_page_or_file_takes_more_queries_if_there_is_more_of_everything(played, doors, given):
    assert {"runs:my_team", "desk:judge_page", "runs:runs"} <= set(given)
    grow(played, 1)
    after = given_by(doors)
    more = {
        name: (was.n_queries, after[name].n_queries)
        for name, was in given.items()
        if after[name].n_queries > was.n_queries
    }
    assert more == {}


def patterns(
    of: list[URLPattern | URLResolver], before: str = "/", prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """The name of every address, and how it is written in urls.py; the admin's are Django's own."""
    for each in of:
        address = f"{before}{each.pattern}"
        if isinstance(each, URLPattern):
            yield f"{prefix}{each.name}", address
        elif each.namespace != "admin":
            inner = f"{each.namespace}:" if each.namespace else ""
            yield from patterns(each.url_patterns, address, prefix + inner)


# A file that has to be made first; tests/db/test_report.py downloads it.
MADE_FIRST = {"report_file"}


def test_every_download_is_described(given):
    names = {name for name, each in given.items() if each.is_download} | MADE_FIRST
    downloads = {
        re.sub(r"<\w+:", "<", address)
        for name, address in patterns(get_resolver().url_patterns)
        if name in names
    }
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert downloads == set(re.findall(r"`(/campaigns/\S+)`", page))
