"""The whole story, with real processes: from an empty campaign to files that equal the reference."""

import csv
import gzip
import io
import json
import re

import pytest
import pytrec_eval
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from statsmodels.stats.inter_rater import cohens_kappa

from tests import make
from tests.e2e import processes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOPICS = """<top>
<num> Number: 301
<title> boundary layers
<desc> Description:
What is known of boundary layers in hypersonic flow?
<narr> Narrative:
Experiments and theory count.
</top>
<top>
<num> Number: 302
<title> wing flutter
<desc> Description: Causes of flutter.
<narr> Narrative: Anything on damping.
</top>
"""
NUMBERS = ("301", "302")
DOCNOS = [f"cran-{number:03d}" for number in range(60)]
DEPTH = 10
PASSWORD = "tralala-17x"


def ranking(topic: str, seed: int) -> list[str]:
    """Sixty documents in an order that depends on topic and run."""
    step = 7 if topic == "301" else 11
    return [DOCNOS[(seed * 5 + place * step) % 60] for place in range(60)]


RUNS = {
    "alpha": {t: ranking(t, 1)[:40] for t in NUMBERS},
    "beta": {t: ranking(t, 4) for t in NUMBERS},
}


def run_file(tag: str) -> bytes:
    # Pairs of documents share a score, so that the tie rule decides.
    return "".join(
        f"{topic}\tQ0\t{docno}\t{rank}\t{20 - rank // 2}\t{tag}\n"
        for topic, docnos in RUNS[tag].items()
        for rank, docno in enumerate(docnos, 1)
    ).encode()


def grade_of(person: str, topic: str, docno: str) -> int:
    """What each assessor says; Ben differs on every third document, so that any sample has both."""
    number = int(docno.removeprefix("cran-")) + int(topic)
    grade = number % 4
    return (grade + 2) % 4 if person == "ben" and number % 3 == 0 else grade


class Cast:
    """A browser context per person, each signed in; anything on the console is kept."""

    def __init__(self, browser, url: str) -> None:
        self.browser, self.url, self.errors = browser, url, []

    def page(self):
        context = self.browser.new_context(base_url=self.url, accept_downloads=True)
        page = context.new_page()
        page.set_default_timeout(15000)
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
        page = self.page()
        page.goto(link)
        page.fill("#id_username", name)
        page.fill("#id_password1", PASSWORD)
        page.fill("#id_password2", PASSWORD)
        page.get_by_role("button", name="Create the account and join").click()
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
        except (AssertionError, PlaywrightError) as error:
            raise AssertionError(f"{error}\n{processes.evidence(tmp_path)}") from error
        assert not cast.errors


def play(cast: Cast) -> None:
    olga = cast.signed_in("olga")
    base = set_up(olga)
    links = invite(olga, base)
    ada, ben = cast.joined("ada", links["ada"]), cast.joined("ben", links["ben"])
    pat, quinn = cast.joined("pat", links["pat"]), cast.joined("quinn", links["quinn"])
    submit(pat, quinn, base)
    pooled = pool(olga, base)
    labels = judge(olga, {"ada": ada, "ben": ben}, base, pooled)
    check_scores_so_far(olga, ada, base, labels)
    check_agreement(olga, base, labels)
    qrels = publish(olga, base, labels)
    check_leaderboard(olga, pat, base, qrels)


def set_up(olga) -> str:
    """Create the campaign, its topics and its documents; return its address."""
    olga.get_by_role("link", name="New campaign").click()
    olga.fill("#id_name", "Cranfield again")
    olga.fill("#id_guidelines", "Judge **strictly**.")
    olga.get_by_role("button", name="Create the campaign").click()
    expect(olga.get_by_role("heading", level=1)).to_have_text("Cranfield again")
    base = re.search(r"/campaigns/[^/]+/", olga.url)[0]
    olga.goto(f"{base}topics/")
    olga.fill("#id_text", TOPICS)
    olga.get_by_role("button", name="Import topics").click()
    expect(olga.get_by_text("Topics imported: 2 new, 0 replaced.")).to_be_visible()
    expect(olga.locator("article.topic")).to_have_count(2)
    lines = "".join(
        json.dumps({"docno": d, "title": f"Title {d}", "text": f"On {d}."}) + "\n"
        for d in DOCNOS
    )
    upload = {
        "name": "cran.jsonl.gz",
        "mimeType": "application/gzip",
        "buffer": gzip.compress(lines.encode()),
    }
    olga.goto(f"{base}documents/")
    olga.set_input_files("#id_file", upload)
    olga.check("#id_is_whole_collection")
    olga.get_by_role("button", name="Import documents").click()
    expect(olga.get_by_text("60 documents read: 60 new, 0 replaced.")).to_be_visible(
        timeout=20000
    )
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
        links[name] = olga.locator(".copy input").first.input_value()
    assert len(set(links.values())) == 4
    return links


