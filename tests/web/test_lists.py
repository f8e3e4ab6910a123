"""Lists in pages, whatever they list: every row once, in the order that people expect, found by words."""

import re
from html import unescape
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest

from assess.models import Assignment
from assess.views import assigning
from campaigns import pages, services
from campaigns.models import Role
from campaigns.views import collection
from tests import make

# Each list: its page, its name in the template, the part of its address that says which page.
LISTS = [
    ("runs/", "runs", "page"),
    ("runs/states/", "runs", "page"),
    ("people/", "teams", "teams"),
    ("people/", "memberships", "page"),
    ("people/", "open_links", "links"),
    ("people/", "closed_links", "closed"),
    ("activity/", "audit", "page"),
    ("topics/", "topics", "page"),
    ("documents/", "documents", "page"),
    ("topics/", "imports", "imports"),
    ("documents/", "imports", "imports"),
    ("judging/", "assignments", "page"),
    ("judging/", "mine", "mine"),
    ("judging/{}/assignment/", "entries", "page"),
    ("judging/{}/assignment/", "aside", "aside"),
]


@pytest.fixture
def listed(client, played, olga, pat, monkeypatch):
    """The organizer's client, the campaign's address and an assignment; two rows of everything are there, and one is on a page."""
    monkeypatch.setattr(pages, "PER_PAGE", 1)
    monkeypatch.setattr(collection, "TOPICS_PER_PAGE", 1)
    monkeypatch.setattr(collection, "IMPORTS_PER_PAGE", 1)
    monkeypatch.setattr(assigning, "ASSIGNMENTS_PER_PAGE", 1)
    for kind, text in (("topics", b"9\tnine"), ("documents", b'{"docno": "x"}')):
        for _ in range(2):
            make.uploaded(played, kind, text)
    make.run(played, pat, {"1": "d1"}, "run-10")
    services.create_team(user=olga, campaign=played, name="Barbican")
    links = [services.invite(user=olga, campaign=played, role=Role.ASSESSOR) for _ in range(4)]  # fmt: skip
    for link in links[:2]:
        services.withdraw_invitation(user=olga, invitation=link)
    assignment = Assignment.objects.get(assessor__username="ada")
    played.membership_set.create(user=olga, role=Role.ASSESSOR)
    for topic in played.topic_set.all():
        make.assignment(topic, olga, Assignment.Kind.SECOND)
    assignment.judgments.update(set_aside_at="2026-05-01T12:00Z")
    client.force_login(olga)
    return client, f"/campaigns/{played.slug}/", assignment.pk


REFUSED = [
    ("runs/upload/", {}, "runs", "runs/"),
    ("teams/", {"name": ""}, "teams", "people/"),
    ("topics/delete/", {"n_shown": 99}, "topics", "topics/"),
    ("collection/delete/", {"n_shown": 99}, "documents", "documents/"),
]


def test_a_list_is_turned_over_to_its_end(listed):
    client, base, pk = listed
    for address, name, parameter in LISTS:
        at = f"{base}{address.format(pk)}?other=kept"
        page = client.get(at).context[name]
        rows = list(page.paginator.object_list)
        assert page.paginator.num_pages == len(rows) > 1, name
        seen = []
        while at and len(seen) <= len(rows):
            assert parse_qs(urlsplit(at).query)["other"] == ["kept"]
            response = client.get(at)
            seen += response.context[name]
            number = response.context[name].number + 1
            onward = f'rel="next" href="([^"]*[?&;]{parameter}={number})"'
            found = re.search(onward, response.content.decode())
            at = urljoin(at, unescape(found[1])) if found else None
        assert seen == rows, name
    # The answer to a refused form shows the list at another address, where its next page is not.
    for refused, data, name, page in REFUSED:
        response = client.post(base + refused, data)
        assert response.status_code == 422, refused
        assert urlsplit(response.context[name].next).path == base + page
        forms = re.findall('<form([^>]*)role="search"', response.content.decode())
        assert all(f'action="{base}{page}' in form for form in forms), refused


