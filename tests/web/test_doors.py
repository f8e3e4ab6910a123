"""Every address, by GET and by POST, as each of the cast."""

import re
from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from assess.models.assigning import Assignment
from campaigns.models.people import Role, Team
from campaigns.models.trail import AuditEvent
from campaigns.services import leaving
from tests import make
from tests.web.doors import (
    ADDRESSES,
    CAST,
    DOORS,
    LIKE,
    NO_METHOD,
    OF_A_RUN,
    OF_A_TEAM,
    answer,
    expected_of,
)


def test_every_address_is_in_the_table():
    assert sorted(ADDRESSES) == sorted(DOORS)


@pytest.fixture
def quinn(played):
    quinn = make.user("quinn")
    team = Team.objects.create(campaign=played, name="Barbican")
    played.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=team)
    return quinn


@pytest.fixture
def rita(played, olga):
    """Somebody who has judged, and was removed."""
    rita = make.user("rita")
    membership = played.membership_set.create(user=rita, role=Role.ASSESSOR)
    topic = played.topic_set.get(number="1")
    make.judgment(make.assignment(topic, rita, Assignment.Kind.SECOND), "d1", 1)
    leaving.remove_member(user=olga, membership=membership)
    return rita


@pytest.fixture
def rob(played, olga):
    """A participant who was removed."""
    rob = make.user("rob")
    team = played.team_set.get(name="Aldgate")
    membership = played.membership_set.create(user=rob, role=Role.PARTICIPANT, team=team)
    leaving.remove_member(user=olga, membership=membership)
    return rob


@pytest.mark.parametrize("person", [*CAST, *LIKE])
def test_each_door_answers_each_of_the_cast(request, doors, sam, person):
    found, expected = {}, {}
    client = Client()
    if person != "nobody":
        client.force_login(request.getfixturevalue(person))
    signed_in = client.cookies
    for name, (address, data) in doors.items():
        for method, status in expected_of(person, name).items():
            client.cookies = SimpleCookie(signed_in)
            expected[method, name] = status
            found[method, name] = answer(client, method, address, data)
            # Whatever is sent is not looked at; nor is a refusal got round by asking only for the headers. Where two people are
            # refused alike, the first of them shows it.
            like = LIKE.get(person, (None,))[0]
            if status in {403, 404} and not (like and expected_of(like, name)[method] == status):
                bare = "HEAD" if method == "GET" else method
                expected[bare, name, "nothing"] = status
                found[bare, name, "nothing"] = answer(client, bare, address, {})
    assert found == expected


def test_to_a_stranger_a_campaign_is_as_one_that_does_not_exist(client, doors, played, sam):
    client.force_login(sam)
    for name, (address, _) in doors.items():
        if played.slug in address and DOORS[name][0] != NO_METHOD:
            unknown = address.replace(f"/{played.slug}/", "/unknown/")
            theirs, none = client.get(address), client.get(unknown)
            assert (theirs.status_code, none.status_code) == (404, 404), name
            assert without_token(theirs) == without_token(none), name
            assert played.name not in theirs.content.decode()


def without_token(response) -> str:
    """A page without what differs from one request to the next."""
    return re.sub(r'"[\w-]{64}"', "", response.content.decode())


@pytest.mark.parametrize("person", ["ada", "pat"])
def test_who_has_no_right_is_answered_the_same_whether_a_row_exists_or_not(request, played, person):
    """Else the answer would tell what there is, such as how many versions of qrels. What the team sees of its own is no secret to it."""
    client = Client()
    client.force_login(request.getfixturevalue(person))
    found, expected = {}, {}
    for name, names in ADDRESSES.items():
        row = {"pk", "number", "docno"}.intersection(names)
        if not row or name in (*OF_A_RUN, *OF_A_TEAM):
            continue
        values = {"slug": played.slug, "kind": "csv", **dict.fromkeys(row, 987654)}
        missing = reverse(name, kwargs={each: values[each] for each in names})
        for method, status in expected_of(person, name).items():
            if status == 403:
                expected[method, name] = status
                found[method, name] = answer(client, method, missing, {})
    assert expected
    assert found == expected


def test_a_form_that_is_filled_in_wrongly_is_not_shown_to_who_may_not_see_it(client, played, ada):
    """There is a field for each assessor, so that whoever sends nothing sends nothing wrong."""
    client.force_login(ada)
    sent = {f"limit_{ada.pk}": "many"}
    assert client.post(f"/campaigns/{played.slug}/judging/limits/", sent).status_code == 403


def test_no_door_is_for_another_method(doors, olga):
    client = Client()
    client.force_login(olga)
    found = {name: client.delete(address).status_code for name, (address, _) in doors.items()}
    assert found == dict.fromkeys(doors, 405)
    # Whoever only asks for the headers is answered as whoever reads the page.
    looked_at = {
        name: address for name, (address, _) in doors.items() if "405" not in DOORS[name][0]
    }
    heads, n_events = {}, AuditEvent.objects.count()
    for name, address in looked_at.items():
        response = client.head(address)
        heads[name] = response.status_code
        assert not b"".join(response)
    assert AuditEvent.objects.count() == n_events  # nothing was downloaded
    assert heads == {name: expected_of("olga", name)["GET"] for name in looked_at}


def test_the_admin_is_for_site_staff(client, olga):
    names = [each.name for each in _admin() if not each.pattern.regex.groups]
    assert {"index", "campaigns_auditevent_changelist"} <= set(names)
    for name in set(names) - {"login", "logout", None}:
        for person in (None, olga):
            client.logout() if person is None else client.force_login(person)
            response = client.get(reverse(f"admin:{name}"))
            assert response.status_code == 302, name
            assert response["Location"].startswith("/admin/login/"), name


def _admin() -> Iterator[URLPattern]:
    pending = [e for e in get_resolver().url_patterns if getattr(e, "namespace", "") == "admin"]
    while pending:
        each = pending.pop()
        if isinstance(each, URLPattern):
            yield each
        else:
            pending += each.url_patterns
