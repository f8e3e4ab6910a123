"""Lists in pages: every row once, in the order that people expect, found by words."""

import re
from html import unescape
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.people import Role
from campaigns.services import people as people_services
from campaigns.web import frame, sorting
from collection.web import texts, topics
from desk.web import judging
from runs.services import teams
from tests import make
from tests.web.growth import grow
from tests.web.heads import press_each

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

WITH_HEADS = [
    "campaigns:activity",
    "campaigns:people",
    "collection:topics",
    "collection:documents",
    "runs:runs",
    "runs:released_runs",
    "runs:team",
    "pooling:pool",
    "evaluation:compare",
    "evaluation:run_scores",
    "assess:distribute",
    "assess:shared",
    "practice:edit_practice",
    "desk:judging",
    "desk:assignment",
    "agreement:controls",
    "agreement:agreement",
]


@pytest.fixture
def listed(client, played, olga, pat, monkeypatch):
    """The organizer's client, the campaign's address and an assignment; two rows of everything are
    there, and one is on a page.
    """
    monkeypatch.setattr(frame, "PER_PAGE", 1)
    monkeypatch.setattr(topics, "TOPICS_PER_PAGE", 1)
    monkeypatch.setattr(texts, "IMPORTS_PER_PAGE", 1)
    monkeypatch.setattr(judging, "ASSIGNMENTS_PER_PAGE", 1)
    for kind, text in (("topics", b"9\tnine"), ("documents", b'{"docno": "x"}')):
        for _ in range(2):
            make.uploaded(played, kind, text)
    make.run(played, pat, {"1": "d1"}, "run-10")
    teams.create_team(user=olga, campaign=played, name="Barbican")
    links = [
        people_services.invite(user=olga, campaign=played, role=Role.ASSESSOR) for _ in range(4)
    ]
    for link in links[:2]:
        people_services.withdraw_invitation(user=olga, invitation=link)
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
    ("topics/delete/", {"seen": 99}, "topics", "topics/"),
    ("collection/delete/", {"seen": 99}, "documents", "documents/"),
]


def test_a_list_is_turned_over_to_its_end(listed):
    client, base, pk = listed
    for address, name, parameter in LISTS:
        at = f"{base}{address.format(pk)}?other=kept"
        response, seen = client.get(at), []
        page = response.context[name]
        rows = list(page.paginator.object_list)
        assert page.paginator.num_pages == len(rows) > 1, name
        while response and len(seen) <= len(rows):
            seen += response.context[name]
            number = response.context[name].number + 1
            onward = f'rel="next" href="([^"#]*[?&;]{parameter}={number})[#"]'
            found = re.search(onward, response.content.decode())
            at = urljoin(at, unescape(found[1])) if found else ""
            assert not at or parse_qs(urlsplit(at).query)["other"] == ["kept"]
            response = client.get(at) if at else None
        assert seen == rows, name
    # The answer to a refused form shows the list at another address, where its next page is not.
    for refused, data, name, page in REFUSED:
        response = client.post(base + refused, data)
        assert response.status_code == 422, refused
        assert urlsplit(response.context[name].next).path == base + page
        forms = re.findall('<form([^>]*)role="search"', response.content.decode())
        assert all(f'action="{base}{page}' in form for form in forms), refused


def test_a_press_on_a_head_sorts_all_pages_and_the_next_turns_them_round(listed):
    client, base, pk = listed
    sortable = set()
    for address, name, parameter in set(LISTS) - {("runs/states/", "runs", "page")}:
        at = f"{base}{address.format(pk)}?other=kept&{parameter}=2"
        first = client.get(at).context[name]
        everything = {str(each) for each in first.paginator.object_list}
        for key, head in first.heads.items():
            sortable.add(name)
            here = urljoin(at, head.address)
            page = client.get(here).context[name]
            assert page.number == 1
            assert [each for each, head in page.heads.items() if head.sort] == [key]
            assert {str(each) for each in page.paginator.object_list} == everything
        if first.heads:
            onward = client.get(urljoin(here, page.next)).context[name]
            assert list(onward) == list(page.paginator.object_list)[1:2]
            assert parse_qs(urlsplit(onward.previous).query)["other"] == ["kept"]
            turned = client.get(urljoin(here, page.heads[key].address)).context[name]
            orders = {page.heads[key].sort, turned.heads[key].sort}
            assert orders == {"ascending", "descending"}, name
    assert sortable == {name for _, name, _ in LISTS} - {"mine"}


