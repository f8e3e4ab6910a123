"""Sessions are rows of the database, of which the cache has short-lived copies."""

import math

import pytest
import redis
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config import sessions
from config.cache import PatientRedis
from jobs.tasks import clear_sessions
from tests import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    client = Client()
    client.force_login(make.user("ada"))
    return client


def test_the_second_request_asks_the_database_for_no_session(client):
    client.get("/account/")
    with CaptureQueriesContext(connection) as captured:
        assert client.get("/account/").status_code == 200
    assert not [query for query in captured if "django_session" in query["sql"]]


def test_a_sign_out_holds_at_once_for_a_kept_cookie(client):
    client.get("/account/")
    kept = client.cookies["sessionid"].value
    client.post("/sign-out/")
    other = Client()
    other.cookies["sessionid"] = kept
    assert other.get("/account/").status_code == 302


def test_what_a_session_gets_is_read_by_the_next_request(client):
    key = client.cookies["sessionid"].value
    client.get("/account/")
    store = sessions.SessionStore(key)
    store["found"] = 1
    store.save()
    assert sessions.SessionStore(key)["found"] == 1


def test_while_redis_is_away_the_database_answers(client, monkeypatch):
    client.get("/account/")
    monkeypatch.setattr(PatientRedis.outage, "pause_ends", math.inf)
    assert client.get("/account/").status_code == 200


def test_a_copy_is_forgotten_after_a_minute(client):
    """So a sign-out that could not drop it holds by then."""
    client.get("/account/")
    key = client.cookies["sessionid"].value
    left = redis.Redis.from_url(settings.REDIS_URL).ttl(cache.make_key(f"session:{key}"))
    assert 0 < left <= sessions.COPY_SECONDS
    Session.objects.all().delete()
    cache.delete(f"session:{key}")
    assert client.get("/account/").status_code == 302


def test_sessions_that_ended_by_themselves_are_deleted(client):
    ended = sessions.SessionStore()
    ended.set_expiry(-1)
    ended.save()
    assert Session.objects.count() == 2
    clear_sessions()
    assert Session.objects.get().session_key == client.cookies["sessionid"].value
