"""A form that comes too late: what was typed is shown again, and the way to its page."""

import re
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import BaseForm, ChoiceField, ModelChoiceField
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.pages import CHOSEN, NOT_TYPED, TO_BE_CHOSEN
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from config.apps import NOT_OFFERED
from tests import make
from tests.api.addresses import of
from tests.guards import APPS
from tests.web.doors import DOORS, PUBLIC
from tests.web.html import source
from tests.web.test_sign_in import RIGHT


def test_a_form_without_a_valid_token_comes_back_with_what_was_typed(campaign, olga):
    """From before the sign-in, or from nobody."""
    client, address = Client(enforce_csrf_checks=True), f"/campaigns/{campaign.slug}/settings/"
    sent = {"name": "Another <name>", "old_password": "secret", "seen": "9x9"}
    for said in ("too old to be sent, so nothing was saved", "opened before you last signed in"):
        page = source(client.post(address, sent), 403)
        assert said in page
        assert "Another &lt;name&gt;" in page
        assert "secret" not in page
        assert "9x9" not in page
        assert f'href="{address}"' in page
        client.force_login(olga)


def test_a_form_sent_after_the_session_ended_comes_back_with_what_was_typed(client, doors):
    """Whatever the form: it was sent without script, so that the answer takes its page's place."""
    for name, (address, data) in doors.items():
        if name in PUBLIC or DOORS[name][1].startswith(("401", "405", "404")):
            continue
        files = {
            key: SimpleUploadedFile("my file.txt", value)
            for key, value in data.items()
            if isinstance(value, bytes)
        }
        response = client.post(address, {**data, **files})
        html = response.text
        assert response.status_code == 401, name
        assert "nothing was saved" in html, name
        for key, value in data.items():
            if key in files:
                assert "my file.txt (to be chosen again)" in html, (name, key)
            elif isinstance(value, str) and not CHOSEN.search(key) and not NOT_TYPED.search(key):
                assert escape(value) in html, (name, key)
        assert "tralala" not in html, name


def test_what_was_chosen_by_id_is_not_shown_but_to_be_chosen_again(client, played, ada):
    member = played.membership_set.get(user=ada)
    address = f"/campaigns/{played.slug}/people/{member.pk}/remove/"
    page = client.post(address, {"successor": "4711", "max_uses": "4713"}).text
    assert page.count(f'<dd class="document-text">{TO_BE_CHOSEN}</dd>') == 1
    assert "4711" not in page
    assert "4713" in page, "a number that was typed"
    assert ada.username not in page


def forms_of(base: type[BaseForm]) -> set[type[BaseForm]]:
    return {base}.union(*map(forms_of, base.__subclasses__()))


def test_every_field_that_carries_an_id_is_known_as_one():
    ids = {
        name
        for form in forms_of(BaseForm)
        if form.__module__.startswith(APPS)
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field, ModelChoiceField) and field.to_field_name is None
    }
    assert {"topic", "into", "runs"} <= ids
    assert all(CHOSEN.search(name) for name in ids), ids


def test_every_choice_that_is_gone_is_told_in_a_sentence_of_ours():
    told = {
        field.error_messages["invalid_choice"]
        for form in forms_of(BaseForm)
        if form.__module__.startswith(APPS)
        for field in getattr(form, "base_fields", {}).values()
        if isinstance(field, ChoiceField | ModelChoiceField)
    }
    assert NOT_OFFERED in told
    assert not [sentence for sentence in told if "Select a valid" in sentence]


@pytest.mark.parametrize("act", ["releases", "move"])
def test_a_choice_that_went_while_its_page_was_open_is_told(as_olga, campaign, pat, act):
    run = make.run(campaign, pat, {"1": "d1"})
    address, data = {
        "releases": (
            "settings/releases/?what=scores",
            {"what": "scores", "audience": "everybody", "subject_id": "4711"},
        ),
        "move": (f"runs/{run.pk}/move/", {"team": "4711", "seen": run.team_id}),
    }[act]
    html = source(as_olga.post(f"/campaigns/{campaign.slug}/{address}", data), 422)
    assert NOT_OFFERED in html
    assert "Select a valid choice" not in html


def test_what_was_typed_is_shown_to_no_other_request(client, campaign, pat):
    """Whoever signs in next, in the same browser, sees nothing of it."""
    address = f"/campaigns/{campaign.slug}/settings/"
    assert "Secret plan" in client.post(address, {"name": "Secret plan"}).text
    assert dict(client.session) == {}
    client.force_login(pat)
    assert "Secret plan" not in client.get("/", follow=True).text


