"""Every address of the API, who may read there, and who may act there."""

import re

import pytest
from django.test import Client

from api.doors import Beside
from docs.pages import doors as patterns
from tests import make
from tests.api.addresses import of
from tests.releasing import ALL, show_to
from tests.tokens import made, program

pytestmark = pytest.mark.django_db
CAST = ("nobody", "sam", "otto", "ada", "pat", "olga")
MEMBERS = "401 404 404 200 200 200"
ORGANIZER = "401 404 404 403 403 200"
# Not to assessors while judging is open, and to teams once it is released.
RELEASED, NOT_YET = "401 404 404 403 200 200", "401 404 404 403 403 200"
TEAMS_OWN = "401 404 404 403 200 200"
# What each of the cast is answered who reads a noun of the campaign, or one of its records.
READS = {
    "campaigns": "401 200 200 200 200 200",
    "campaigns/one": MEMBERS,
    "teams": MEMBERS,
    "teams/one": "401 404 404 404 200 200",
    "jobs": MEMBERS,
    "jobs/one": "401 404 404 404 200 200",
    "topics": MEMBERS,
    "topics/one": MEMBERS,
    "topics.jsonl": MEMBERS,
    "runs": TEAMS_OWN,
    "runs/one": TEAMS_OWN,
    "uploads": TEAMS_OWN,
    "uploads/one": "401 404 404 403 200 404",
    "report": TEAMS_OWN,
    "file": TEAMS_OWN,
    "errors.csv": TEAMS_OWN,
    "evaluations": RELEASED,
    "evaluations/one": RELEASED,
    "scores": RELEASED,
    "values": RELEASED,
    "pairs": RELEASED,
    "work": "401 404 404 200 403 200",
    "work/one": "401 404 404 200 403 404",
    "served": "401 404 404 200 403 404",
    "served/one": "401 404 404 200 403 404",
    "programs": ORGANIZER,
    "programs/one": ORGANIZER,
    "labels": ORGANIZER,
    "labels.csv": ORGANIZER,
    "unlabelled": ORGANIZER,
    "beside-people": ORGANIZER,
    "hours": "401 404 404 200 403 200",
    "questions": "401 404 404 200 403 200",
    "questions/one": "401 404 404 200 403 200",
    # Before they are computed.
    "figures": "401 404 404 403 404 404",
    "reusability": "401 404 404 403 404 404",
    "disagreement": "401 404 404 403 404 404",
    "completeness": "401 404 404 403 403 404",
    # Of one that is released to nobody yet.
    "pictures.zip": "401 404 404 403 404 200",
    "report.zip": "401 404 404 403 403 404",
    "report.pdf": "401 404 404 403 403 404",
    "report.html": "401 404 404 403 403 404",
}


def filled(at: str, campaign, keys) -> str:
    """An address with the names of its rows."""
    at = at.replace("<slug:slug>", campaign.slug)
    while found := re.search(r"([\w-]+)/<\w+:(?:key|of)>", at):
        at = at.replace(found[0], f"{found[1]}/{keys[found[1]]}", 1)
    return at


def name_of(at: str) -> str:
    """The noun of an address, with "/one" for a record, or the name of a file."""
    *_, before, last = at.rstrip("/").split("/")
    if at == "/api/v1/campaigns/<slug:slug>/":
        return "campaigns/one"
    if "/released-runs/" in at:
        return "released-runs"
    return f"{before}/one" if last.startswith("<") else last


@pytest.fixture
def clients(sam, otto, ada, pat, olga) -> dict[str, Client]:
    found = {"nobody": Client()}
    for person in (sam, otto, ada, pat, olga):
        found[person.username] = Client()
        found[person.username].force_login(person)
    return found


def read(client, address) -> int:
    answer = client.get(address)
    if answer.streaming:
        b"".join(answer.streaming_content)
    return answer.status_code


