"""The whole story, with real processes: from an empty campaign to files like the reference."""

import gzip
import json
import re

import pytest
from django.test import Client
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from accounts.models import User
from config import alive
from tests import make
from tests.e2e import processes
from tests.e2e.material import (
    DEPTH,
    DOCNOS,
    NUMBERS,
    PASSWORD,
    RUNS,
    TOPICS,
    grade_of,
    official,
    ranked,
    run_file,
)
from tests.e2e.results import (
    check_agreement,
    check_leaderboard,
    check_scores_so_far,
    fetch,
    publish,
)
from tests.onscreen import PATIENCE_MS, shown

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Cast:
    """A browser context per person, each signed in; anything on the console is kept."""

    def __init__(self, browser, url: str) -> None:
        self.browser, self.url, self.errors = browser, url, []

    def page(self):
        context = self.browser.new_context(base_url=self.url, accept_downloads=True)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def signed_in(self, name: str):
        page = self.page()
        page.goto("/sign-in/")
        page.fill("#id_username", name)
        page.fill("#id_password", "a password of tests")
        page.get_by_role("button", name="Sign in").click()
        return page

    def joined(self, name: str, link: str):
        """Somebody who is signed in already follows the link."""
        client = Client()
        client.force_login(User.objects.create(username=name, first_name=name.title()))
        value = client.cookies["sessionid"].value
        page = self.page()
        page.context.add_cookies([{"name": "sessionid", "value": value, "url": self.url}])
        page.goto(link)
        page.get_by_role("button", name="Join as").click()
        return member(page)

    def signed_up(self, name: str, link: str):
        page = self.page()
        page.goto(link)
        page.fill("#id_username", name)
        page.fill("#id_password1", PASSWORD)
        page.fill("#id_password2", PASSWORD)
        page.get_by_role("button", name="Create the account and join").click()
        return member(page)


def member(page):
    """The page, once joining is done: to go elsewhere before would break it off."""
    expect(page.locator(".campaign-name")).to_be_visible()
    return page


