"""Tables and boards: sorted, filtered, in pages and on a phone."""

import re

import pytest
from playwright.sync_api import expect

from evaluation.models.scores import Score
from tests import make
from tests.web.growth import again

pytestmark = pytest.mark.browser


def test_a_long_table_on_a_phone_whole_and_in_pages(pages, assignment, olga, pat, monkeypatch):
    campaign = assignment.topic.campaign
    for number in range(25):
        make.submitted(campaign, pat, "x", f"run-{number:02d}")
    campaign.run_set.update(state="valid")  # or the page asks until they are checked
    page = pages(olga, width=390, height=844)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    rows, more = page.locator("#run-list tbody tr:visible"), page.locator(".more")
    sort, find = page.get_by_label("Sort by"), page.get_by_placeholder("Filter by tag or team")
    expect(rows).to_have_count(15)
    expect(more).to_have_text("Show 11 more")
    # What is chosen is said, stays, has two directions, and can be taken back.
    expect(sort.locator("option:checked")).to_have_text(re.compile("Uploaded"))
    sort.select_option("Run")
    page.get_by_label("Highest first").click()
    expect(page.get_by_label("Lowest first")).to_be_visible()
    page.reload()
    expect(sort).to_have_js_property("selectedIndex", 1)
    expect(rows.first).to_contain_text("run-24")
    sort.select_option("default order")
    expect(page).not_to_have_url(re.compile("sort"))
    # What a filter finds is shown whole, and what it does not find is said.
    find.fill("run-")
    expect(rows).to_have_count(25)
    expect(more).to_be_hidden()
    find.fill("nowhere")
    expect(page.locator("#run-list")).to_be_hidden()
    expect(page.get_by_text("None of the 26 rows matches.")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(rows).to_have_count(15)
    more.click()
    expect(rows).to_have_count(26)
    page.reload()
    expect(rows).to_have_count(26)
    # In pages, one link turns to the next as they are sorted.
    monkeypatch.setattr("campaigns.web.frame.PER_PAGE", 2)
    page.goto(f"/campaigns/{campaign.slug}/runs/?page=2")
    sort.select_option("Run")
    expect(rows.first).to_contain_text("one")
    page.get_by_label("Highest first").click()
    expect(rows.first).to_contain_text("run-24")
    page.get_by_role("link", name="Next").click()
    expect(rows.first).to_contain_text("run-22")
    sort.select_option("default order")
    expect(rows.first).to_contain_text("run-24")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("link", name="Run", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Run")
    expect(page.locator("#run-list [data-sorted]").first).to_contain_text("one")


def test_tables_are_sorted_filtered_and_their_columns_chosen(pages, base, olga):
    score = Score.objects.earliest("pk")
    for n in range(20):
        again(score, run=again(score.run, tag=f"more-{n}"))
    page = pages(olga)
    page.goto(base + "judging/")
    column = page.locator("#assignments tbody td:nth-child(3)")
    kind = page.get_by_role("link", name=re.compile(r"^As\b"))
    for way, kinds in (("ascending", ["primary", "second"]), ("descending", ["second", "primary"])):
        kind.click()
        expect(page.locator(f"th[aria-sort={way}]")).to_have_text("As")
        expect(column).to_have_text(kinds)
    # A table beside it is sorted too, and the address keeps both.
    page.locator("#people").get_by_role("link", name="Judged").click()
    expect(page.locator("#people th[aria-sort]")).to_have_count(1)
    page.reload()
    expect(page.locator("th[aria-sort]")).to_have_text(["Judged", "As"])
    # A filter stays when another measure sorts the board.
    page.goto(base + "leaderboard/")
    shown = page.locator(".leaderboard tbody tr:not([data-hidden])")
    page.get_by_placeholder("Filter runs and teams").fill("more-1")
    expect(shown).to_have_count(11)
    page.get_by_role("link", name="P@10", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("P@10")
    expect(shown).to_have_count(11)
    expect(page.get_by_placeholder("Filter runs and teams")).to_have_value("more-1")
    # All columns are left out at once, and the menu closes.
    menu, measure = page.locator("details.choose"), page.locator("#board thead th.number")
    menu.locator("summary").click()
    menu.get_by_role("button", name="None").click()
    expect(measure.first).to_be_hidden()
    page.reload()
    expect(measure.first).to_be_hidden()  # remembered on the device
    menu.locator("summary").click()
    menu.get_by_role("button", name="All").click()
    expect(measure.first).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(menu.get_by_role("button", name="All")).to_be_hidden()
    menu.locator("summary").click()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("button", name="All")).to_be_hidden()


def test_classes_of_a_long_board_are_folded_and_what_a_filter_finds_is_not(pages, base, olga):
    score = Score.objects.earliest("pk")
    n_measures = len(score.evaluation.measures)
    for n in range(45):
        standing = [0.1, 0.5, *((1, 20, 1) if n < 10 else (11, 47, 2))]
        aggregates = [0.9 - n / 100] * n_measures
        more = again(score.run, tag=f"more-{n:02d}")
        again(score, run=more, aggregates=aggregates, standings=[standing] * n_measures)
    page = pages(olga)
    page.goto(base + "leaderboard/")
    rows = page.locator("#board tbody tr:not(.class-line):visible")
    n_all = score.evaluation.scores.count()
    expect(rows).to_have_count(10)
    expect(page.locator(".class-line")).to_have_count(2)
    page.get_by_role("link", name=f"Show {n_all - 10} rows").click()
    expect(rows).to_have_count(n_all)
    page.reload()
    expect(rows).to_have_count(n_all)
    page.get_by_role("link", name="Fold").click()
    expect(rows).to_have_count(10)
    page.get_by_placeholder("Filter runs and teams").fill("more-4")
    expect(rows).to_have_count(5)
    page.get_by_placeholder("Filter runs and teams").fill("")
    page.get_by_role("button", name="Class A").click()
    expect(rows).to_have_count(10)
