"""Choosing a batch of the pool: another strategy keeps what was chosen and typed beside it."""

import pytest
from playwright.sync_api import expect

from tests import make

pytestmark = pytest.mark.browser


@pytest.fixture
def choosing(pages, assignment, olga, pat):
    campaign = assignment.topic.campaign
    make.run(campaign, pat, {"1": "d01 d02 d03"}, "two")
    make.forecast(campaign)
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/pool/")
    yield page
    # What is chosen anew takes the place of the request before it.
    pages.errors[:] = [each for each in pages.errors if not each.startswith("htmx:")]


def test_another_strategy_leaves_runs_tools_and_values(choosing):
    runs, strategy = choosing.locator("[name=runs]:checked"), choosing.get_by_label("Strategy")
    choosing.get_by_role("button", name="All shown").click()
    choosing.get_by_label("Hours a week").fill("9")
    strategy.select_option("best-rank")
    expect(choosing.locator("[name=n]")).to_be_visible()
    strategy.select_option("by-hand")
    named = choosing.locator("textarea[name=documents]")
    expect(named).to_be_visible()
    expect(choosing.get_by_placeholder("Run or team")).to_be_hidden()
    expect(choosing.get_by_text("No run is read")).to_be_visible()
    expect(choosing.locator("#forecast")).to_be_hidden()
    named.fill("1 d09 known\n" * 900)  # longer than an address may be
    strategy.select_option("depth")
    expect(named).to_have_count(0)
    expect(choosing.get_by_text("Documents to judge, by depth")).to_be_visible()
    expect(runs).to_have_count(2)
    expect(choosing.get_by_label("Hours a week")).to_have_value("9")
    # The tools work as they did.
    build = choosing.get_by_role("button", name="Build a draft")
    choosing.get_by_role("button", name="Invert shown").click()
    expect(runs).to_have_count(0)
    expect(choosing.locator("[data-chooser-count]")).to_have_text("0 of 2 chosen")
    expect(build).to_be_disabled()
    strategy.select_option("by-hand")  # needs no run
    named.fill("1 d09 a known item")
    expect(build).to_be_enabled()
    strategy.select_option("depth")
    expect(named).to_have_count(0)
    choosing.get_by_placeholder("Run or team").fill("two")
    choosing.get_by_role("button", name="All shown").click()
    expect(runs).to_have_count(1)
