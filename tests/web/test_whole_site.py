"""All pages of a campaign: each button does what it says, for what can only be refused is not
offered; times are in one zone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.services import ending
from collection.services import collection
from jobs.models import Job
from runs.services import runs, teams
from tests import make
from tests.releasing import ALL, show_to
from tests.worlds import once


class Page(HTMLParser):
    """Where a page leads to, and its forms to post: where to, and what is sent untyped."""

    def __init__(self, at: str, text: str) -> None:
        super().__init__()
        self.at, self.text, self.links, self.forms = at, text, set[str](), list[dict]()
        self.form: dict | None = None
        self.is_archived = False
        self.feed(text)

    def handle_starttag(self, tag, attributes) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "a" and not ("data-act" in given and self.is_archived):
            self.links.add(urlsplit(urljoin(self.at, given.get("href", ""))).path)
        elif tag == "main":
            self.is_archived = "data-archived" in given
        elif tag == "form" and given.get("method") == "post":
            self.form = {
                "action": urljoin(self.at, given.get("action", "")),
                "data": {},
                "asks": False,
            }
            if "data-in-archive" in given or not self.is_archived:
                self.forms.append(self.form)
        elif self.form is not None:
            self._field(tag, given)

    def handle_endtag(self, tag) -> None:
        if tag == "form":
            self.form = None

    def _field(self, tag: str, given: dict[str, str]) -> None:
        is_hidden = tag == "button" or given.get("type") == "hidden"
        if tag in {"input", "textarea", "select"} and not is_hidden:
            self.form["asks"] = True
        if (
            is_hidden
            and given.get("name") not in {None, "csrfmiddlewaretoken"}
            and "disabled" not in given
        ):
            self.form["data"].setdefault(given["name"], given.get("value", ""))


MOST = 2  # looked at of each kind


def pages(client: Client, start: str, most: int = 1) -> Iterator[Page]:
    """The pages of the campaign that links lead to, so many of a kind."""
    waiting, seen, kinds = [start], {start}, Counter[str]()
    while waiting:
        at = waiting.pop()
        kinds[kind := resolve(at).view_name] += 1
        if kinds[kind] > most:
            continue
        answer = client.get(at)
        assert answer.status_code < 400, at
        if answer.streaming:
            assert b"".join(answer.streaming_content)
            continue
        if "html" not in answer["Content-Type"]:
            continue
        page = Page(at, answer.text)
        yield page
        more = {link for link in page.links - seen if link.startswith(start)}
        seen |= more
        waiting += sorted(more)


@pytest.fixture
@once
def crawled(busy, olga) -> list[Page]:
    """What links lead Olga to, in Tokyo's zone."""
    Campaign.objects.filter(pk=busy.pk).update(time_zone="Asia/Tokyo")
    client = Client()
    client.force_login(olga)
    return list(pages(client, f"/campaigns/{busy.slug}/", MOST))


def forms_of(client: Client, at: str) -> list[dict]:
    found = Page(at, client.get(at).text)
    return [form for form in found.forms if form["action"].startswith("/campaigns/")]


def tried(client: Client, start: str, crawled: list[Page]) -> dict[str, int]:
    """What each button answers that needs nothing typed; what it does is undone."""
    found, forms = {}, list[dict]()
    for page in crawled:
        for form in page.forms:
            is_ours = form["action"].startswith(start)
            if form["asks"] or not is_ours or form in forms:
                continue
            forms.append(form)
            mark = transaction.savepoint()
            answer = client.post(form["action"], form["data"])
            transaction.savepoint_rollback(mark)
            found[f"{page.at} -> {form['action']} {form['data']}"] = answer.status_code
    return found


def test_times_on_a_page_are_in_the_campaigns_zone_which_is_named(crawled):
    names = 0
    for page in crawled:
        names += page.text.count("Asia/Tokyo")
        # Whole words: the token of a form may have any letters within.
        assert re.findall(r'datetime="[^"]*\+00:00"|\b\d+ ?UTC\b|\( ?UTC\b', page.text) == [], (
            page.at
        )
    assert names > 10


