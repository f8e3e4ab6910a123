"""The site below a path of its host: every link and file is below it too, and judging works."""

import re
import urllib.error
import urllib.request
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from playwright.sync_api import expect

from assess.models.judging import Judgment
from config import alive
from tests import make
from tests.e2e import processes
from tests.onscreen import PATIENCE_MS, shown

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PATH = "/of-the-lab/eval"
N_PAGES = 12
PASSWORD = "a password of tests"


@pytest.fixture
def assignment(olga, ada, pat, settings):
    # The web process knows only the strong hasher, not the fast one of tests.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    for person in (olga, ada):
        person.set_password(PASSWORD)
        person.save()
    campaign = make.campaign(olga, assessors=[ada], participants={"Aldgate": [pat]})
    campaign.least_view_ms = 0
    campaign.save()
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


@pytest.fixture(scope="module")
def served(tmp_path_factory, django_db_setup):
    """The web process of all tests here, and its folder; it is gone before the database is."""
    folder = tmp_path_factory.mktemp("served")
    with processes.web(folder, PATH) as url:
        yield url, folder


@pytest.fixture
def site(served, settings, assignment):
    url, folder = served
    settings.MEDIA_ROOT = folder / "media"
    return url


@pytest.fixture
def signed_in(browser, site):
    """Sign in as somebody types it; whatever a page then asks for must be below the path."""
    wrong: list[str] = []

    def page_of(person):
        page = browser.new_context().new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("response", lambda answer: wrong.extend(fault_of(answer)))
        page.goto(f"{site}/sign-in/")
        page.fill("#id_username", person.username)
        page.fill("#id_password", PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("a.who")).to_be_visible()
        return page

    yield page_of
    assert wrong == []


def fault_of(answer) -> list[str]:
    is_below = urlsplit(answer.url).path.startswith(f"{PATH}/")
    return [] if is_below and answer.status < 400 else [f"{answer.status} {answer.url}"]


def test_every_link_and_file_of_the_pages_is_below_the_path(signed_in, site, olga, assignment):
    page, start = signed_in(olga), f"{site}/campaigns/{assignment.topic.campaign.slug}/"
    assert {(each["name"], each["path"]) for each in page.context.cookies()} == {
        ("sessionid_of-the-lab_eval", f"{PATH}/"),
        ("csrftoken_of-the-lab_eval", f"{PATH}/"),
        ("known_browser", f"{PATH}/"),
    }
    waiting, seen = [start, f"{site}/", f"{site}/help/", f"{site}/admin/"], set()
    while waiting and len(seen) < N_PAGES:
        address = waiting.pop(0)
        seen.add(address)
        page.goto(address)
        assert page.evaluate("document.styleSheets.length") > 0
        for each in addresses(page):
            parts = urlsplit(each)
            if parts.netloc != urlsplit(site).netloc:
                continue
            assert parts.path.startswith(f"{PATH}/"), f"{each} on {address}"
            followed = parts._replace(query="", fragment="").geturl()
            if followed not in {*waiting, *seen} and followed.endswith("/"):
                waiting.append(followed)
    assert len(seen) == N_PAGES


LINKS = "each => each.map(one => one.getAttribute('href') ?? one.getAttribute('action') ?? '')"


def addresses(page) -> list[str]:
    """Where the links and the forms of a page lead; those that sign out are not for a robot."""
    found = page.eval_on_selector_all("a[href], link[href], form[action]", LINKS)
    whole = [urljoin(page.url, each) for each in found]
    return [each for each in whole if not re.search(r"/(sign-out|logout|view-as)/", each)]


def test_judging_is_saved(signed_in, site, ada, assignment):
    page = signed_in(ada)
    slug = assignment.topic.campaign.slug
    page.goto(f"{site}/campaigns/{slug}/judging/{assignment.pk}/")
    docno = shown(page).text_content()
    page.keyboard.press("1")
    expect(shown(page)).not_to_have_text(docno)
    expect(page.locator(".judging-saving")).to_have_text("")
    assert Judgment.objects.get(assignment=assignment).docno == docno
    names = page.evaluate("indexedDB.databases().then(all => all.map(each => each.name))")
    assert names == [f"cleverdon-{ada.pk}_of-the-lab_eval"]


def test_the_process_is_asked_below_the_path(site, served, monkeypatch):
    monkeypatch.setenv("SITE_URL", site)
    monkeypatch.setenv("VAR_DIR", str(served[1]))
    assert alive.main("web") == ""


def test_an_address_beside_the_path_is_told_where_the_site_is(site):
    host = site.removesuffix(PATH)
    for beside in ("/sign-in/", f"{PATH}-more/", "/"):
        with pytest.raises(urllib.error.HTTPError, match="404") as refused:
            urllib.request.urlopen(host + beside)
        with refused.value as answer:
            assert f"This site is below {PATH}/" in answer.read().decode()
    with urllib.request.urlopen(site) as home:  # as the admin leads there
        assert urlsplit(home.url).path == f"{PATH}/sign-in/"
    with urllib.request.urlopen(f"{site}/favicon.ico") as icon:
        assert icon.status == 200


def test_an_address_that_only_takes_forms_leads_to_the_page_above_it(site, olga, assignment):
    client = Client()
    client.force_login(olga)
    cookie = f"sessionid_of-the-lab_eval={client.cookies['sessionid'].value}"
    above = f"{site}/campaigns/{assignment.topic.campaign.slug}/"
    asked = urllib.request.Request(f"{above}view-as/", headers={"Cookie": cookie})
    with urllib.request.urlopen(asked) as answer:
        assert answer.url == above
