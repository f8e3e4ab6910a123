"""Extending the pool: the recipe, the runs and the forecast that follows every choice."""

import pytest
from playwright.sync_api import expect

from tests import make
from tests.browser.sight import barriers, faults
from tests.worlds import once

pytestmark = pytest.mark.browser


@pytest.fixture
@once
def address(assignment, pat):
    campaign = assignment.topic.campaign
    make.run(campaign, pat, {"1": "d01 d02 d91 d92"}, "two")
    make.forecast(campaign)
    return f"/campaigns/{campaign.slug}/pool/extend/"


@pytest.fixture
def choosing(pages, address, olga):
    page = pages(olga)
    page.goto(address)
    return page


def test_another_strategy_leaves_runs_tools_and_values(choosing):
    runs = choosing.locator("[name=runs]:checked")
    choosing.get_by_role("button", name="All", exact=True).click()
    choosing.get_by_label("Hours a week").fill("9")
    depth = choosing.get_by_label("Depth k").first
    depth.fill("7")
    choosing.get_by_label("Fixed number, by best rank").check()
    expect(choosing.locator("[name=best-rank-n]")).to_be_visible()
    expect(depth).to_be_hidden()
    choosing.get_by_label("Documents by hand").check()
    named = choosing.locator("[name=by-hand-documents]")
    expect(named).to_be_visible()
    expect(choosing.get_by_placeholder("Filter runs and teams")).to_be_hidden()
    expect(choosing.locator("#answer")).to_contain_text("No run is read")
    named.fill("1 d09 known\n" * 900)  # longer than an address may be
    choosing.get_by_label("Depth-k").check()
    expect(named).to_be_hidden()
    expect(depth).to_have_value("7")
    expect(choosing.locator("#forecast figure")).to_be_visible()
    expect(runs).to_have_count(2)
    expect(choosing.get_by_label("Hours a week")).to_have_value("9")
    # A recipe that reads no run needs none.
    build = choosing.get_by_role("button", name="Build a draft")
    choosing.get_by_role("button", name="None").click()
    expect(choosing.locator("[data-chooser-count]")).to_have_text("0 of 2")
    expect(build).to_be_disabled()
    choosing.get_by_label("Documents by hand").check()
    expect(build).to_be_enabled()
    choosing.get_by_label("Depth-k").check()
    expect(build).to_be_disabled()


def test_a_team_is_chosen_by_its_box_a_filter_and_what_is_not_pooled_yet(choosing):
    line, unpooled = choosing.locator(".team"), choosing.get_by_label("two", exact=True)
    whole = line.get_by_label("All runs of")
    not_pooled = choosing.get_by_role("button", name="Not pooled yet")
    expect(not_pooled).to_have_attribute("aria-pressed", "true")
    expect(unpooled).to_be_checked()
    assert whole.evaluate("each => each.indeterminate")
    expect(line).to_contain_text("1 of 2")
    expect(choosing.locator("h1")).to_contain_text("2 more documents, all judged by")
    expect(line.locator(".brings")).to_have_text("+2")
    whole.click()
    expect(choosing.locator("[name=runs]:checked")).to_have_count(2)
    expect(line.locator("[data-on]")).to_have_count(2)
    expect(not_pooled).to_have_attribute("aria-pressed", "false")
    expect(choosing.locator(".lead")).to_contain_text("All 2 runs to depth")
    whole.click()
    expect(line).to_contain_text("0 of 2")
    expect(choosing.locator("#answer")).to_contain_text("Choose at least one run.")
    choosing.get_by_placeholder("Filter runs and teams").fill("tw")
    expect(choosing.locator("[data-chooser-count]")).to_have_text("0 of 2, 1 not shown")
    choosing.get_by_role("button", name="All", exact=True).click()
    expect(choosing.locator("[name=runs]:checked")).to_have_count(1)
    expect(choosing.locator("h1")).to_contain_text("2 more documents, all judged by")


def test_a_draft_is_built_by_keys_alone(choosing):
    expect(choosing.locator("h1")).to_contain_text("2 more documents")
    press = choosing.keyboard.press
    choosing.get_by_label("Depth-k").focus()
    press("ArrowDown")
    expect(choosing.get_by_label("A depth for each run")).to_be_checked()
    press("ArrowUp")
    press("Tab")
    expect(choosing.get_by_label("Depth k").first).to_be_focused()
    press("Control+a")
    choosing.keyboard.type("3")
    choosing.get_by_label("All runs of").focus()
    expect(choosing.locator("h1")).to_contain_text("1 more document, all judged by")
    press("Tab")  # the line of the team
    press("Enter")
    expect(choosing.locator(".pills")).to_be_hidden()
    press("Enter")
    press("Tab")
    press("Space")  # the run that is pooled
    expect(choosing.locator("[name=runs]:checked")).to_have_count(2)
    build = choosing.get_by_role("button", name="Build a draft")
    build.focus()
    with choosing.expect_response("**/forecast/"):
        choosing.get_by_label("People").dispatch_event("change")
    expect(build).to_be_focused()  # the figures change, the button stays
    press("Enter")
    expect(choosing.locator("h1")).to_contain_text("draft")


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (390, "dark"),
        pytest.param(1280, "dark", marks=pytest.mark.deep),
        pytest.param(390, "light", marks=pytest.mark.deep),
    ],
)
def test_the_page_is_in_order_with_every_recipe(pages, address, olga, width, scheme):
    page = pages(olga, width=width, height=844, color_scheme=scheme)
    page.goto(address)
    expect(page.locator("h1")).to_contain_text("2 more documents")
    for name in ("Stratified sample", "Adaptive (max-mean)", "Documents by hand", "Depth-k"):
        page.get_by_label(name).check()
        assert faults(page) == []
    page.get_by_text("Counting").click()
    assert faults(page) == []
    assert barriers(page) == []


def test_on_a_phone_the_answer_and_the_button_stay_in_sight(pages, address, olga):
    page = pages(olga, width=390, height=844)
    page.goto(address)
    build, bar = page.get_by_role("button", name="Build a draft"), page.locator("#in-short")
    for _ in range(3):
        expect(build).to_be_in_viewport()
        expect(bar).to_be_in_viewport()
        page.mouse.wheel(0, 900)
    expect(bar).to_contain_text("2 new documents")
    order = page.evaluate(
        """['.recipes', '.teams', '#counting', '#forecast']
          .map((each) => document.querySelector(each).getBoundingClientRect().top)"""
    )
    assert order == sorted(order), "the forecast comes last"
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    last, top = page.locator(".what-if").bounding_box(), page.locator(".build").bounding_box()
    assert last["y"] + last["height"] <= top["y"], "nothing is below the bar at the end"


def test_without_script_all_is_there(pages, address, olga):
    page = pages(olga, java_script_enabled=False)
    page.goto(address)
    page.get_by_label("Fixed number, by fusion").check()
    expect(page.locator("[name=rrf-n]")).to_be_visible()
    expect(page.locator("[name=depth-depth]")).to_be_hidden()
    page.get_by_role("button", name="Build a draft").click()
    expect(page.locator("h1")).to_contain_text("draft")