@pytest.fixture
@once
def busy(played, olga, pat):
    """Played, with a team of nobody, a run whose tag is taken, and what is in use and not."""
    make.submitted(played, olga, "x", "base-1")
    run = make.run(played, pat, {"1": "d1"}, "again")
    runs.withdraw_run(user=olga, run=run)
    make.run(played, pat, {"1": "d1"}, "AGAIN")
    teams.create_team(user=olga, campaign=played, name="Zoe")
    # Of each kind of page the last two are looked at: one document that is in use, and one that is
    # not.
    collection.delete_document(user=olga, document=played.document_set.get(docno="d5"))
    Job.objects.filter(campaign=played, state="waiting").update(state="done")
    return played


def test_no_button_can_only_be_refused(busy, crawled, olga, client):
    client.force_login(olga)
    start = f"/campaigns/{busy.slug}/"
    assert ACTS & led_to(crawled, start)
    found = tried(client, start, crawled)
    assert len(found) > 12
    assert {at: status for at, status in found.items() if status >= 400} == {}
    ending.archive_campaign(user=olga, campaign=busy)
    shown = [
        form["action"]
        for at in ("documents", "people", "runs", "settings")
        for form in forms_of(client, f"{start}{at}/")
    ]
    assert shown == [f"{start}settings/", f"{start}restore/"]
    assert client.post(shown[1]).status_code == 302
    ending.archive_campaign(user=olga, campaign=busy)
    settings = client.get(f"{start}settings/").text
    assert "so it cannot be deleted: it stays in the archive" in settings
    css = Path("static/css/base.css").read_text()
    assert '[data-archived] form[method="post"]:not([data-in-archive])' in css
    assert "[data-archived] a[data-act]" in css


ACTS = {
    "assess:distribute",
    "evaluation:score",
    "pooling:freeze",
    "pooling:take_back",
    "remove_member",
}


def led_to(found: Iterable[Page], start: str) -> set[str]:
    """The names of the addresses that these pages lead to."""
    links = {link for page in found for link in page.links if link.startswith(start)}
    return {resolve(link).view_name for link in links}


def test_an_archive_leads_to_no_act_and_what_was_typed_is_shown(busy, olga, client):
    client.force_login(olga)
    start = f"/campaigns/{busy.slug}/"
    ending.archive_campaign(user=olga, campaign=busy)
    assert not ACTS & led_to(pages(client, start), start)
    # Sent from a page that is older: hidden, the form and its sentence would be lost.
    refused = client.post(f"{start}teams/", {"name": "Typed"})
    assert refused.status_code >= 400
    text = refused.text
    assert "Typed" in text
    assert not Page(start, text).is_archived


def answered(client: Client, at: str) -> int:
    answer = client.get(at)
    assert not answer.streaming or b"".join(answer.streaming_content)
    return answer.status_code


@pytest.mark.parametrize("topics", ["before their date", "shown"])
def test_no_link_can_only_be_refused(played, ada, pat, sam, topics):
    """On no page, for none of those who read it; a board leads to scores by topic once the topics
    are shown.
    """
    soon = timezone.now() + timedelta(days=1)
    closed = timezone.now() - timedelta(days=1)
    opens_at = soon if topics == "before their date" else closed
    dates = {"topics_open_at": opens_at, "judging_closes_at": closed}
    Campaign.objects.update(**dates)
    for what in set(Release.What) - {Release.What.TOPICS}:
        show_to(played, ALL, what=what)
    start, by_topic = f"/campaigns/{played.slug}/", set()
    for person in (ada, pat, sam) if topics == "before their date" else (pat, None):
        client = Client()
        if person:
            client.force_login(person)
        found = list(pages(client, start))
        links = {link for page in found for link in page.links if link.startswith(start)}
        left, kinds = sorted(links - {page.at for page in found}), Counter[str]()
        for link in left:
            kinds[kind := resolve(link).view_name] += 1
            if kinds[kind] == 1:
                assert answered(client, link) < 400, (person, link)
        if any(link.startswith(f"{start}leaderboard/scores/") for link in links):
            by_topic.add(person)
    assert by_topic == ({ada} if topics == "before their date" else {pat, None})