def submit(pat, quinn, base: str) -> None:
    """One participant uploads a faulty file first, and reads why; another's is compressed."""
    faulty = run_file("alpha").replace(
        b"301\tQ0\t" + RUNS["alpha"]["301"][2].encode(),
        b"301\tQ0\t" + RUNS["alpha"]["301"][0].encode(),
    )
    upload(pat, base, "alpha", "alpha.txt", faulty + b"999 Q0 cran-001 1 1.0 alpha\n")
    expect(pat.get_by_role("heading", name="2 errors")).to_be_visible(timeout=20000)
    again = f"Document '{RUNS['alpha']['301'][0]}' comes again in topic 301; it was on line 1."
    expect(pat.get_by_role("row", name=f"3 {again}")).to_be_visible()
    expect(
        pat.get_by_role("row", name="81 There is no topic '999' in this campaign.")
    ).to_be_visible()
    upload(pat, base, "alpha", "alpha.txt", run_file("alpha"))
    expect(pat.get_by_text("No errors: the run is valid.")).to_be_visible(timeout=20000)
    upload(quinn, base, "beta", "beta.gz", gzip.compress(run_file("beta")))
    expect(quinn.get_by_text("No errors: the run is valid.")).to_be_visible(
        timeout=20000
    )
    quinn.goto(f"{base}runs/")
    expect(quinn.locator("#runs tbody tr")).to_have_count(1)
    with pat.expect_download() as download:
        pat.get_by_role("link", name="alpha.txt").click()
    assert download.value.path().read_bytes() == run_file("alpha")


def upload(page, base: str, tag: str, name: str, content: bytes) -> None:
    page.goto(f"{base}runs/")
    page.fill("#id_tag", tag)
    page.set_input_files(
        "#id_file", {"name": name, "mimeType": "text/plain", "buffer": content}
    )
    page.get_by_role("button", name="Upload the run").click()


def pool(olga, base: str) -> dict[str, list[str]]:
    """Freeze a pool and return what ought to be in it, by topic."""
    pooled = {
        t: sorted({d for tag in RUNS for d in ranked(tag, t)[:DEPTH]}) for t in NUMBERS
    }
    size = sum(map(len, pooled.values()))
    olga.goto(f"{base}pool/")
    olga.fill("#id_depth", str(DEPTH))
    olga.locator("#id_depth").dispatch_event("change")
    expect(olga.locator("#forecast .stat").first).to_contain_text(
        f"{size}", timeout=10000
    )
    olga.get_by_role("button", name="Build this pool").click()
    olga.get_by_role("button", name="Freeze the pool").click(timeout=20000)
    expect(olga.get_by_text(f"The pool is frozen: {size} documents.")).to_be_visible()
    lines = fetch(olga, f"{base}pool/pool.tsv").splitlines()[1:]
    found = {
        (topic, docno, run, int(rank))
        for topic, docno, run, rank in (line.split("\t") for line in lines)
    }
    assert found == {
        (t, docno, tag, rank)
        for tag in RUNS
        for t in NUMBERS
        for rank, docno in enumerate(ranked(tag, t)[:DEPTH], 1)
    }
    return pooled


