"""The handbook is served by the site, whole and with links that lead somewhere."""

import re

import pytest

from campaigns.from_above import TABS
from config.handbook import DOCS, PAGES, SECTIONS, help_on, read
from tests.web.html import source, words, words_of_main
from tests.web.judging import address


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_of_help_leads_somewhere(client, db, name):
    page = client.get(f"/help/{name}/")
    assert page.status_code == 200
    links = re.findall(r'<a href="([^"]+)"', read(name).html)
    assert not [link for link in links if ".md" in link]
    assert "<img" not in read(name).html
    assert "<p></p>" not in read(name).html
    for link in links:
        path, _, section = link.partition("#")
        if path.startswith("https://"):
            continue
        answer = client.get(path) if path else page
        assert answer.status_code == 200
        assert not section or f'id="{section}"' in answer.text, link


def test_help_stands_for_each_tab_of_each_role():
    every = {tab.name for tab in TABS}
    for name, sections in SECTIONS.items():
        assert sections.keys() <= every
        for tab in every:
            path, _, section = help_on([name], tab).partition("#")
            page = read(path.removeprefix("/help/").strip("/"))
            assert not section or f'id="{section}"' in page.html


def test_the_foot_of_each_page_leads_to_help_on_it(sign_in, campaign, olga, pat, ada):
    def foot(user, address: str) -> str:
        page = source(sign_in(user).get(address))
        return re.search(r'<footer class="foot.*?href="([^"]+)"', page, re.DOTALL)[1]

    base = f"/campaigns/{campaign.slug}"
    assert foot(olga, f"{base}/pool/") == "/help/organizers/#5-the-pool"
    assert foot(olga, f"{base}/settings/") == "/help/settings/"
    assert foot(pat, f"{base}/runs/") == "/help/participants/#the-file"
    assert foot(ada, f"{base}/judging/") == "/help/assessors/#judging"
    assert foot(olga, "/account/") == "/help/"


def test_the_judging_page_leads_to_help_on_judging_beside_its_keys(sign_in, busy, ada):
    page = source(sign_in(ada).get(address(busy)))
    keys = re.search(r'<dialog id="help".*?</dialog>', page, re.DOTALL)[0]
    assert re.findall(r'href="(/help/[^"]*)"', keys) == [help_on(["assessors"], "judging")]


def test_who_may_do_what_is_for_readers_and_says_once_what_archiving_refuses(client, db):
    page = words_of_main(client.get("/help/permissions/"))
    assert "Who may do what" in page
    assert "docs.generate" in (DOCS / "handbook/permissions.md").read_text()
    assert "docs.generate" not in page
    assert page.count("In an archived campaign whatever would change it is refused") == 1
    assert "while the campaign is archived" not in page


def test_what_is_no_page_of_help_is_not_there(client, db):
    assert client.get("/help/decisions/").status_code == 404
    assert "File formats" in source(client.get("/help/"))


# Where a first hour says to find what, by the pages of a campaign whose pool is frozen.
FIRST_HOUR = {
    "topics/": ("Preview",),
    "documents/": ("Preview",),
    "runs/": ("Upload a run", "none: a baseline"),
    "pool/": ("Documents with runs and ranks",),
    "people/": ("Make a link",),
    "judging/": ("Assign topics…", "Current grades"),
    "judging/distribute/": ("Judged twice", "Show the plan"),
    "qrels/": ("Publish the first version",),
}


def test_a_first_hour_calls_links_and_choices_as_their_pages_do(sign_in, busy, olga):
    page = (DOCS / "first-hour.md").read_text(encoding="utf-8")
    client = sign_in(olga)
    for path, names in FIRST_HOUR.items():
        shown = words(client.get(f"/campaigns/{busy.topic.campaign.slug}/{path}")).lower()
        for name in names:
            assert f"*{name}*" in page
            assert name.lower() in shown, path