def test_each_head_of_a_table_sorts_it_and_loses_no_row(client, played, doors, olga):
    grow(played, 1)
    client.force_login(olga)
    tables = {table for name in WITH_HEADS for table in press_each(client, doors[name][0])}
    assert len(tables) == 24, tables


@pytest.fixture
def ties(client, campaign, olga, pat, monkeypatch):
    """The organizer's client, and what it shows of the runs, three on a page, of which some have as
    many lines.
    """
    monkeypatch.setattr(frame, "PER_PAGE", 3)
    for n_lines, tag in ((2, "r-2"), (1, "r-10"), (2, "R-9"), (1, "r-1")):
        make.run(campaign, pat, {"1": " ".join(f"d{n}" for n in range(n_lines))}, tag)
    make.submitted(campaign, pat, "not checked yet", "waiting")
    client.force_login(olga)

    def tags(sort: str, **other: str) -> list[str]:
        query = {"run-list-sort": sort, **other}
        return [
            run.tag
            for page in ("1", "2")
            for run in client.get(
                f"/campaigns/{campaign.slug}/runs/", {**query, "page": page}
            ).context["runs"]
        ]

    return tags


def test_equal_rows_stay_as_they_stood_and_gaps_come_last(ties):
    newest = ["waiting", "r-1", "R-9", "r-10", "r-2"]
    assert ties("-Lines") == ["R-9", "r-2", "r-1", "r-10", "waiting"]
    assert ties("Lines") == ["r-1", "r-10", "R-9", "r-2", "waiting"]
    assert ties("Run") == ["r-1", "r-2", "R-9", "r-10", "waiting"]
    assert ties("-Team") == ties("Team") == newest
    for unknown in ("nonsense", "-", "--Run", "run", "report", "\x00", "-Uploaded\x00"):
        assert ties(unknown) == newest, unknown


def test_what_a_list_is_sorted_by_is_kept_by_its_search_and_its_chips(listed):
    client, base, pk = listed
    for address, name, _ in LISTS:
        at = f"{base}{address.format(pk)}"
        head = next(iter(client.get(at).context[name].heads.values()), None)
        if not head:
            continue
        response = client.get(urljoin(at, head.address))
        content, [(parameter, value)] = (
            response.content.decode(),
            response.context[name].sort.items(),
        )
        tables = content.split("<table")
        hidden = f'<input type="hidden" name="{parameter}" value="{value}">'
        if 'role="search"' in content and name not in {"imports", "open_links", "closed_links"}:
            assert hidden in content, name
        chips = re.findall(
            '<a class="chip" href="([?][^"]*|[^"]*[?]show=[^"]*)"', tables[-2] + tables[-1]
        )
        assert all(parameter in chip for chip in chips), name


def test_a_list_too_long_to_sort_at_every_look_is_sorted_by_an_index_alone(listed, monkeypatch):
    client, base, _ = listed
    monkeypatch.setattr(sorting, "SORTED_AT_MOST", 1)
    shown = client.get(f"{base}documents/?documents-sort=-Title").context["documents"]
    assert not shown.sort
    assert [key for key, head in shown.heads.items() if head.address] == ["docno"]


