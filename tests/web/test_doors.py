"""Every address, by GET and by POST, as each of the cast."""

import re
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from accounts.access import Refused, check
from accounts.models import User
from agreement.access import AgreementFigures
from assess.access.assigning import Assignments
from assess.access.judging import Judging
from assess.access.sharing import SharedTopics
from assess.models.assigning import Assignment
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People
from campaigns.models.people import Role, Team
from campaigns.models.trail import AuditEvent
from collection.access import Topics
from docs.permissions import all_verbs, rules_of
from evaluation.access import Scores
from overview.services import leaving
from pooling.access import Pools
from practice.access import PracticeTopic
from qrels.access import QrelsVersions
from questions.access import Questions
from runs.access.runs import Runs
from tests import make
from tests.db.actions import snapshot
from tests.web.asking import answer
from tests.web.doors import (
    ADDRESSES,
    ADMIN,
    DOORS,
    LIKE,
    NO_METHOD,
    OF_A_RUN,
    OF_A_TEAM,
    asked_by,
    expected_of,
)
from tests.web.html import words


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
    """An assessor who has judged, and was removed."""
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


@pytest.mark.parametrize("person", ["nobody", "ada", "pat", "olga"])
def test_each_door_answers_each_of_the_cast(request, doors, person):
    found, expected = {}, {}
    client = client_of(request, person)
    signed_in = client.cookies
    for name, (address, data) in doors.items():
        for method, status in expected_of(person, name).items():
            client.cookies = SimpleCookie(signed_in)
            expected[method, name] = status
            # With nothing sent, so that a form which is looked at first answers otherwise.
            sent = {} if status in {403, 404} else data
            found[method, name] = answer(client, method, address, sent)
    assert found == expected


@pytest.mark.parametrize("person", ["sam", "otto", *LIKE])
def test_a_door_of_each_kind_answers_others_like_one_of_the_cast(request, doors, person):
    """And each door that tells them apart; the guards below decide the rest."""
    found, expected = {}, {}
    client = client_of(request, person)
    signed_in = client.cookies
    for method, name in asked_by(person):
        client.cookies = SimpleCookie(signed_in)
        expected[method, name] = expected_of(person, name)[method]
        found[method, name] = answer(client, method, *doors[name])
    assert found == expected


def client_of(request, person: str) -> Client:
    client = Client()
    if person != "nobody":
        client.force_login(request.getfixturevalue(person))
    return client


# What the guards of pages answer, in this order: those alike are asked too.
GUARDED = ("nobody", "sam otto rob", "rita", "ada ben", "pat quinn", "olga")
GUARDS = {
    Campaigns.see_as_member: "404 404 404 200 200 200",
    Campaigns.organize: "404 404 404 403 403 200",
    Campaigns.see: "404 404 404 200 200 200",
    Campaigns.delete: "404 404 404 403 403 409",
    Topics.see: "404 404 404 200 200 200",
    Runs.see_list: "404 404 404 403 200 200",
    Runs.see_released: "404 404 404 403 403 200",
    Pools.see: "404 404 404 403 403 200",
    Assignments.assign: "404 404 404 403 403 200",
    Assignments.distribute: "404 404 404 403 403 200",
    SharedTopics.share: "404 404 404 403 403 200",
    Judging.see_topics_to_judge: "404 404 404 200 403 200",
    Questions.see_own: "404 404 404 200 403 403",
    PracticeTopic.see: "404 404 403 200 200 200",
    QrelsVersions.see_list: "404 404 404 403 403 200",
    AgreementFigures.see: "404 404 404 403 403 200",
    Scores.see: "404 404 404 403 200 200",
    Scores.see_by_topic: "404 404 404 403 200 200",
    People.view_as: "404 404 404 403 403 200",
}


def test_each_guard_of_pages_answers_each_of_the_cast(request, played, quinn, rita, rob):
    people = {name: request.getfixturevalue(name) for name in " ".join(GUARDED[1:]).split()}
    people["nobody"] = AnonymousUser()
    for guard, statuses in GUARDS.items():
        found, expected = {}, {}
        for names, status in zip(GUARDED, statuses.split(), strict=True):
            for name in names.split():
                expected[name], found[name] = int(status), 200
                try:
                    check(guard, people[name], played)
                except Refused as refusal:
                    found[name] = refusal.status
        assert found == expected, [*rules_of(guard)]