def test_each_noun_is_read_by_whom_it_is_for(played, keys, clients):
    wrong = {}
    for at, pattern in patterns():
        view = pattern.callback.view_class
        if not hasattr(view, "get") or issubclass(view, Beside):
            continue
        expected = READS.get(name_of(at), ORGANIZER)
        address = filled(at, played, keys)
        found = " ".join(str(read(clients[who], address)) for who in CAST)
        if found != expected:
            wrong[address] = (found, expected)
    assert not wrong


def test_a_visitor_reads_of_a_campaign_what_its_page_shows(played, clients):
    """The list stays one's own, and acts are refused as to whoever does not know of it."""
    at, page = of(played, ""), f"/campaigns/{played.slug}/"
    for is_shown in (False, True):
        if is_shown:
            show_to(played, ALL)
        for who, status in (("sam", 200 if is_shown else 404), ("pat", 200)):
            assert clients[who].get(at).status_code == clients[who].get(page).status_code == status
    assert clients["sam"].get(at).json()["name"] == played.name
    assert clients["sam"].get("/api/v1/campaigns/").json() == []
    for act in ("archive/", "copy/", "delete/"):
        assert clients["sam"].post(f"{at}{act}", {}, "application/json").status_code == 404
    assert clients["nobody"].get(at).status_code == 401


def acts():
    for at, pattern in patterns():
        if act := getattr(pattern.callback.view_class, "act", None):
            yield at, act


def test_nobody_without_the_right_acts_whatever_is_sent(played, keys, clients):
    """And what is sent is not even read: it is no JSON."""
    for at, act in acts():
        address = filled(at, played, keys)
        for who in ("nobody", "sam", "otto", "ada", "pat"):
            if act.scope in {"judge", "submit"} and who in {"ada", "pat"}:
                continue
            if act.noun.name == "campaigns" and act.is_of_all:
                continue  # everybody may create one here
            answer = clients[who].post(address, b"{", "application/json")
            expected = {"nobody": {401}, "sam": {404}, "otto": {404}}.get(who, {403, 404})
            assert answer.status_code in expected, (who, address, answer.content)


def test_only_who_has_a_topic_judges_it(played, keys, clients, ben, pat):
    """By a session or by a token that is for judging, the same."""
    clients["ben"] = Client()
    clients["ben"].force_login(ben)
    address = of(played, f"work/{keys['work']}/judge/")
    expected = "nobody 401, sam 404, otto 404, ada 200, ben 404, pat 404, olga 403"
    for who, status in (each.split() for each in expected.split(", ")):
        asking = [clients[who]]
        if who != "nobody":
            asking.append(program(made(make.known(who), "judge")))
        found = {each.post(address, [], "application/json").status_code for each in asking}
        assert found == {int(status)}, who


def test_a_token_acts_within_its_scope_alone(played, keys, olga):
    scopes = {"read", "submit", "judge", "organize"}
    programs = {scope: program(made(olga, scope)) for scope in scopes}
    for at, act in acts():
        address = filled(at, played, keys)
        for scope in scopes - {act.scope}:
            answer = programs[scope].post(address, {}, "application/json")
            assert answer.status_code == 403, address
            assert "scope" in answer["WWW-Authenticate"]


def test_no_row_of_another_campaign_is_found(played, keys, clients, olga):
    """Somebody who organizes both names in one what is in the other."""
    other = make.campaign(olga)
    other.topic_set.all().delete()
    other.document_set.all().delete()
    for at, pattern in patterns():
        if "<slug:slug>/" not in at or "key>" not in at or "of>" in at:
            continue
        address = filled(at, other, keys)
        if "/people/" in address or address.endswith(f"/{other.slug}/"):
            continue
        view = pattern.callback.view_class
        if hasattr(view, "get"):
            assert clients["olga"].get(address).status_code == 404, address
        if hasattr(view, "post") and not hasattr(view, "patch"):
            assert clients["olga"].post(address).status_code == 404, address


def test_no_address_has_the_number_of_a_row():
    """Versions, rounds and places in the order served are what people call them."""
    numbered = {noun for at, _ in patterns() for noun in re.findall(r"([\w-]+)/<int:", at)}
    assert numbered == {"qrels", "rounds", "served"}
