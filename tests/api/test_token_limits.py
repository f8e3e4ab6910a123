"""How often an access token may ask, and what is noted of its use."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.models import AccessToken, Scope
from api.throttle import TokenThrottle
from config.cache import PatientRedis
from tests.tokens import Reading, Silent, ask, ended, made, row


def test_its_use_is_written_at_most_once_a_minute(rf, ada):
    secret = made(ada, "read")
    assert row(secret).used_at is None
    ask(rf, Reading, secret)
    first = row(secret).used_at
    assert first is not None
    with CaptureQueriesContext(connection) as captured:
        ask(rf, Reading, secret)
    assert len(captured) == 1
    AccessToken.objects.update(used_at=first - timedelta(seconds=61))
    ask(rf, Reading, secret)
    assert row(secret).used_at > first


def test_a_refused_token_is_not_used(rf, ada):
    secret = made(ada, "read")
    ended(secret)
    assert ask(rf, Reading, secret).status_code == 401
    assert row(secret).used_at is None


# Limits


@pytest.fixture
def clock(monkeypatch):
    """The seconds that the limits are counted by."""

    class Clock:
        at = 1000.0

    monkeypatch.setattr(TokenThrottle, "timer", lambda _: Clock.at)
    return Clock


class Acting(Silent):
    scope = Scope.ORGANIZE


@pytest.fixture
def limits(settings):
    settings.TOKEN_REQUESTS_PER_MINUTE = {"read": 3, "act": 2}


def test_a_token_asks_so_often_in_any_minute(rf, ada, clock, limits):
    secret = made(ada, "organize")
    for view, most, what in ((Reading, 3, "read"), (Acting, 2, "act")):
        clock.at = 1000
        for _ in range(most):
            assert ask(rf, view, secret).status_code == 200
            clock.at += 10
        answer = ask(rf, view, secret)
        wait = 60 - 10 * most
        assert (answer.status_code, answer["Retry-After"]) == (429, str(wait))
        said = f"An access token may {what} {most} times a minute. Try again in {wait} seconds."
        assert answer.data["detail"] == said
        assert answer.data["type"].endswith("#too_many")
        clock.at += wait - 1
        assert ask(rf, view, secret).status_code == 429
        clock.at += 1
        assert ask(rf, view, secret).status_code == 200
        assert ask(rf, view, secret).status_code == 429


def test_the_limit_of_a_token_is_no_others(rf, ada, ben, clock, limits):
    secret = made(ada, "organize")
    assert [ask(rf, Acting, secret).status_code for _ in range(3)] == [200, 200, 429]
    for other in (made(ada, "organize"), made(ben, "organize")):
        assert ask(rf, Acting, other).status_code == 200
    assert ask(rf, Reading, secret).status_code == 200


def test_a_limit_that_is_lowered_or_none(rf, ada, clock, limits, settings):
    secret = made(ada, "read")
    for _ in range(3):
        clock.at += 10
        assert ask(rf, Reading, secret).status_code == 200
    settings.TOKEN_REQUESTS_PER_MINUTE = {"read": 1, "act": 1}
    assert ask(rf, Reading, secret)["Retry-After"] == "60"
    settings.TOKEN_REQUESTS_PER_MINUTE = {"read": 0, "act": 0}
    assert ask(rf, Reading, secret).status_code == 200


def test_while_redis_is_away_there_is_no_limit(rf, ada, limits, monkeypatch):
    secret = made(ada, "organize")
    monkeypatch.setattr(PatientRedis.outage, "pause_ends", float("inf"))
    assert [ask(rf, Acting, secret).status_code for _ in range(4)] == [200] * 4


class Judging(Silent):
    scope = Scope.JUDGE


def test_judging_and_sessions_have_no_limit(rf, client, ada, clock, limits):
    secret = made(ada, "judge")
    assert [ask(rf, Judging, secret).status_code for _ in range(4)] == [200] * 4
    request = rf.get("/")
    request.user, request.session = ada, client.session
    assert [Acting.as_view()(request).status_code for _ in range(4)] == [200] * 4