def test_every_guard_of_pages_is_in_the_table():
    """Verbs of the same rules are alike: to change settings is to organize."""
    verbs = {f"{table.__name__}.{name}": verb for table, name, verb in all_verbs()}
    known = {frozenset(rules_of(guard)) for guard in GUARDS}
    for file in Path().glob("*/web/*.py"):
        for asked in re.findall(r"guarded\(\w+, slug, (.*?)\)", file.read_text()):
            for name in re.findall(r"[A-Z]\w+\.\w+", asked):
                assert frozenset(rules_of(verbs[name])) in known, name


def test_to_a_stranger_a_campaign_is_as_one_that_does_not_exist(client, doors, played, sam):
    client.force_login(sam)
    for name, (address, _) in doors.items():
        if played.slug in address and DOORS[name][0] != NO_METHOD:
            unknown = address.replace(f"/{played.slug}/", "/unknown/")
            theirs, none = client.get(address), client.get(unknown)
            assert (theirs.status_code, none.status_code) == (404, 404), name
            assert without_token(theirs) == without_token(none), name
            assert played.name not in theirs.text


def without_token(response) -> str:
    """A page without what differs from one request to the next."""
    return re.sub(r'"[\w-]{64}"', "", response.text)


@pytest.mark.parametrize("person", ["ada", "pat"])
def test_who_has_no_right_is_answered_the_same_whether_a_row_exists_or_not(request, played, person):
    """Else the answer would tell what there is, such as how many versions of qrels.

    What the team sees of its own is no secret to it.
    """
    client, found, expected = client_of(request, person), {}, {}
    for name, missing in missing_rows(played.slug):
        if person == "pat" and name in (*OF_A_RUN, *OF_A_TEAM):
            continue
        for method, status in expected_of(person, name).items():
            if status == 403:
                expected[method, name] = status
                found[method, name] = answer(client, method, missing, {})
    assert expected
    assert found == expected


def missing_rows(slug: str) -> Iterator[tuple[str, str]]:
    """Each address of a row, with one that there is not."""
    for name, names in ADDRESSES.items():
        row = {"pk", "number", "docno", "run"}.intersection(names)
        if row:
            values = {"slug": slug, "kind": "csv", **dict.fromkeys(row, 987654)}
            yield name, reverse(name, kwargs={each: values[each] for each in names})


# Of people and teams it is said that they are gone; questions are withdrawn by assessors alone.
TOLD_APART = {
    "remove_member": 302,
    "questions:withdraw_question": 403,
    **dict.fromkeys((*OF_A_TEAM, "runs:delete_team"), 409),
    **dict.fromkeys(("campaigns:member", "campaigns:make_reset"), 409),
}


def test_no_row_is_found_that_is_missing_or_of_another_campaign(doors, played, olga):
    """Olga, who organizes both, is answered alike."""
    other = make.campaign(olga, topics=["x"], docnos=["x"])
    client, found = Client(), {}
    client.force_login(olga)
    for name, missing in missing_rows(played.slug):
        elsewhere = doors[name][0].replace(f"/{played.slug}/", f"/{other.slug}/")
        address = elsewhere if elsewhere != doors[name][0] else missing
        methods = zip(("GET", "POST"), DOORS[name], strict=True)
        for method in (each for each, row in methods if "405" not in row):
            found[method, name, address] = answer(client, method, address, {})
    wrong = [
        f"{status} {each}"
        for each, status in found.items()
        if status != TOLD_APART.get(each[1], 404)
    ]
    assert not wrong, "\n".join(wrong)


# What is asked of a page that it knows nothing of, by Olga or where that is her page by Ada.
UNKNOWN = {
    "agreement:agreement": "?picture=none.svg",
    "collection:topics_file": "doc",
    "questions:questions": "?state=odd",
    "desk:assignment": "?state=odd",
    "desk:entries": "?state=odd",
    "evaluation:compare": "?before=odd",
    "evaluation:leaderboard_file": "doc",
    "evaluation:releases": "?what=odd",
}


def test_what_a_page_knows_nothing_of_is_not_there(client, doors, olga, ada):
    for name in UNKNOWN.keys() & doors.keys():
        client.force_login(ada if name == "desk:entries" else olga)
        address, unknown = doors[name][0], UNKNOWN[name]
        assert answered(client, address) == 200
        asked = address + unknown if unknown[0] == "?" else re.sub(r"\w+$", unknown, address)
        assert answered(client, asked) == 404, name


