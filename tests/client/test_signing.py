"""Signing in and out: where the token is kept, who can read it, and that nobody is shown it."""

import io
import json

import pytest

from cleverdon.client.connection import minor
from cleverdon.version import VERSION
from tests import tokens
from tests.client.asking import Asking
from tests.client.test_network import JSON, PROBLEM, Other, other  # noqa: F401

LOGIN = ("login", "--token-stdin")


@pytest.fixture
def somebody(site, tmp_path):
    """Somebody at a machine where nothing is kept."""
    return Asking("", "", "", tmp_path)


@pytest.fixture
def secret(pat, campaign):
    return tokens.made(pat, "read", "submit")


def kept(somebody):
    return somebody.folder / ".config/cleverdon/tokens.json"


def test_a_token_is_kept_for_its_owner_alone_and_used_from_then_on(somebody, site, secret):
    said = somebody(*LOGIN, f"{site}/", stdin=f"{secret}\n")
    place = f"The token is in {kept(somebody)}.\n"
    assert said[:2] == (0, f"You are signed in to {site}, with 1 campaign. {place}")
    assert kept(somebody).stat().st_mode & 0o777 == 0o600
    assert kept(somebody).parent.stat().st_mode & 0o077 == 0
    assert somebody("campaigns", "list").out.startswith("slug ")
    assert secret not in said.out + said.err


def test_a_token_for_one_campaign_is_taken_and_asks_of_that_alone(somebody, site, olga, campaign):
    made = tokens.made(olga, "organize", campaign=campaign)
    said = somebody(*LOGIN, site, stdin=made)
    assert (said.status, f"{site}, with 1 campaign. " in said.out) == (0, True)
    assert somebody("get", "topics", "--campaign", campaign.slug).status == 0
    assert campaign.slug in somebody("campaigns", "list").out
    file = somebody.file("campaign.toml", f'name = "Test campaign"\nslug = "{campaign.slug}"\n')
    said = somebody("campaigns", "create", "--from", file)
    assert said == (0, "Nothing is to be changed.\n", "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_it_is_asked_for_without_being_shown(somebody, site, secret, monkeypatch):
    monkeypatch.setattr("cleverdon.client.command.signing.getpass", lambda words: secret)
    said = somebody("login", site)
    sentence = "There is no terminal to type a token at: give it by --token-stdin.\n"
    assert said == (1, "", sentence)
    said = somebody("login", site, stdin=Terminal())
    assert said.status == 0
    assert said.err.startswith(f"Make a token at {site}/account/tokens/\n")
    assert secret not in said.out + said.err


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", "No token was given."),
        ("two words", "An access token is one word, which begins with cleverdon_."),
        ("cleverdon_é", "An access token is one word"),
        ("cleverdon_123", "This is no access token: its check digits do not fit"),
        ("cleverdon_0000000000000000000000000000002C8GjS", "There is no such access token."),
    ],
)
def test_a_token_that_the_site_does_not_take_is_not_kept(somebody, site, given, sentence):
    said = somebody(*LOGIN, site, stdin=f"{given}\n")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(sentence)
    assert not kept(somebody).exists()


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org", "http://", "https://a:b@c.d"])
def test_what_is_no_address_is_said_to_be_none(somebody, url):
    said = somebody(*LOGIN, url, stdin="cleverdon_x\n")
    sentence = f"{url} is no address of a site, such as https://example.org.\n"
    assert said == (1, "", sentence)


def test_a_site_that_does_not_answer_is_tried_once(somebody):
    said = somebody(*LOGIN, "http://127.0.0.1:1", stdin="cleverdon_x\n")
    assert (said.status, said.err.startswith("http://127.0.0.1:1 does not answer: ")) == (1, True)


