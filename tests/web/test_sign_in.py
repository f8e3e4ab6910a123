"""Signing in and up: how often, what it says of names, and two people at once."""

import re
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import throttle
from accounts.forms import SignUpForm
from accounts.models import SignInAttempt, User
from campaigns.models.people import Role
from campaigns.services import people
from tests import make
from tests.web.html import source

WRONG = "wrong"
RIGHT = "a password of tests"
WAIT = "Too many attempts to sign in have failed. Try again in 15 minutes."


def sign_in(name: str = "sam", password: str = WRONG, **environ: str):
    return Client(**environ).post("/sign-in/", {"username": name, "password": password})


def alert(response) -> str:
    [text] = re.findall(r'class="errors">(.*?)</div>', response.text, re.DOTALL)
    return re.sub(r"<[^>]+>", "", text).strip()


def test_after_too_many_failures_even_the_right_password_waits(sam):
    failed = [sign_in().status_code for _ in range(throttle.FROM_ONE_ADDRESS)]
    assert failed == [422] * throttle.FROM_ONE_ADDRESS
    response = sign_in(password=RIGHT)
    assert (response.status_code, response["Retry-After"]) == (429, "900")
    assert alert(response) == WAIT
    assert sign_in("ada").status_code == 422  # another account
    assert sign_in(password=RIGHT, REMOTE_ADDR="10.0.0.9").status_code == 302
    assert alert(sign_in()) == WAIT, "elsewhere is not here"


def known_browser() -> Client:
    """One in which Sam has signed in before and is signed out."""
    client = Client()
    client.post("/sign-in/", {"username": "sam", "password": RIGHT})
    del client.cookies["sessionid"]
    return client


@pytest.mark.parametrize("addresses", [["127.0.0.1"], [f"10.0.0.{n}" for n in range(50)]])
def test_no_stranger_keeps_somebody_out_of_a_browser_they_know(sam, monkeypatch, addresses):
    monkeypatch.setattr(throttle, "FROM_ALL_ADDRESSES", 20)
    own = known_browser()
    for n in range(30):
        sign_in(REMOTE_ADDR=addresses[n % len(addresses)])
    assert sign_in(password=RIGHT).status_code == 429, "guessing is bounded elsewhere"
    right = {"username": "SAM", "password": RIGHT}
    assert own.post("/sign-in/", right).status_code == 302


def test_guessing_is_bounded_in_a_known_browser_too_and_only_for_whom_it_knows(sam):
    own, wrong = known_browser(), {"username": "sam", "password": WRONG}
    failed = [own.post("/sign-in/", wrong).status_code for _ in range(11)]
    assert failed == [422] * 10 + [429]
    assert sign_in(password=RIGHT).status_code == 302, "which keeps nobody out elsewhere"
    make.user("tess")
    own = known_browser()
    others = [own.post("/sign-in/", {**wrong, "username": "tess"}).status_code for _ in range(11)]
    assert others == [422] * 10 + [429]
    assert sign_in("tess", RIGHT).status_code == 429


def test_a_browser_does_not_make_itself_known(sam):
    client = Client()
    client.cookies[throttle.BROWSER] = "x"
    for _ in range(10):
        client.post("/sign-in/", {"username": "sam", "password": WRONG})
    assert sign_in(password=RIGHT).status_code == 429


def test_whoever_is_signed_in_changes_their_password_whatever_strangers_try(sam):
    client = Client()
    client.force_login(sam)
    for _ in range(10):
        sign_in()
    new = {"new_password1": "tralala-17x", "new_password2": "tralala-17x"}
    assert client.post("/account/password/", {"old_password": RIGHT, **new}).status_code == 302


def test_a_name_is_one_name_however_it_is_spelled(sam):
    for name in ("SAM", "Sam", "\uff53am", "sam "):
        assert sign_in(name, RIGHT).status_code == 302, name


def test_waiting_ends_and_asking_meanwhile_does_not_prolong_it(sam):
    for _ in range(throttle.FROM_ONE_ADDRESS + 5):
        sign_in()
    assert SignInAttempt.objects.count() == throttle.FROM_ONE_ADDRESS
    for attempt in SignInAttempt.objects.all():
        attempt.at -= throttle.WINDOW - timedelta(seconds=50)
        attempt.save()
    assert alert(sign_in()).endswith("Try again in 1 minute.")
    SignInAttempt.objects.update(at=attempt.at - timedelta(seconds=50))
    assert sign_in(password=RIGHT).status_code == 302
    assert not SignInAttempt.objects.exists()


