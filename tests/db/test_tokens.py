"""Access tokens: who makes them, what ends them, and that nothing else is kept of them."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.access import NotThere, Refused
from accounts.models import AccountEvent
from api import services
from api.access import MOST
from api.models import AccessToken
from api.services import MADE_ALREADY
from campaigns.services import ending
from tests.tokens import ended, made, row


def test_the_token_itself_is_nowhere_in_the_database(ada):
    secret = made(ada, "read")
    with connection.cursor() as cursor:
        for table in ("api_accesstoken", "accounts_accountevent"):
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608
            kept = str(cursor.fetchall())
            assert kept
            assert secret not in kept
            assert secret[10:40] not in kept


def test_a_token_is_made_for_its_time_with_its_scopes_in_order(ada):
    token = row(made(ada, "judge", "read", days=30))
    assert (token.scopes, token.ends_at - token.made_at) == (["read", "judge"], timedelta(days=30))
    event = AccountEvent.objects.filter(user=ada).first()
    assert str(event) == "Ada made the access token"
    assert event.subject == "laptop"


def test_two_tokens_are_never_the_same(ada):
    assert made(ada, "read") != made(ada, "read")


def test_a_form_that_is_sent_twice_makes_one(ada):
    once = {"name": "x", "scopes": ["read"], "days": 30, "client_id": uuid4()}
    services.make_token(user=ada, **once)
    with pytest.raises(Refused) as refusal:
        services.make_token(user=ada, **once)
    assert str(refusal.value) == MADE_ALREADY
    assert AccessToken.objects.count() == 1


def test_nobody_makes_one_for_a_campaign_that_they_are_not_in(campaign, sam):
    with pytest.raises(NotThere):
        made(sam, "read", campaign=campaign)


def test_nobody_has_more_valid_ones_than_a_page_shows(ada, ben):
    secrets = [made(ada, "read") for _ in range(MOST)]
    with pytest.raises(Refused, match="You have 50 valid access tokens"):
        made(ada, "read")
    made(ben, "read")
    ended(secrets[0])
    made(ada, "read")


def test_nobody_revokes_that_of_another_and_nobody_twice(ada, olga):
    token = row(made(ada, "read"))
    with pytest.raises(NotThere):
        services.revoke_token(user=olga, token=token)
    services.revoke_token(user=ada, token=token)
    with pytest.raises(
        Refused, match=r"^This access token was revoked on .* UTC by Ada \(ada\)\.$"
    ):
        services.revoke_token(user=ada, token=token)
    event = AccountEvent.objects.filter(user=ada).first()
    assert f"{event.get_kind_display()} {event.subject}" == "an access token was revoked: laptop"


def test_one_that_has_gone_with_its_campaign_is_not_there(campaign, olga):
    token = row(made(olga, "read", campaign=campaign))
    ending.delete_campaign(user=olga, campaign=campaign)
    with pytest.raises(NotThere):
        services.revoke_token(user=olga, token=token)


NOW = timezone.now()
WRONG = (
    {"scopes": []},
    {"scopes": ["write"]},
    {"scopes": ["read", "write"]},
    {"ends_at": NOW},
    {"ends_at": NOW + timedelta(days=365, seconds=1)},
    {"revoked_at": NOW},
    {"why": "left"},
    {"revoked_by": "ada"},
    {"revoked_at": NOW, "revoked_by": "ada"},
)


@pytest.mark.parametrize("wrong", WRONG)
def test_no_row_holds_what_no_token_has(ada, wrong):
    plain = {"user": ada, "scopes": ["read"], "client_id": uuid4(), "made_at": NOW}
    values = {**plain, "ends_at": NOW + timedelta(days=1), **wrong}
    if "revoked_by" in wrong:
        values["revoked_by"] = ada
    with pytest.raises(IntegrityError, match="violates check constraint"), transaction.atomic():
        AccessToken.objects.create(**values)