def answered(client: Client, address: str) -> int:
    return answer(client, "GET", address, {})


def test_a_link_that_was_never_made_resets_no_password(client, db):
    assert answered(client, reverse("reset", args=["never"])) == 404


def test_where_nothing_is_scored_or_judged_there_is_no_file_and_nothing_to_score(as_olga, campaign):
    for name in ("leaderboard_file", "evaluations_file", "score"):
        kind = {"kind": "csv"} if name == "leaderboard_file" else {}
        address = reverse(f"evaluation:{name}", kwargs={"slug": campaign.slug, **kind})
        assert answered(as_olga, address) == 404, name


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


@pytest.mark.parametrize("person", ["olga", "sam"])
def test_who_asks_for_the_headers_is_answered_as_who_reads_the_page(request, doors, person):
    """At one page of each kind; Olga at each download, of which no record is kept."""
    client, heads, n_events = client_of(request, person), {}, AuditEvent.objects.count()
    asked = {name for method, name in asked_by(person) if method == "GET"}
    if person == "olga":
        asked |= {name for name in doors if name.endswith("_file")}
    asked = {name for name in asked if "405" not in DOORS[name][0]}
    for name in asked:
        response = client.head(doors[name][0])
        heads[name] = response.status_code
        assert not b"".join(response)
    assert AuditEvent.objects.count() == n_events
    assert heads == {name: expected_of(person, name)["GET"] for name in asked}


# Signing in and out is for anybody, and the rest of /admin/ leads there.
SIGNING = {"login", "logout", None}


def admin_address(each: URLPattern) -> str:
    """Its address, of a row that there is."""
    names = {**each.pattern.regex.groupindex, **each.pattern.converters}
    row = re.match(r"([a-z]+)_([a-z]+)_(change|delete|history)$", each.name)
    model = apps.get_model(row[1], row[2]) if row else User
    given = dict.fromkeys(names, model.objects.earliest("pk").pk)
    if "app_label" in names:
        given["app_label"] = "runs"
    return reverse(f"admin:{each.name}", kwargs=given)


def test_the_admin_is_for_site_staff_and_changes_nothing_but_accounts(played, olga):
    staff, found = User.objects.create_superuser("staff"), {}
    before = snapshot()
    for each in _admin():
        if each.name in SIGNING:
            continue
        address = admin_address(each)
        for person in (None, olga, staff):
            client = Client(raise_request_exception=False)
            if person:
                client.force_login(person)
            if person != staff:
                response = client.get(address)
                assert response.status_code == 302, address
                assert response["Location"].startswith("/admin/login/"), address
                continue
            rows = [*AuditEvent.objects.values_list("pk", flat=True)]
            sent = {"action": "delete_selected", "_selected_action": rows, "post": "yes"}
            statuses = (client.get(address), client.post(address, sent))
            found[each.name] = tuple(each.status_code for each in statuses)
    assert found == ADMIN
    after = snapshot()
    assert before.keys() == after.keys()
    assert {name for name in after if before[name] != after[name]} <= {"User"}


def test_what_staff_changes_of_an_account_is_told_to_the_person(client, olga):
    staff = User.objects.create_superuser("staff", first_name="Stella")
    client.force_login(staff)
    address = f"/admin/accounts/user/{olga.pk}/"
    new = "something quite new"
    sent = {"password1": new, "password2": new, "usable_password": "true"}
    assert client.post(f"{address}password/", sent).status_code == 302
    olga.refresh_from_db()
    assert olga.check_password(new)
    form = client.get(f"{address}change/").context["adminform"].form
    sent = {name: form[name].value() or "" for name in form.fields if name != "password"}
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "10:00:00"}
    sent = {**sent, **joined, "first_name": "Olga M.", "user_permissions": [], "groups": []}
    assert client.post(f"{address}change/", sent).status_code == 302
    client.force_login(olga)
    page = words(client.get("/account/"))
    assert "A new password was set by Stella (staff)" in page
    assert "Changed by Stella (staff): First name" in page


def _admin() -> Iterator[URLPattern]:
    pending = [e for e in get_resolver().url_patterns if getattr(e, "namespace", "") == "admin"]
    while pending:
        each = pending.pop()
        if isinstance(each, URLPattern):
            yield each
        else:
            pending += each.url_patterns