@pytest.mark.parametrize(
    ("limit", "attempt"),
    [
        ("OF_ADDRESS", lambda n: (f"name{n}", "10.0.0.1")),
        ("FROM_ALL_ADDRESSES", lambda n: ("sam", f"10.0.0.{n}")),
    ],
)
def test_many_names_of_an_address_or_addresses_of_a_name_wait_too(sam, monkeypatch, limit, attempt):
    monkeypatch.setattr(throttle, limit, 4)
    tries = [attempt(n) for n in range(5)]
    answers = [sign_in(name, REMOTE_ADDR=address).status_code for name, address in tries]
    assert answers == [422, 422, 422, 422, 429]


def test_the_address_is_what_the_trusted_proxy_says_and_nobody_else(rf, settings):
    request = rf.get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="1.1.1.1, 2.2.2.2")
    settings.SECURE_PROXY_SSL_HEADER = None
    assert throttle.address_of(request) == "10.0.0.1"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert throttle.address_of(request) == "2.2.2.2"
    assert throttle.address_of(rf.get("/", HTTP_X_FORWARDED_FOR="\0")) == ""


def test_the_pages_of_the_admin_are_behind_the_same_limit(sam):
    data = {"username": "sam", "password": "wrong"}
    pages = [Client().post("/admin/login/", data) for _ in range(throttle.FROM_ONE_ADDRESS + 1)]
    assert WAIT in pages[-1].text
    assert WAIT not in pages[-2].text
    assert alert(sign_in(password=RIGHT)) == WAIT


def test_a_name_that_nobody_has_is_answered_as_one_that_somebody_has(sam, monkeypatch):
    made = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *a: made.append(a) or encode(*a))
    seen = {}
    for name in ("sam", "xam"):
        made.clear()
        for n in range(throttle.FROM_ONE_ADDRESS + 1):
            with CaptureQueriesContext(connection) as queries:
                response = sign_in(name)
            text = re.sub(r'"[\w-]{64}"', "", response.text)
            seen[name, n] = (response.status_code, text.replace(name, ""), len(queries), len(made))
    assert seen["sam", 0][3] == 1, "a password is compared, by hashing it"
    for n in range(throttle.FROM_ONE_ADDRESS + 1):
        assert seen["sam", n] == seen["xam", n]


def test_signing_in_works_without_redis(sam, settings):
    cache = {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {"default": cache}
    assert sign_in().status_code == 422
    assert sign_in(password=RIGHT).status_code == 302


# At the same moment


def at_once(act: Callable[[int], object], n: int) -> list[object]:
    """Do something n times at the same moment; what each came to."""
    gate, came = threading.Barrier(n), []

    def run(number: int) -> None:
        gate.wait()
        try:
            came.append(act(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


@pytest.mark.django_db(transaction=True)
def test_guesses_made_at_once_are_no_more_than_the_limit(sam):
    answers = at_once(lambda _: sign_in().status_code, throttle.FROM_ONE_ADDRESS + 6)
    assert set(answers) <= {422, 429}
    assert answers.count(422) <= throttle.FROM_ONE_ADDRESS


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_name_at_once_one_has_it_and_one_reads_why(campaign, olga):
    link = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2)
    new = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}
    answers = at_once(lambda _: Client().post(f"/invitations/{link.token}/", new), 2)
    assert sorted(answer.status_code for answer in answers) == [302, 422]
    [refused] = [answer for answer in answers if answer.status_code == 422]
    errors = refused.context["form"].errors
    assert errors == {"username": ["A user with that username already exists."]}
    assert campaign.membership_set.filter(user__username="new").count() == 1


def test_a_name_that_is_taken_is_refused_in_a_sentence(client, campaign, olga, monkeypatch):
    """Also in other capitals; and after the form looked, when only the constraint knows."""
    link = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2)
    for clean in (SignUpForm.clean_username, lambda form: form.cleaned_data["username"]):
        monkeypatch.setattr(SignUpForm, "clean_username", clean)
        for name in (olga.username, olga.username.upper()):
            new = {"username": name, "password1": "tralala-17x", "password2": "tralala-17x"}
            response = client.post(f"/invitations/{link.token}/", new)
            assert response.status_code == 422
            errors = response.context["form"].errors
            assert errors == {"username": ["A user with that username already exists."]}


# Names and passwords


def test_the_password_of_the_example_is_refused(client, campaign, olga):
    link = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2)
    for password in ("cleverdon", "Cleverdon", "cleverdon123", "1-CLEVERDON!"):
        new = {"username": "new", "password1": password, "password2": password}
        response = client.post(f"/invitations/{link.token}/", new)
        assert "the name of this site" in source(response, 422)
    assert not User.objects.filter(username="new").exists()