@pytest.mark.parametrize(
    ("version", "is_told"), [("9.1.2", True), (VERSION, False), (f"{minor(VERSION)}.99", False)]
)
def test_a_site_of_another_version_is_told_of_once(somebody, other, version, is_told):  # noqa: F811
    link = {"Link": f'<{other}/?cursor=a>; rel="next"'}
    named = {**JSON, "Cleverdon-Version": version}
    first = (200, {**named, **link}, b'[{"slug": "a"}]')
    unfit = f"{other} has version {version} of Cleverdon and this client is of {VERSION}: if"
    with_token = {"CLEVERDON_URL": other, "CLEVERDON_TOKEN": "cleverdon_x"}
    for words in (("login", other, "--token-stdin"), ("campaigns", "list")):
        Other.answers = [first, (200, named, b"[]")]
        running = somebody.started(*words, **with_token)
        _, said = running.communicate("cleverdon_x\n")
        assert (running.returncode, said.startswith(unfit)) == (0, is_told)
        assert said.count("\n") == is_told


def test_what_refuses_a_token_is_believed(somebody, other):  # noqa: F811
    refused = b'{"type": "/help/api/#not_signed_in", "detail": "It has ended."}'
    Other.answers = [(401, PROBLEM, refused)]
    assert somebody(*LOGIN, other, stdin="cleverdon_x\n") == (1, "", "It has ended.\n")
    assert not kept(somebody).exists()


def test_without_https_a_warning_is_given_but_for_this_machine(somebody, site, secret):
    said = somebody(*LOGIN, "http://site.invalid", stdin="cleverdon_x\n")
    assert said.err.startswith("Warning: without https others on the way can read the token.\n")
    assert "https" not in somebody(*LOGIN, site, stdin=secret).err


def test_there_is_a_token_for_each_site_and_the_last_one_is_usual(somebody, site, pat, secret):
    second = site.replace("localhost", "127.0.0.1")
    somebody(*LOGIN, site, stdin=secret)
    somebody(*LOGIN, second, stdin=tokens.made(pat, "read"))
    told = json.loads(kept(somebody).read_text())
    assert list(told) == [site, second]
    assert somebody("campaigns", "list", CLEVERDON_URL=site).status == 0
    assert somebody("logout") == (0, f"The token of {second} is forgotten here.\n", "")
    assert somebody("campaigns", "list").status == 0
    assert somebody("logout", site).status == 0
    assert somebody("logout", site) == (1, "", f"You are not signed in to {site}.\n")
    assert kept(somebody).stat().st_mode & 0o777 == 0o600


def test_variables_come_before_what_is_kept(somebody, site, secret):
    assert somebody("campaigns", "list") == (
        1,
        "",
        "Sign in first: cleverdon login https://… (or set CLEVERDON_URL and CLEVERDON_TOKEN).\n",
    )
    said = somebody("campaigns", "list", CLEVERDON_URL=site)
    assert said == (1, "", f"You are not signed in to {site}: cleverdon login {site}\n")
    assert somebody("campaigns", "list", CLEVERDON_URL=site, CLEVERDON_TOKEN=secret).status == 0
    somebody(*LOGIN, site, stdin=secret)
    assert somebody("campaigns", "list", CLEVERDON_TOKEN="cleverdon_0").status == 1


def test_tokens_that_others_can_read_are_not_used(somebody, site, secret):
    somebody(*LOGIN, site, stdin=secret)
    kept(somebody).chmod(0o644)
    said = somebody("campaigns", "list")
    assert (
        said.err == f"Others can read your tokens in {kept(somebody)}: chmod 600 {kept(somebody)}\n"
    )
    kept(somebody).chmod(0o600)
    for content in ("{", "[]", "3"):
        kept(somebody).write_text(content)
        said = somebody("campaigns", "list", CLEVERDON_TOKEN="")
        assert said.err.startswith(f"{kept(somebody)} cannot be read: sign in"), content


def test_the_folder_of_the_system_is_taken(somebody, site, secret):
    place = somebody.folder / "elsewhere"
    somebody(*LOGIN, site, stdin=secret, XDG_CONFIG_HOME=str(place))
    assert (place / "cleverdon/tokens.json").exists()
