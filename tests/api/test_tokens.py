"""A program signs in with an access token, which does what its scopes say and never more."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from api.core.spelling import TOKEN, spelled
from api.models import AccessToken, Scope
from api.services import revoke_token
from assess.models.judging import Judgment
from tests import make
from tests.api.addresses import judging, kind
from tests.db.sharing import of, shared
from tests.tokens import Reading, Silent, ask, ended, made, program, row
from tests.worlds import once

ANOTHER = "Another one can be made at http://testserver/account/tokens/"
REALM = 'Bearer realm="Cleverdon"'


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


@pytest.fixture
@once
def lent(campaign, pat, ada, ben):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    return of(shared(campaign, [ada, ben], n_wanted=1), ada)


def judge(client, assignment) -> Response:
    data = [{"client_id": str(uuid4()), "docno": "d1", "choice": 2}]
    address = judging(assignment)
    return client.post(address, data, content_type="application/json")


def lend(client, assignment) -> Response:
    return client.post(judging(assignment, "lend"))


def told(response) -> str:
    return response.json()["detail"]


def test_a_program_judges_with_a_token(assignment, ada):
    secret = made(ada, "judge")
    assert judge(program(secret), assignment).status_code == 200
    [judgment] = Judgment.objects.counting()
    assert (judgment.assessor, judgment.grade) == (ada, 2)


@pytest.mark.parametrize("scope", Scope.values)
def test_each_scope_at_the_addresses_of_judging(campaign, lent, ada, scope):
    client = program(made(ada, scope))
    for answer in (lend(client, lent), judge(client, lent)):
        if scope == "judge":
            assert answer.status_code == 200
            continue
        may = "read" if scope == "read" else f"read and {scope}"
        assert answer.status_code == 403
        assert kind(answer) == "not_yours"
        assert told(answer) == f"This access token lacks the scope judge: it may {may}. {ANOTHER}"
        header = f'{REALM}, error="insufficient_scope", scope="judge"'
        assert answer["WWW-Authenticate"] == header


def test_without_anything_one_is_asked_for_a_token(assignment):
    answer = judge(Client(), assignment)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, REALM)
    assert told(answer) == "No access token was sent."


def refused(secret, assignment) -> str:
    answer = judge(program(secret), assignment)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == f'{REALM}, error="invalid_token"'
    assert kind(answer) == "not_signed_in"
    assert told(answer).endswith(f" {ANOTHER}")
    return told(answer).removesuffix(f" {ANOTHER}")


def test_a_token_that_is_none_is_told_from_one_that_is_unknown(assignment, ada):
    secret = made(ada, "judge")
    last = "a" if secret[-1] != "a" else "b"
    for wrong in (secret[:-1] + last, secret[:-1], secret + "0", "", "x", "é", "\u0661" * 46):
        assert refused(wrong.encode().decode("latin-1"), assignment) == (
            "This is no access token: its check digits do not fit, "
            "so that it was mistyped or cut off."
        )
    assert refused(spelled("A" * 30), assignment) == "There is no such access token."


def test_a_token_that_has_ended_says_when(assignment, ada):
    secret = made(ada, "judge")
    ended(secret)
    at = row(secret).ends_at
    assert refused(secret, assignment) == f"This access token ended on {at:%-d %B %Y, %H:%M} UTC."


def test_a_token_that_is_revoked_says_when_by_whom_and_why(assignment, ada, olga):
    secret = made(ada, "judge")
    revoke_token(user=ada, token=row(secret))
    at = f"{row(secret).revoked_at:%-d %B %Y, %H:%M} UTC"
    begin = f"This access token was revoked on {at} by"
    assert refused(secret, assignment) == f"{begin} Ada (ada)."
    for by, why, said in (
        (ada, "password", "Ada (ada), because the password was changed."),
        (None, "closed", "the people who run this site, because the account was closed."),
        (olga, "left", "Olga (olga), because this person left the campaign."),
    ):
        AccessToken.objects.update(revoked_by=by, why=why)
        assert refused(secret, assignment) == f"{begin} {said}"


def test_a_token_of_an_account_that_is_closed_is_refused(assignment, ada):
    secret = made(ada, "judge")
    type(ada).objects.filter(pk=ada.pk).update(is_active=False)
    assert refused(secret, assignment) == "The account of this access token is closed."


def test_a_token_for_one_campaign_is_for_no_other(campaign, assignment, ada, olga):
    other = make.campaign(olga, assessors=[ada])
    campaign.name = "TREC robust"
    campaign.save()
    elsewhere, here = made(ada, "judge", campaign=other), made(ada, "judge", campaign=campaign)
    assert judge(program(here), assignment).status_code == 200
    answer = judge(program(elsewhere), assignment)
    assert answer.status_code == 403
    assert told(answer) == f"This access token is for the campaign {other} only. {ANOTHER}"
    assert answer["WWW-Authenticate"] == f'{REALM}, error="insufficient_scope", scope="judge"'


def test_a_token_can_do_no_more_than_its_person(assignment, ben, campaign, ada):
    assert judge(program(made(ben, "judge", "organize")), assignment).status_code == 404
    secret = made(ada, "judge")
    campaign.membership_set.filter(user=ada).delete()
    assert judge(program(secret), assignment).status_code == 403


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER  "])
def test_the_scheme_is_read_in_any_case(assignment, ada, scheme):
    client = Client(headers={"Authorization": scheme + made(ada, "judge")})
    assert judge(client, assignment).status_code == 200


def test_other_schemes_are_left_to_others(assignment, ada):
    """As of a proxy that asks for a password of its own."""
    client = Client(headers={"Authorization": "Basic YTpi"})
    assert judge(client, assignment).status_code == 401
    client.force_login(ada)
    assert judge(client, assignment).status_code == 200


def test_a_token_counts_beside_a_session_and_a_session_needs_its_csrf_token(assignment, ada, ben):
    client = program(made(ada, "judge"))
    client.force_login(ben)
    assert judge(client, assignment).status_code == 200
    client = program(made(ada, "read"))
    client.force_login(ada)
    assert judge(client, assignment).status_code == 403
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert "CSRF" in told(judge(client, assignment))


def test_a_token_opens_no_page(campaign, ada):
    client = program(made(ada, "read", "judge"))
    for address in ("/", "/account/", "/account/tokens/", f"/campaigns/{campaign.slug}/"):
        with_token, without = client.get(address), Client().get(address)
        assert (with_token.status_code, with_token.headers.get("Location")) == (
            without.status_code,
            without.headers.get("Location"),
        )
        assert "Ada" not in with_token.text


# Views


def routes(patterns=None) -> list[type[APIView]]:
    """Every view of the API, of whatever address."""
    found = []
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver):
            found += routes(each.url_patterns)
        elif isinstance(each, URLPattern) and hasattr(each.callback, "cls"):
            found.append(each.callback.cls)
    return found


def test_every_view_of_the_api_says_which_scope_it_needs(rf):
    doors = [view for view in routes() if view is not SpectacularJSONAPIView]
    assert len(doors) > 100
    for view in doors:
        door = view()
        for door.request in (rf.get("/"), rf.post("/")):
            assert door.request.method.lower() not in dir(door) or door.scope in Scope.values


def test_a_view_that_says_no_scope_is_refused_to_tokens(rf, ada):
    answer = ask(rf, Silent, made(ada, *Scope.values))
    assert answer.status_code == 403
    said = "This address takes no access tokens, whatever their scope."
    assert answer.data["detail"] == f"{said} {ANOTHER}"
    assert answer["WWW-Authenticate"] == f'{REALM}, error="insufficient_scope"'


@pytest.mark.parametrize("scope", Scope.values)
def test_every_token_may_read(rf, ada, scope):
    assert ask(rf, Reading, made(ada, scope)).data == {"user": "Ada"}


def test_a_token_for_one_campaign_reads_below_its_address_alone(rf, campaign, ada):
    secret = made(ada, "read", campaign=campaign)
    assert ask(rf, Reading, secret, slug=campaign.slug).status_code == 200
    for named in ({}, {"slug": "another"}, {"pk": 1}):
        assert ask(rf, Reading, secret, **named).status_code == 403
    assert ask(rf, Reading, made(ada, "read"), slug="another").status_code == 200


# Spelling


def test_a_token_is_found_by_its_documented_expression(ada):
    secret = made(ada, "read")
    assert re.fullmatch(TOKEN, secret)
    assert timezone.now() < row(secret).ends_at
    for page in ("docs/api.md", "SECURITY.md"):
        assert f"`{TOKEN}`" in Path(page).read_text()
