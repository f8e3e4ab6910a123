"""Lists in pages: every row once, in the order that people expect, found by words."""

import re
from collections.abc import Iterable
from html import unescape
from itertools import zip_longest
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from agreement.nouns import AGREEMENT, DISAGREEMENTS
from assess.models.assigning import Assignment
from campaigns import sorting
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent
from campaigns.services import people
from campaigns.services.ending import erase
from campaigns.web import frame
from campaigns.web.files import EVENTS, MEMBERS
from collection.web import texts, topics
from desk.web import judging
from desk.web.hours import HOURS
from desk.web.judging import ASSESSORS
from practice.web.report import PEOPLE
from runs.models import Run
from runs.nouns import RELEASED_RUNS, RUNS
from runs.services import teams
from tests import make
from tests.web.growth import grow
from tests.web.heads import HEAD, press_each, together
from tests.web.html import source
from tests.worlds import once

NOUNS = [MEMBERS, EVENTS, RUNS, RELEASED_RUNS, ASSESSORS, HOURS, PEOPLE, AGREEMENT, DISAGREEMENTS]

# The lists of each page by their names in the template, each with the part of the address that says
# which page of it is shown.
LISTS = {
    "runs/": {"runs": "page"},
    "people/": {
        "teams": "teams",
        "memberships": "page",
        "open_links": "links",
        "closed_links": "closed",
    },
    "activity/": {"audit": "page"},
    "topics/": {"topics": "page", "imports": "imports"},
    "documents/": {"documents": "page", "imports": "imports"},
    "judging/": {"assignments": "page", "mine": "mine"},
    "judging/{}/assignment/": {"entries": "page", "aside": "aside"},
}

# Pages with tables that are whole on them; heads of lists are pressed on every page of them.
WITH_HEADS = """runs:released_runs runs:team pooling:batch evaluation:compare evaluation:efficiency
evaluation:run_scores assess:distribute assess:shared practice:edit_practice desk:judging
agreement:controls agreement:agreement desk:hours"""


@pytest.fixture
@once
def two_of_each(played, olga, pat) -> int:
    """At least two rows of everything that is listed; the id of an assignment."""
    for kind, text in (("topics", b"9\tnine"), ("documents", b'{"docno": "x"}')):
        for _ in range(2):
            make.uploaded(played, kind, text)
    make.run(played, pat, {"1": "d1"}, "run-10")
    teams.create_team(user=olga, campaign=played, name="Barbican")
    links = [people.invite(user=olga, campaign=played, role=Role.ASSESSOR) for _ in range(4)]
    for link in links[:2]:
        people.withdraw_invitation(user=olga, invitation=link)
    assignment = Assignment.objects.get(assessor__username="ada")
    played.membership_set.create(user=olga, role=Role.ASSESSOR)
    for topic in played.topic_set.all():
        make.assignment(topic, olga, Assignment.Kind.SECOND)
    assignment.judgments.update(set_aside_at="2026-05-01T12:00Z")
    few = AuditEvent.objects.filter(campaign=played)[:3].values("pk")
    erase(AuditEvent.objects.exclude(pk__in=few))
    return assignment.pk


@pytest.fixture
def listed(client, played, two_of_each, olga, monkeypatch):
    """The organizer's client, and for each page with lists its address and their names; one row of
    each list is on a page.
    """
    monkeypatch.setattr(frame, "PER_PAGE", 1)
    monkeypatch.setattr(topics, "TOPICS_PER_PAGE", 1)
    monkeypatch.setattr(texts, "IMPORTS_PER_PAGE", 1)
    monkeypatch.setattr(judging, "ASSIGNMENTS_PER_PAGE", 1)
    client.force_login(olga)
    base = f"/campaigns/{played.slug}/"
    at = {f"{base}{page.format(two_of_each)}": lists for page, lists in LISTS.items()}
    return client, base, at


REFUSED = [
    ("runs/upload/", {}, "runs", "runs/"),
    ("teams/", {"name": ""}, "teams", "people/"),
    ("topics/delete/", {"seen": 99}, "topics", "topics/"),
    ("collection/delete/", {"seen": 99}, "documents", "documents/"),
]


def test_a_list_is_turned_over_to_its_end(listed):
    client, base, pages = listed
    for at, lists in {**pages, f"{base}runs/states/": LISTS["runs/"]}.items():
        response = client.get(f"{at}?other=kept")
        rows = {name: list(response.context[name].paginator.object_list) for name in lists}
        seen, left = {name: [] for name in lists}, dict(lists)
        n_pages = {name: response.context[name].paginator.num_pages for name in lists}
        assert all(n_pages[name] == len(rows[name]) > 1 for name in lists), at
        while left:
            asked, html = {"other": "kept"}, response.text
            for name, parameter in list(left.items()):
                page = response.context[name]
                seen[name] += page
                onward = rf'rel="next" href="([^"#]*\b{parameter}={page.number + 1}\b[^"#]*)'
                found = re.search(onward, html)
                if found and len(seen[name]) <= len(rows[name]):
                    assert parse_qs(urlsplit(unescape(found[1])).query)["other"] == ["kept"]
                    asked[parameter] = str(page.number + 1)
                else:
                    del left[name]
            response = client.get(at, asked)
        assert seen == rows, at
    # The answer to a refused form shows the list at another address, where its next page is not.
    for refused, data, name, page in REFUSED:
        response = client.post(base + refused, data)
        assert response.status_code == 422, refused
        assert urlsplit(response.context[name].next).path == base + page
        forms = re.findall('<form([^>]*)role="search"', response.text)
        assert all(f'action="{base}{page}' in form for form in forms), refused


