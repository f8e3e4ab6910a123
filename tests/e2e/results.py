"""What comes of the judgments: agreement, qrels and scores, on the pages and in the files."""

import csv
import io
import re
from collections import Counter

from playwright.sync_api import expect

from tests.e2e.material import NAMES, NUMBERS, RUNS, mean, official, reference
from tests.onscreen import shown


def fetch(page, address: str) -> str:
    return page.request.get(address).body().decode()


def check_scores_so_far(olga, assessors: dict, base: str, labels: dict, primary: dict) -> None:
    """They are trec_eval's of the primary grades, and follow one that is changed meanwhile."""
    olga.goto(f"{base}leaderboard/preliminary/")
    expect_board(olga, official(labels, primary))
    topic, who = "301", primary["301"]
    docno = next(d for person, t, d in labels if (person, t) == (who, topic))
    grade = 3 - labels[who, topic, docno]
    page = assessors[who]
    page.goto(f"{base}judging/")
    page.locator(".inbox-topics li", has_text=topic).get_by_role(
        "link", name="your documents"
    ).click()
    page.get_by_role("link", name=docno, exact=True).click()
    expect(shown(page)).to_have_text(docno)
    page.keyboard.press(str(grade))
    expect(page.get_by_role("heading", name="Done, ")).to_be_visible()
    labels[who, topic, docno] = grade
    expect_board(olga, official(labels, primary))


def expect_board(page, qrels: dict[str, dict[str, int]]) -> None:
    """The board shows trec_eval's figures for these grades, now or soon."""
    n_judged = sum(map(len, qrels.values()))
    caption = page.locator(".leaderboard caption")
    expect(caption).to_contain_text(f"{n_judged} judgments on 2 of 2 topics")
    for tag in RUNS:
        row = page.locator(".leaderboard tbody tr", has_text=tag)
        for column, text in enumerate(figures(mean(reference(tag, qrels))), 2):
            marked = re.compile(rf"^\s*(◇ )?{re.escape(text)}\s*$")
            expect(row.locator("td").nth(column)).to_have_text(marked)


def figures(values: list[float]) -> list[str]:
    """Measures as pages write them, without marks: three decimals, the last one's share of judged
    documents as a percentage.
    """
    *scores, judged = values
    return [*(f"{value:.3f}" for value in scores), f"{100 * judged:.0f}\N{NO-BREAK SPACE}%"]


def check_agreement(olga, base: str, labels: dict) -> None:
    """The page's weighted kappa is what comes of the same labels by hand."""
    pairs = [
        (grade, labels["ben", topic, docno])
        for (person, topic, docno), grade in labels.items()
        if person == "ada" and ("ben", topic, docno) in labels
    ]
    n, (adas, bens) = len(pairs), map(Counter, zip(*pairs, strict=True))
    observed = sum((one - other) ** 2 for one, other in pairs) / n
    by_chance = sum(adas[a] * bens[b] * (a - b) ** 2 for a in adas for b in bens) / n**2
    kappa = 1 - observed / by_chance
    assert 0 < kappa < 1
    olga.goto(f"{base}agreement/")
    card = olga.get_by_label("As graded")
    expect(card.locator(".value")).to_have_text(f"{kappa:.2f}")
    expect(card).to_contain_text(f"of {n} documents")


def publish(olga, base: str, qrels: dict[str, dict[str, int]]) -> None:
    """Publish, download, and compare with what the primary assessors said."""
    olga.goto(f"{base}qrels/")
    olga.get_by_role("button", name="Publish the first version").click()
    expect(olga.get_by_role("row", name=re.compile("^v1 "))).to_be_visible()
    expected = "".join(f"{t} 0 {d} {qrels[t][d]}\n" for t in NUMBERS for d in sorted(qrels[t]))
    assert fetch(olga, f"{base}qrels/1.txt") == expected


def check_leaderboard(olga, pat, base: str, qrels: dict) -> None:
    """Every number on the leaderboard, per topic and in the files is trec_eval's."""
    assert pat.request.get(f"{base}leaderboard/").status == 403
    olga.goto(f"{base}leaderboard/")
    olga.get_by_role("link", name="Score the runs").click()
    expect(olga.get_by_text("against qrels v1")).to_be_visible()
    olga.get_by_role("button", name="Score the runs").click()
    expect(olga.locator(".leaderboard")).to_be_visible()
    expect(olga.locator(".conditions")).to_contain_text("qrels v1")
    expected = {tag: reference(tag, qrels) for tag in RUNS}
    for tag in RUNS:
        cells = olga.locator(".leaderboard tbody tr", has_text=tag).locator("td").all_inner_texts()
        shown = [each.removeprefix("◇ ") for each in cells[2:]]
        assert shown == figures(mean(expected[tag])), tag
    rows = list(csv.DictReader(io.StringIO(fetch(olga, f"{base}leaderboard/leaderboard.csv"))))
    assert [row["run"] for row in rows] == sorted(RUNS, key=lambda tag: -mean(expected[tag])[0])
    for row in rows:
        assert [float(row[name]) for name in NAMES] == mean(expected[row["run"]])
    olga.get_by_role("link", name="Release these scores…").click()
    olga.get_by_label("Everybody, also without signing in").check()
    olga.get_by_role("button", name="Release", exact=True).click()
    expect(olga.get_by_text("Scores against qrels v1 are released to everybody.")).to_be_visible()
    check_run_scores(pat, base, expected["alpha"])


def check_run_scores(pat, base: str, expected: dict[str, list[float]]) -> None:
    pat.goto(f"{base}leaderboard/")
    pat.get_by_role("link", name="alpha").click()
    pat.get_by_text("Every measure on every topic").click()
    for topic in NUMBERS:
        row = pat.locator("#values").get_by_role("row", name=re.compile(f"^{topic} "))
        expect(row).to_be_visible()
        assert row.locator("td").all_inner_texts()[1:] == figures(expected[topic])
    file = pat.locator('a[href*="leaderboard/"][href$=".csv"]').first.get_attribute("href")
    rows = list(csv.DictReader(io.StringIO(fetch(pat, file))))
    assert [row["topic"] for row in rows] == [*NUMBERS, "all"]
    for row in rows[:2]:
        assert [float(row[name]) for name in NAMES] == expected[row["topic"]]
