"""The page of one's own access tokens."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import clear_script_prefix, set_script_prefix
from django.utils import timezone

from accounts.models import User
from api.access import MOST
from api.core.spelling import TOKEN, is_spelled_right
from api.models import AccessToken
from api.services import MADE_ALREADY, revoke_token
from api.web.tokens import MOST_SHOWN
from campaigns.models.resets import hash_of
from tests import make
from tests.tokens import ended, made, row
from tests.web.html import words_of_main as text

PAGE = "/account/tokens/"


@pytest.fixture
def as_ada(client, ada):
    client.force_login(ada)
    return client


def typed(**changes) -> dict[str, object]:
    plain = {"name": "laptop", "scopes": ["read", "judge"], "days": "30", "client_id": uuid4()}
    return {**plain, **changes}


def tokens_in(response) -> list[str]:
    return re.findall(TOKEN, response.text)


def test_a_token_is_shown_in_the_answer_to_its_form_and_nowhere_else(as_ada, ada, olga):
    answer = as_ada.post(PAGE, typed())
    assert answer.status_code == 200
    [secret] = {*tokens_in(answer)}
    assert is_spelled_right(secret)
    token = AccessToken.objects.get()
    assert (token.user, token.token_hash) == (ada, hash_of(secret))
    assert "Copy it now: it is shown only once." in text(answer)
    assert answer["Cache-Control"] == "private, no-store"
    for address in (PAGE, "/account/", "/"):
        assert tokens_in(as_ada.get(address)) == []
    assert secret not in str(dict(as_ada.session))
    assert "laptop read, judge all campaigns" in text(as_ada.get(PAGE))
    as_ada.force_login(olga)
    assert "laptop" not in text(as_ada.get(PAGE))
    assert "You have no valid token." in text(as_ada.get(PAGE))


def test_a_form_that_is_sent_again_makes_no_second_one(as_ada):
    sent = typed()
    as_ada.post(PAGE, sent)
    again = as_ada.post(PAGE, sent)
    assert again.status_code == 409
    assert MADE_ALREADY in text(again)
    assert tokens_in(again) == []
    assert AccessToken.objects.count() == 1


def test_each_page_has_an_id_of_its_own_for_the_form(as_ada):
    ids = {as_ada.get(PAGE).context["form"]["client_id"].value() for _ in range(2)}
    ids.add(as_ada.post(PAGE, typed()).context["form"]["client_id"].value())
    assert len(ids) == 3


FAULTS = (
    ({"name": ""}, "name"),
    ({"name": "  "}, "name"),
    ({"name": "x" * 61}, "name"),
    ({"scopes": []}, "scopes"),
    ({"scopes": ["write"]}, "scopes"),
    ({"days": "31"}, "days"),
    ({"days": ""}, "days"),
    ({"campaign": "unknown"}, "campaign"),
    ({"client_id": "x"}, "client_id"),
    ({"client_id": ""}, "client_id"),
)


@pytest.mark.parametrize(("changes", "field"), FAULTS)
def test_what_does_not_fit_is_said_at_its_field(as_ada, changes, field):
    answer = as_ada.post(PAGE, typed(**changes))
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == [field]
    assert answer.context["form"].errors[field][0] in text(answer)
    assert not AccessToken.objects.exists()


def test_a_token_may_be_for_a_campaign_of_ones_own(as_ada, campaign, ada, otto):
    theirs = otto.membership_set.get().campaign
    assert as_ada.post(PAGE, typed(campaign=theirs.slug)).status_code == 422
    assert theirs.slug not in as_ada.get(PAGE).text
    assert as_ada.post(PAGE, typed(campaign=campaign.slug, days="365")).status_code == 200
    token = AccessToken.objects.get()
    assert (token.campaign, token.ends_at - token.made_at) == (campaign, timedelta(days=365))
    assert f"laptop read, judge {campaign}" in text(as_ada.get(PAGE))


def test_a_token_is_revoked_on_the_page(as_ada, ada):
    token = row(made(ada, "read"))
    answer = as_ada.post(f"{PAGE}{token.pk}/revoke/", follow=True)
    said = text(answer)
    assert "The access token laptop is revoked." in said
    assert "You have no valid token." in said
    assert re.search(r"revoked on \d+ \w+ \d{4}, \d\d:\d\d UTC by Ada \(ada\)", said)
    assert "Last changes" in text(as_ada.get("/account/"))
    assert "An access token was revoked: laptop" in text(as_ada.get("/account/"))
    again = as_ada.post(f"{PAGE}{token.pk}/revoke/")
    assert (again.status_code, "was revoked on" in text(again)) == (409, True)


def test_nobody_revokes_that_of_another(as_ada, olga):
    token = row(made(olga, "read"))
    assert as_ada.post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert AccessToken.objects.live().get() == token


def test_staff_of_the_site_have_no_page_of_the_tokens_of_others(client, ada):
    token = row(made(ada, "read"))
    client.force_login(User.objects.create_superuser("stella"))
    assert "laptop" not in text(client.get(PAGE))
    assert client.post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert "token" not in client.get("/admin/").text.lower().replace("csrfmiddlewaretoken", "")
    assert client.get("/admin/api/accesstoken/").status_code == 404


def test_the_page_says_when_each_was_made_used_and_ends(as_ada, ada):
    secret, over = made(ada, "read"), made(ada, "read", name="old")
    ended(over)
    assert "never" in text(as_ada.get(PAGE))
    at = timezone.now() - timedelta(hours=3)
    AccessToken.objects.filter(pk=row(secret).pk).update(used_at=at)
    said = text(as_ada.get(PAGE))
    for moment in (at, row(secret).made_at, row(secret).ends_at):
        assert f"{moment:%-d %b %Y, %H:%M}" in said
    assert re.search(r"old read all campaigns .* ended", said)


def test_the_page_has_all_valid_ones_and_the_last_of_the_others(as_ada, ada):
    for n in range(MOST_SHOWN + 2):
        token = row(made(ada, "read", name=f"over-{n}"))
        revoke_token(user=ada, token=token)
    for n in range(MOST):
        made(ada, "read", name=f"valid-{n}")
    page = as_ada.get(PAGE)
    rows = re.findall(r'<th scope="row">(\w+)-\d+</th>', page.text)
    assert (rows.count("valid"), rows.count("over")) == (MOST, MOST_SHOWN)
    refused = as_ada.post(PAGE, typed())
    assert (refused.status_code, "You have 50 valid access tokens" in text(refused)) == (409, True)


def test_the_account_leads_to_the_page_and_the_page_shows_its_use(as_ada):
    assert f'href="{PAGE}"' in as_ada.get("/account/").text
    said = text(as_ada.get(PAGE))
    assert 'curl -H "Authorization: Bearer $CLEVERDON_TOKEN"' in said
    assert "http://testserver/api/v1/campaigns/" in said


def test_below_a_path_the_shown_address_has_it(as_ada):
    set_script_prefix("/eval/")  # as the server does for each request
    page = as_ada.get(PAGE)
    clear_script_prefix()
    assert "http://testserver/eval/api/v1/campaigns/" in page.text


def test_a_person_without_a_campaign_may_make_one(client, sam):
    client.force_login(sam)
    assert client.post(PAGE, typed()).status_code == 200
    assert make.known("sam").access_tokens.count() == 1