def test_a_press_on_a_head_sorts_all_pages_and_the_next_turns_them_round(listed):
    """One of each list of a page at once."""
    client, _, pages = listed
    for at, lists in pages.items():
        response = client.get(at, {"other": "kept", **dict.fromkeys(lists.values(), "2")})
        rows = {name: response.context[name].paginator.object_list for name in lists}
        columns = {name: response.context[name].heads for name in lists if name != "mine"}
        heads = [dict(zip(columns, keys, strict=True)) for keys in zip_longest(*columns.values())]
        answers = [client.get(at + pressed(response, keys)) for keys in heads]
        for keys, answer in zip(heads, answers, strict=True):
            for name, key in keys.items():
                page = answer.context[name]
                assert page.number == 1 or not key
                assert not key or [each for each, head in page.heads.items() if head.sort] == [key]
                assert set(map(str, page.paginator.object_list)) == set(map(str, rows[name])), at
        found, keys = answers[0], heads[0]
        turned = client.get(at + pressed(found, keys)).context
        links = {lists[name]: found.context[name].next for name in keys}
        onward = client.get(at + together(links)).context
        for name, key in keys.items():
            page = found.context[name]
            assert list(onward[name]) == list(page.paginator.object_list)[1:2]
            assert parse_qs(urlsplit(onward[name].previous).query)["other"] == ["kept"]
            orders = {page.heads[key].sort, turned[name].heads[key].sort}
            assert orders == {"ascending", "descending"}, name
        check_kept(found, keys)


def pressed(response, keys: dict[str, str | None]) -> str:
    """What the address asks for once these heads were pressed, by the lists' names."""
    heads = [response.context[name].heads[key] for name, key in keys.items() if key]
    assert {head.table for head in heads} <= {found[1] for found in HEAD.findall(response.text)}
    return together({f"{head.table}-sort": head.address for head in heads})


def check_kept(response, names: Iterable[str]) -> None:
    """The search of a list and its chips keep what it is sorted by."""
    tables = response.text.split("<table")
    chips = re.findall(
        '<a class="chip" href="([?][^"]*|[^"]*[?]show=[^"]*)"', tables[-2] + tables[-1]
    )
    for name in names:
        [(parameter, value)] = response.context[name].sort.items()
        hidden = f'<input type="hidden" name="{parameter}" value="{value}">'
        if 'role="search"' in response.text and name not in SEARCHED_BY_NO_WORD:
            assert hidden in response.text, name
        assert all(parameter in chip for chip in chips), name


@pytest.mark.usefixtures("doors")
def test_each_field_of_a_noun_has_a_value_of_its_type(played, olga):
    grow(played, 1)
    Run.objects.update(latency_mean_ms=9, index_bytes=10**9, is_manual=False)
    for noun in NOUNS:
        is_asked = noun in (AGREEMENT, DISAGREEMENTS, HOURS)
        rows = noun.rows(olga, played)
        rows = noun.matching(olga, played, noun.filters({})) if is_asked else rows
        records = list(noun.records(played, rows))
        assert records, noun.name
        for record in records:
            types = {name: noun.fields[name].type for name in record}
            odd = [name for name, kind in types.items() if not isinstance(record[name], kind)]
            assert not odd, (noun.name, record)


SEARCHED_BY_NO_WORD = {"imports", "open_links", "closed_links"}


def test_each_head_of_a_table_sorts_it_and_loses_no_row(as_olga, played, doors):
    grow(played, 1)
    Run.objects.update(latency_mean_ms=9)
    tables = {table for name in WITH_HEADS.split() for table in press_each(as_olga, doors[name][0])}
    assert len(tables) == 18, tables


@pytest.fixture
def ties(client, campaign, olga, pat):
    """The organizer's client, and what it shows of the runs, of which some have as many lines."""
    for n_lines, tag in ((2, "r-2"), (1, "r-10"), (2, "R-9"), (1, "r-1")):
        make.run(campaign, pat, {"1": " ".join(f"d{n}" for n in range(n_lines))}, tag)
    make.submitted(campaign, pat, "not checked yet", "waiting")
    client.force_login(olga)

    def tags(sort: str) -> list[str]:
        shown = client.get(f"/campaigns/{campaign.slug}/runs/", {"run-list-sort": sort}).context
        return [run.tag for run in shown["runs"]]

    return tags