def ranked(tag: str, topic: str) -> list[str]:
    """The reference ranking: score descending, docno descending."""
    scores = {docno: 20 - rank // 2 for rank, docno in enumerate(RUNS[tag][topic], 1)}
    return sorted(sorted(scores, reverse=True), key=scores.get, reverse=True)


def fetch(page, address: str) -> str:
    return page.request.get(address).body().decode()


def judge(olga, assessors: dict, base: str, pooled: dict[str, list[str]]) -> dict:
    """Assign the topics and have both assessors judge everything they were given, by keyboard."""
    olga.goto(f"{base}judging/")
    olga.fill("#id_second_percent", "50")
    olga.get_by_role("button", name="Assign all topics").click()
    expect(olga.get_by_text("2 topics assigned.")).to_be_visible()
    labels = {}
    for name, page in assessors.items():
        page.goto(f"{base}judging/")
        addresses = [
            link.get_attribute("href") for link in page.locator(".inbox h3 a").all()
        ]
        for address in addresses:
            page.goto(address)
            labels |= judge_topic(page, name)
    primary = {
        (t, d) for (person, t, d) in labels if person == {"301": "ada", "302": "ben"}[t]
    }
    assert primary == {(t, d) for t, docnos in pooled.items() for d in docnos}
    return labels


def judge_topic(page, name: str) -> dict:
    labels = {}
    topic = page.locator(".judging-bar h1 .number").inner_text()
    body = page.inner_text("body")
    assert not re.search(r"\b(alpha|beta|Aldgate|Barbican)\b", body)
    shown = page.locator(".judging-document code")
    while shown.count():
        docno = shown.inner_text()
        labels[name, topic, docno] = grade_of(name, topic, docno)
        page.keyboard.press(str(labels[name, topic, docno]))
        expect(page.locator(".judging-toast")).to_contain_text(f"{docno}: grade")
    expect(page.get_by_text("Every document of this topic is judged")).to_be_visible()
    return labels


def check_scores_so_far(olga, ada, base: str, labels: dict) -> None:
    """They are trec_eval's of the primary grades, and follow one that is changed while the page is open."""
    olga.goto(f"{base}leaderboard/preliminary/")
    expect_board(olga, official(labels))
    topic, docno = "301", next(d for who, t, d in labels if (who, t) == ("ada", "301"))
    grade = 3 - labels["ada", topic, docno]
    ada.goto(f"{base}judging/")
    ada.locator(".inbox li", has_text=topic).get_by_role(
        "link", name="your documents"
    ).click()
    ada.get_by_role("link", name=docno, exact=True).click()
    expect(ada.locator(".judging-document code")).to_have_text(docno)
    ada.keyboard.press(str(grade))
    expect(ada.get_by_text("Every document of this topic is judged")).to_be_visible()
    labels["ada", topic, docno] = grade
    expect_board(olga, official(labels))


def expect_board(page, qrels: dict[str, dict[str, int]]) -> None:
    """The board shows trec_eval's figures for these grades, now or soon."""
    n_judged = sum(map(len, qrels.values()))
    caption = page.locator(".leaderboard caption")
    expect(caption).to_contain_text(f"{n_judged} judgments on 2 of 2 topics")
    for tag in RUNS:
        row = page.locator(".leaderboard tbody tr", has_text=tag)
        for column, value in enumerate(mean(reference(tag, qrels)), 3):
            expect(row.locator("td").nth(column)).to_have_text(f"{value:.4f}")


def official(labels: dict) -> dict[str, dict[str, int]]:
    """What the primary assessors said."""
    return {
        t: {
            d: grade
            for (person, topic, d), grade in labels.items()
            if topic == t and person == who
        }
        for t, who in (("301", "ada"), ("302", "ben"))
    }


def check_agreement(olga, base: str, labels: dict) -> None:
    """The page's kappa is the one statsmodels computes from the same labels."""
    both = [
        (t, d)
        for (person, t, d) in labels
        if person == "ada" and ("ben", t, d) in labels
    ]
    table = [[0] * 4 for _ in range(4)]
    for t, d in both:
        table[labels["ada", t, d]][labels["ben", t, d]] += 1
    expected = cohens_kappa(table).kappa
    assert 0 < expected < 1
    olga.goto(f"{base}agreement/")
    card = olga.get_by_label("As graded")
    expect(card.locator(".value")).to_have_text(f"{expected:.3f}")
    expect(card.locator("dd").first).to_have_text(str(len(both)))


def publish(olga, base: str, labels: dict) -> dict[str, dict[str, int]]:
    """Publish, download, and compare with what the primary assessors said."""
    qrels = official(labels)
    olga.goto(f"{base}qrels/")
    olga.get_by_role("button", name="Publish the next version").click()
    expect(olga.get_by_role("row", name=re.compile("^v1 "))).to_be_visible()
    expected = "".join(
        f"{t} 0 {d} {qrels[t][d]}\n" for t in NUMBERS for d in sorted(qrels[t])
    )
    assert fetch(olga, f"{base}qrels/1.txt") == expected
    return qrels


def check_leaderboard(olga, pat, base: str, qrels: dict) -> None:
    """Every number on the leaderboard, per topic and in the files is trec_eval's."""
    assert pat.request.get(f"{base}leaderboard/").status == 403
    olga.goto(f"{base}leaderboard/")
    olga.get_by_role("link", name="Score all valid runs").click()
    expect(olga.get_by_text("against qrels v1")).to_be_visible()
    olga.get_by_role("button", name="Score all valid runs").click()
    expect(olga.locator(".leaderboard")).to_be_visible(timeout=20000)
    expect(olga.locator(".leaderboard caption")).to_contain_text("qrels v1")
    expected = {tag: reference(tag, qrels) for tag in RUNS}
    for tag in RUNS:
        cells = (
            olga.locator(".leaderboard tbody tr", has_text=tag)
            .locator("td")
            .all_inner_texts()
        )
        assert cells[3:] == [f"{value:.4f}" for value in mean(expected[tag])], tag
    rows = list(
        csv.DictReader(io.StringIO(fetch(olga, f"{base}leaderboard/leaderboard.csv")))
    )
    assert [row["run"] for row in rows] == sorted(
        RUNS, key=lambda tag: -mean(expected[tag])[0]
    )
    for row in rows:
        assert [float(row[name]) for name in NAMES] == mean(expected[row["run"]])
    olga.goto(f"{base}settings/")
    olga.select_option("#id_visibility", "public")
    olga.get_by_role("button", name="Save the settings").click()
    expect(olga.get_by_text("The settings are saved.")).to_be_visible()
    check_run_scores(pat, base, expected["alpha"])


def check_run_scores(pat, base: str, expected: dict[str, list[float]]) -> None:
    pat.goto(f"{base}leaderboard/")
    pat.get_by_role("link", name="alpha").click()
    for topic in NUMBERS:
        cells = (
            pat.get_by_role("row", name=re.compile(f"^{topic} "))
            .locator("td")
            .all_inner_texts()
        )
        assert cells[1:] == [f"{value:.4f}" for value in expected[topic]]
    rows = list(csv.DictReader(io.StringIO(fetch(pat, pat.url.rstrip("/") + ".csv"))))
    assert [row["topic"] for row in rows] == [*NUMBERS, "all"]
    for row in rows[:2]:
        assert [float(row[name]) for name in NAMES] == expected[row["topic"]]


NAMES = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "R@1000", "Judged@10")
THEIRS = ("map", "ndcg_cut_10", "P_10", "recip_rank", "Rprec", "bpref", "recall_1000")


def reference(tag: str, qrels: dict) -> dict[str, list[float]]:
    """trec_eval's values by topic, in the order of NAMES; Judged@10 counted by hand."""
    run = {
        t: {d: 20.0 - rank // 2 for rank, d in enumerate(docnos, 1)}
        for t, docnos in RUNS[tag].items()
    }
    measures = {
        "map",
        "ndcg_cut.10",
        "P.10",
        "recip_rank",
        "Rprec",
        "bpref",
        "recall.1000",
    }
    values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    return {
        t: [
            *(values[t][name] for name in THEIRS),
            sum(d in qrels[t] for d in ranked(tag, t)[:10]) / 10,
        ]
        for t in NUMBERS
    }


def mean(by_topic: dict[str, list[float]]) -> list[float]:
    return [
        sum(column) / len(column) for column in zip(*by_topic.values(), strict=True)
    ]