def test_a_campaign_from_its_creation_to_its_leaderboard(browser, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    # The web process knows only the strong hasher, not the fast one of tests.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    make.user("olga")
    with processes.worker(tmp_path), processes.web(tmp_path) as url:
        cast = Cast(browser, url)
        try:
            play(cast)
            assert alive.trouble(tmp_path, "worker") == ""
        except (AssertionError, PlaywrightError) as error:
            raise AssertionError(f"{error}\n{processes.evidence(tmp_path)}") from error
        assert not cast.errors


def play(cast: Cast) -> None:
    olga = cast.signed_in("olga")
    base = set_up(olga)
    links = invite(olga, base)
    ada, ben = cast.signed_up("ada", links["ada"]), cast.joined("ben", links["ben"])
    pat, quinn = cast.joined("pat", links["pat"]), cast.joined("quinn", links["quinn"])
    submit(pat, quinn, base)
    pooled = pool(olga, base)
    assessors = {"ada": ada, "ben": ben}
    primary = assign(olga, base)
    labels = judge(assessors, base, pooled, primary)
    check_scores_so_far(olga, assessors, base, labels, primary)
    check_agreement(olga, base, labels)
    qrels = official(labels, primary)
    publish(olga, base, qrels)
    check_leaderboard(olga, pat, base, qrels)


def set_up(olga) -> str:
    """Create the campaign, its topics and its documents; return its address."""
    olga.get_by_role("link", name="New campaign").click()
    olga.fill("#id_name", "Cranfield again")
    olga.get_by_role("button", name="Create the campaign").click()
    expect(olga.locator(".campaign-name")).to_have_text("Cranfield again")
    base = re.search(r"/campaigns/[^/]+/", olga.url)[0]
    olga.goto(f"{base}settings/judging/")
    olga.fill("#id_least_view_ms", "0")  # nobody reads here
    olga.get_by_role("button", name="Save").click()
    expect(olga.get_by_text("The settings are saved.")).to_be_visible()
    olga.goto(f"{base}topics/")
    olga.fill("#id_text", TOPICS)
    olga.get_by_role("button", name="Preview the topics…").click()
    olga.get_by_role("button", name="Import topics").click()
    expect(olga.get_by_text("2 new, 0 changed, 0 unchanged.")).to_be_visible()
    olga.get_by_role("link", name="All topics").click()
    expect(olga.locator("#topics tbody tr")).to_have_count(2)
    lines = "".join(
        json.dumps({"docno": d, "title": f"Title {d}", "text": f"On {d}."}) + "\n" for d in DOCNOS
    )
    upload = {
        "name": "cran.jsonl.gz",
        "mimeType": "application/gzip",
        "buffer": gzip.compress(lines.encode()),
    }
    olga.goto(f"{base}documents/")
    olga.set_input_files("#id_file", upload)
    olga.check("#id_completes_collection")
    olga.get_by_role("button", name="Preview the documents…").click()
    olga.get_by_role("button", name="Import documents").click()
    expect(olga.get_by_text("60 new, 0 changed, 0 unchanged.")).to_be_visible()
    return base


def invite(olga, base: str) -> dict[str, str]:
    people = {
        "ada": ("assessor", ""),
        "ben": ("assessor", ""),
        "pat": ("participant", "Aldgate"),
        "quinn": ("participant", "Barbican"),
    }
    links = {}
    for name, (role, team) in people.items():
        olga.goto(f"{base}people/")
        olga.select_option("#id_role", role)
        olga.fill("#id_team_name", team)
        olga.get_by_role("button", name="Make a link").click()
        expect(olga.locator(".copy input")).to_have_count(len(links) + 1)
        links[name] = olga.locator(".copy input").first.input_value()
    assert len(set(links.values())) == 4
    return links


def submit(pat, quinn, base: str) -> None:
    """One participant uploads a faulty file first, and reads why; another's is compressed."""
    docnos = RUNS["alpha"]["301"]
    faulty = run_file("alpha").replace(f"Q0\t{docnos[2]}".encode(), f"Q0\t{docnos[0]}".encode(), 1)
    upload(pat, base, "alpha", "alpha.txt", faulty)
    again = f"Document '{docnos[0]}' comes again in topic 301; it was on line 1."
    expect(pat.get_by_role("row", name=f"3 {again}")).to_be_visible()
    upload(pat, base, "alpha", "alpha.txt", run_file("alpha"))
    is_valid(pat, "alpha")
    upload(quinn, base, "beta", "beta.gz", gzip.compress(run_file("beta")))
    is_valid(quinn, "beta")
    with pat.expect_download() as download:
        pat.get_by_role("link", name="alpha.txt").click()
    assert download.value.path().read_bytes() == run_file("alpha")


def is_valid(page, tag: str) -> None:
    heading = page.get_by_role("heading", level=1, name=f"{tag} is valid")
    expect(heading).to_be_visible()


def upload(page, base: str, tag: str, name: str, content: bytes) -> None:
    page.goto(f"{base}runs/")
    page.fill("#id_tag", tag)
    page.set_input_files("#id_file", {"name": name, "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Upload the run").click()


def pool(olga, base: str) -> dict[str, list[str]]:
    """Freeze a pool and return what ought to be in it, by topic."""
    pooled = {t: sorted({d for tag in RUNS for d in ranked(tag, t)[:DEPTH]}) for t in NUMBERS}
    size = sum(map(len, pooled.values()))
    olga.goto(f"{base}pool/")
    olga.get_by_role("link", name="Form the pool…").click()
    olga.fill("[name=depth-depth]", str(DEPTH))
    olga.locator("[name=depth-depth]").dispatch_event("change")
    expect(olga.locator("h1")).to_contain_text(f"{size} documents, ")
    olga.get_by_role("button", name="Build a draft").click()
    olga.get_by_role("link", name="Freeze this draft").click()
    olga.get_by_role("button", name="Freeze").click()
    expect(olga.get_by_text(f"The pool is frozen: {size} documents.")).to_be_visible()
    lines = fetch(olga, f"{base}pool/pool.tsv").splitlines()[1:]
    found = {
        (topic, docno, run, int(rank))
        for topic, docno, run, rank, *_ in (line.split("\t") for line in lines)
    }
    assert found == {
        (t, docno, tag, rank)
        for tag in RUNS
        for t in NUMBERS
        for rank, docno in enumerate(ranked(tag, t)[:DEPTH], 1)
    }
    return pooled


def assign(olga, base: str) -> dict[str, str]:
    """Assign the topics as the plan shows; return who is primary for each: the seed decides."""
    olga.goto(f"{base}judging/distribute/")
    olga.fill("#id_second_percent", "50")
    olga.get_by_role("button", name="Show the plan").click()
    rows = olga.get_by_role("region", name="The plan").locator("tbody tr")
    expect(rows).to_have_count(4)
    plan = [row.inner_text().split() for row in rows.all()]
    olga.get_by_role("button", name="Assign as shown").click()
    expect(olga.get_by_text("4 assignments made.")).to_be_visible()
    return {topic: person.lower() for topic, kind, person, *_ in plan if kind == "primary"}


def judge(
    assessors: dict, base: str, pooled: dict[str, list[str]], primary: dict[str, str]
) -> dict:
    """Have both assessors judge everything they were given, by keyboard."""
    labels = {}
    for name, page in assessors.items():
        page.goto(f"{base}judging/")
        addresses = [
            link.get_attribute("href") for link in page.locator(".inbox-topics h3 a").all()
        ]
        for address in addresses:
            page.goto(address)
            labels |= judge_topic(page, name)
    given = {(t, d) for (person, t, d) in labels if person == primary[t]}
    assert given == {(t, d) for t, docnos in pooled.items() for d in docnos}
    return labels


def judge_topic(page, name: str) -> dict:
    labels = {}
    topic = page.locator(".judging-bar h1 .number").inner_text()
    body = page.inner_text("body")
    assert not re.search(r"\b(alpha|beta|Aldgate|Barbican)\b", body)
    while page.locator(".judging-document code").count():
        docno = shown(page).inner_text()
        labels[name, topic, docno] = grade_of(name, topic, docno)
        page.keyboard.press(str(labels[name, topic, docno]))
        expect(page.locator(".judging-toast")).to_contain_text(f"{docno}: grade")
    expect(page.get_by_role("heading", name="Done, ")).to_be_visible()
    return labels