def test_equal_rows_stay_as_they_stood_and_gaps_come_last(ties):
    newest = ["waiting", "r-1", "R-9", "r-10", "r-2"]
    assert ties("-Lines") == ["R-9", "r-2", "r-1", "r-10", "waiting"]
    assert ties("Lines") == ["r-1", "r-10", "R-9", "r-2", "waiting"]
    assert ties("Run") == ["r-1", "r-2", "R-9", "r-10", "waiting"]
    assert ties("-Team") == ties("Team") == newest
    for unknown in ("nonsense", "-", "--Run", "run", "report", "\x00", "-Uploaded\x00"):
        assert ties(unknown) == newest, unknown


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


def test_teams_are_found_by_name_and_stand_in_natural_order(as_olga, campaign, olga):
    for name in ("Team 10", "team 9", "Team 2b", "Team 2", "Team 0010b"):
        teams.create_team(user=olga, campaign=campaign, name=name)
    people = f"/campaigns/{campaign.slug}/people/"
    page = as_olga.get(people, {"team": "TEAM"})
    names = [team.name for team in page.context["teams"]]
    assert names == ["Team 2", "Team 2b", "team 9", "Team 10", "Team 0010b"]
    assert "5 of 6 teams" in " ".join(page.text.split())
    assert "No team's name contains “xyz”" in unescape(as_olga.get(people, {"team": "xyz"}).text)


@pytest.mark.parametrize(
    ("tab", "long"), [("documents", "document.title"), ("topics", "topic.description")]
)
def test_lists_read_beginnings_of_what_may_be_long(as_olga, played, tab, long):
    table, column = long.split(".")
    played.document_set.update(title="word " * 1000)
    played.topic_set.update(description="word " * 1000)
    with CaptureQueriesContext(connection) as queries:
        page = source(as_olga.get(f"/campaigns/{played.slug}/{tab}/"))
    assert "word word word" in page
    whole = re.compile(rf'(?<!LEFT\()"collection_{table}"\."{column}"')
    assert not [each["sql"] for each in queries if whole.search(each["sql"].partition(" FROM ")[0])]


def test_a_title_in_a_list_is_a_beginning(played):
    played.document_set.update(title="word " * 1000)
    titles = played.document_set.titles(["d1", "none"])
    assert {docno: len(title) for docno, title in titles.items()} == {"d1": 300}


def test_a_topic_is_found_by_its_number_or_words_of_its_title(client, campaign, ada):
    for number, title in (("12", "tax havens"), ("21", "topic of taxes")):
        campaign.topic_set.create(number=number, title=title)
    client.force_login(ada)
    address = f"/campaigns/{campaign.slug}/topics/"
    for words, numbers in {
        "1": "1",
        "2 ": "2",
        "TAX": "12 21",
        "topic tax": "21",
        "x": "12 21",
        "none": "",
        "\x00": "1 2 12 21",
    }.items():
        found = client.get(address, {"q": words}).context["topics"]
        assert {topic.number for topic in found} == set(numbers.split()), words


def test_an_event_is_found_by_who_did_what_to_what(as_olga, played):
    activity = f"/campaigns/{played.slug}/activity/"
    submitted = {("pat", "run.submitted")}
    for words, events in {
        "pat": submitted,
        "FROZE": {("olga", "pool.frozen")},
        "pat secret-run": submitted,
        "olga secret-run": set(),
        "created campaign": {("olga", "campaign.created")},
    }.items():
        found = as_olga.get(activity, {"q": words}).context["audit"]
        assert {(event.actor.username, event.kind) for event in found} == events, words
    assert "0 of " in as_olga.get(activity, {"q": "nothing at all"}).text


def test_assessors_see_first_what_is_left_for_them_to_judge(client, played, ada):
    make.judgment(Assignment.objects.get(assessor=ada), "d3", 0)
    make.assignment(played.topic_set.get(number="2"), ada)
    client.force_login(ada)
    mine = client.get(f"/campaigns/{played.slug}/judging/").context["mine"]
    assert [(each.topic.number, each.is_finished) for each in mine] == [("2", False), ("1", True)]


def test_people_stand_by_the_names_that_are_shown(as_olga, played, ada, ben):
    cora = make.user("cora")
    played.membership_set.create(user=cora, role=Role.ASSESSOR)
    topic = played.topic_set.get(number="2")
    for person, kind in ((ben, "primary"), (cora, "second")):
        make.judgment(make.assignment(topic, person, kind), "d4", 1)
    ada.first_name = "Zoe"
    ada.save()

    def shown(page: str) -> dict:
        return as_olga.get(f"/campaigns/{played.slug}/{page}").context

    assessors = ["Ben", "Cora", "Zoe"]
    members = shown("people/")["memberships"]
    assert [str(each.user) for each in members if each.role == Role.ASSESSOR] == assessors
    assert [str(each.user) for each in shown("judging/")["people"]] == assessors
    assert [str(person) for person, *_ in shown("judging/distribute/")["people"]] == assessors
    choices = shown("judging/distribute/")["assignment_form"].fields["assessor"].queryset
    assert [str(person) for person in choices] == assessors
    pairs = sorted(row.name for row in shown("agreement/")["pairs"].rows)
    assert pairs == ["Ben and Cora", "Zoe and Ben"]