def test_signing_in_leads_to_the_page_that_the_form_was_on(client, played, ada):
    assignment = Assignment.objects.get(assessor=ada)
    page = f"/campaigns/{played.slug}/judging/{assignment.pk}/"
    for left in (page, f"{page}?number=1"):
        referer = {"Referer": f"http://testserver{left}"}
        sent = {"text": "odd"}
        html = client.post(f"{page}questions/", sent, headers=referer).text
        [sign_in] = re.findall(r'href="(/sign-in/[^"]*)"', html)
        sent = {"username": "ada", "password": RIGHT}
        response = client.post(sign_in, sent, follow=True)
        assert response.status_code == 200
        assert response.request["PATH_INFO"] == page
        assert response.request["QUERY_STRING"] == left.partition("?")[2]
        client.logout()


def test_a_form_from_another_site_leads_nowhere_else(client, campaign):
    address = f"/campaigns/{campaign.slug}/settings/"
    for referer in ("https://elsewhere.example/", "//elsewhere.example/", "javascript:x"):
        html = client.post(address, {"name": "x"}, headers={"Referer": referer}).text
        assert f'href="/sign-in/?next={address}"' in html


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example/x", "///evil.example"])
def test_a_path_that_names_another_site_leads_nowhere_else(client, campaign, sam, path):
    client.force_login(sam)
    address, referer = f"/campaigns/{campaign.slug}/settings/", f"http://testserver{path}"
    for each in (client, Client(enforce_csrf_checks=True)):
        page = each.post(address, {"name": "x"}, headers={"Referer": referer})
        assert not re.search(r'href="[/\\]{2}', page.text)


def test_every_address_that_takes_only_forms_leads_to_its_page(as_olga, doors):
    only_forms = [name for name in doors if "405" in DOORS[name][0]]
    assert len(only_forms) > 30
    led = {name: as_olga.get(doors[name][0]) for name in only_forms}
    pages = {
        response["Location"]
        for name, response in led.items()
        if name not in {"desk:lend", "desk:words"}
    }
    for page in pages:
        assert as_olga.get(page, follow=True).status_code == 200, page


def test_without_a_valid_token_htmx_is_told_in_a_sentence(campaign, ada):
    """The page stays, with what was typed."""
    client = Client(enforce_csrf_checks=True)
    pages = f"/campaigns/{campaign.slug}/judging/1/lend/"
    acts = of(campaign, f"work/{uuid4()}/judge/")
    for sentence, status in (
        ("You have been signed out: sign in again", 401),
        ("opened before you last signed in", 403),
    ):
        for address, kind in ((pages, "text/plain"), (acts, "application/problem+json")):
            response = client.post(address, headers={"HX-Request": "true"})
            assert (response.status_code, response["Content-Type"]) == (status, kind)
            assert sentence in response.text
        client.force_login(ada)


GONE = {
    "handed over": lambda given, member, sam: given.update(assessor=sam),
    "no longer an assessor": lambda given, member, sam: member.update(role="organizer"),
    "removed": lambda given, member, sam: member.delete(),
    "archived": lambda *_: Campaign.objects.update(archived_at=timezone.now()),
}


@pytest.mark.parametrize("change", GONE.values(), ids=GONE)
def test_a_question_that_cannot_be_asked_is_on_the_page_saying_so(client, played, ada, sam, change):
    """Without script: what refuses it takes the place of the page that it was typed on."""
    given = Assignment.objects.filter(assessor=ada)
    address = f"/campaigns/{played.slug}/judging/{given.get().pk}/questions/"
    change(given, played.membership_set.filter(user=ada), sam)
    client.force_login(ada)
    sent = {"about": "d3", "text": "Long & <odd>", "client_id": str(uuid4()), "reader": ada.pk}
    response = client.post(address, sent)
    assert response.status_code in {403, 404, 409, 422}
    page = response.text
    assert "Long &amp; &lt;odd&gt;" in page
    # Not what the page filled in by itself.
    names = re.findall("<dt>([^<]*)</dt>", page.partition("What you sent")[2])
    assert names in ([], ["about", "text"])


def test_a_page_that_was_only_looked_for_shows_nothing_that_was_sent(client, played, sam):
    client.force_login(sam)
    assert "Anything" not in client.get(f"/campaigns/{played.slug}/?comment=Anything").text
