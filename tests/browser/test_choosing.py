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
    choosing.get_by_role("button", name="Invert shown").click()
    expect(runs).to_have_count(0)
    expect(choosing.locator("[data-chooser-count]")).to_have_text("0 of 2 chosen")
    expect(choosing.get_by_role("button", name="Build a draft")).to_be_disabled()
    choosing.get_by_placeholder("Run or team").fill("two")
    choosing.get_by_role("button", name="All shown").click()
    expect(runs).to_have_count(1)
    slider, depth = choosing.get_by_role("slider"), choosing.locator("[name=depth]")
    slider.fill("3")
    expect(depth).to_have_value("3")
    depth.fill("7")
    expect(slider).to_have_value("7")


def test_documents_by_hand_need_no_run(choosing):
    choosing.get_by_role("button", name="None shown").click()
    build = choosing.get_by_role("button", name="Build a draft")
    expect(build).to_be_disabled()
    choosing.get_by_label("Strategy").select_option("by-hand")
    choosing.locator("textarea[name=documents]").fill("1 d09 a known item")
    expect(build).to_be_enabled()
    build.click()
    expect(choosing.get_by_role("heading", level=1)).to_have_text("The draft is being built")