def test_topics_are_sorted_by_how_much_of_them_is_judged(client, played, olga, monkeypatch):
    monkeypatch.setattr(topics, "TOPICS_PER_PAGE", 2)
    played.topic_set.create(number="3", title="nothing pooled")
    client.force_login(olga)

    def numbers(sort: str) -> list[str]:
        page = client.get(f"/campaigns/{played.slug}/topics/", {"topics-sort": sort})
        return [topic.number for topic in page.context["topics"].paginator.object_list]

    shown = client.get(f"/campaigns/{played.slug}/topics/").context
    progress = {topic.number: one for topic, one in shown["rows"]}
    assert progress["1"].n_judged > progress["2"].n_judged == 0
    assert numbers("-Judged") == ["1", "2", "3"]
    assert numbers("Judged") == ["3", "2", "1"]
    assert numbers("-Number") == ["3", "2", "1"]
    client.force_login(User.objects.get(username="ada"))
    assert numbers("Judged") == ["1", "2", "3"], "who is not shown how far they are"


def test_teams_are_found_by_name_and_stand_in_natural_order(client, campaign, olga):
    client.force_login(olga)
    for name in ("Team 10", "team 9", "Team 2b", "Team 2", "Team 0010b"):
        teams.create_team(user=olga, campaign=campaign, name=name)
    people = f"/campaigns/{campaign.slug}/people/"
    page = client.get(people, {"team": "TEAM"})
    names = [team.name for team in page.context["teams"]]
    assert names == ["Team 2", "Team 2b", "team 9", "Team 10", "Team 0010b"]
    assert "5 of 6 teams" in " ".join(page.content.decode().split())
    assert "No team's name contains “xyz”" in unescape(
        client.get(people, {"team": "xyz"}).content.decode()
    )


def test_a_topic_is_found_by_its_number_or_words_of_its_title(client, campaign, ada):
    for number, title in (("12", "tax havens"), ("21", "topic of taxes")):
        campaign.topic_set.create(number=number, title=title)
    client.force_login(ada)
    found = {
        words: {
            topic.number
            for topic in client.get(f"/campaigns/{campaign.slug}/topics/", {"q": words}).context[
                "topics"
            ]
        }
        for words in ("1", "2 ", "TAX", "topic tax", "x", "none", "\x00")
    }
    everything = {"1", "2", "12", "21"}
    assert found == {
        "1": {"1"},
        "2 ": {"2"},
        "TAX": {"12", "21"},
        "topic tax": {"21"},
        "x": {"12", "21"},
        "none": set(),
        "\x00": everything,
    }


def test_an_event_is_found_by_who_did_what_to_what(client, played, olga):
    client.force_login(olga)
    activity = f"/campaigns/{played.slug}/activity/"
    found = {
        words: {
            (event.actor.username, event.kind)
            for event in client.get(activity, {"q": words}).context["audit"]
        }
        for words in ("pat", "FROZE", "pat secret-run", "olga secret-run", "created campaign")
    }
    submitted = {("pat", "run.submitted")}
    assert found == {
        "pat": submitted,
        "FROZE": {("olga", "pool.frozen")},
        "pat secret-run": submitted,
        "olga secret-run": set(),
        "created campaign": {("olga", "campaign.created")},
    }
    assert "0 of " in client.get(activity, {"q": "nothing at all"}).content.decode()


def test_assessors_see_first_what_is_left_for_them_to_judge(client, played, ada):
    make.judgment(Assignment.objects.get(assessor=ada), "d3", 0)
    make.assignment(played.topic_set.get(number="2"), ada)
    client.force_login(ada)
    mine = client.get(f"/campaigns/{played.slug}/judging/").context["mine"]
    assert [(each.topic.number, each.is_finished) for each in mine] == [("2", False), ("1", True)]


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
    assert [str(each.user) for each in members if each.role == Role.ASSESSOR] == assessors
    assert [str(each.user) for each in shown("judging/")["people"]] == assessors
    assert [str(person) for person, *_ in shown("judging/distribute/")["people"]] == assessors
    choices = shown("judging/distribute/")["assignment_form"].fields["assessor"].queryset
    assert [str(person) for person in choices] == assessors
    pairs = [row.name for row in shown("agreement/")["pairs"].rows]
    assert pairs == ["Ben and Cora", "Zoe and Ben"]