def test_teams_are_found_by_name_and_stand_in_natural_order(client, campaign, olga):
    client.force_login(olga)
    for name in ("Team 10", "team 9", "Team 2b", "Team 2", "Team 0010b"):
        services.create_team(user=olga, campaign=campaign, name=name)
    people = f"/campaigns/{campaign.slug}/people/"
    page = client.get(people, {"team": "TEAM"})
    names = [team.name for team in page.context["teams"]]
    assert names == ["Team 2", "Team 2b", "team 9", "Team 10", "Team 0010b"]
    assert "5 of 6 teams" in page.content.decode()
    assert "No team's name contains “xyz”" in unescape(client.get(people, {"team": "xyz"}).content.decode())  # fmt: skip


def test_a_topic_is_found_by_its_number_or_words_of_its_title(client, campaign, ada):
    for number, title in (("12", "tax havens"), ("21", "topic of taxes")):
        campaign.topic_set.create(number=number, title=title)
    client.force_login(ada)
    found = {
        words: {topic.number for topic in client.get(f"/campaigns/{campaign.slug}/topics/", {"q": words}).context["topics"]}
        for words in ("1", "2 ", "TAX", "topic tax", "x", "none", "\x00")
    }  # fmt: skip
    everything = {"1", "2", "12", "21"}
    assert found == {"1": {"1"}, "2 ": {"2"}, "TAX": {"12", "21"}, "topic tax": {"21"}, "x": {"12", "21"}, "none": set(), "\x00": everything}  # fmt: skip


def test_an_event_is_found_by_who_did_what_to_what(client, played, olga):
    client.force_login(olga)
    activity = f"/campaigns/{played.slug}/activity/"
    found = {
        words: {(event.actor.username, event.kind) for event in client.get(activity, {"q": words}).context["audit"]}
        for words in ("pat", "FROZE", "pat secret-run", "olga secret-run", "created campaign")
    }  # fmt: skip
    submitted = {("pat", "run.submitted")}
    assert found == {"pat": submitted, "FROZE": {("olga", "pool.frozen")}, "pat secret-run": submitted, "olga secret-run": set(), "created campaign": {("olga", "campaign.created")}}  # fmt: skip
    assert "0 of " in client.get(activity, {"q": "nothing at all"}).content.decode()


def test_assessors_see_first_what_is_left_for_them_to_judge(client, played, ada):
    make.judgment(Assignment.objects.get(assessor=ada), "d3", 0)
    make.assignment(played.topic_set.get(number="2"), ada)
    client.force_login(ada)
    mine = client.get(f"/campaigns/{played.slug}/judging/").context["mine"]
    assert [(each.topic.number, each.is_finished) for each in mine] == [("2", False), ("1", True)]  # fmt: skip


def test_people_stand_by_the_names_that_are_shown(client, played, olga, ada, ben):
    cora = make.user("cora")
    played.membership_set.create(user=cora, role=Role.ASSESSOR)
    topic = played.topic_set.get(number="2")
    for person, kind in ((ben, "primary"), (cora, "second")):
        make.judgment(make.assignment(topic, person, kind), "d4", 1)
    ada.first_name = "Zoe"
    ada.save()
    client.force_login(olga)

    def shown(page: str) -> dict:
        return client.get(f"/campaigns/{played.slug}/{page}").context

    assessors = ["Ben", "Cora", "Zoe"]
    members = shown("people/")["memberships"]
    assert [str(each.user) for each in members if each.role == Role.ASSESSOR] == assessors  # fmt: skip
    assert [str(each.user) for each in shown("judging/")["people"]] == assessors
    assert [str(person) for person, *_ in shown("judging/distribute/")["people"]] == assessors  # fmt: skip
    choices = shown("judging/distribute/")["assignment_form"].fields["assessor"].queryset  # fmt: skip
    assert [str(person) for person in choices] == assessors
    pairs = [name for name, *_ in shown("agreement/")["pairs"]]
    assert pairs == ["Ben and Cora", "Zoe and Ben"]
