"""Grades and criteria are edited in rows: with and without script, by keys, on a phone."""

import pytest
from playwright.sync_api import expect

from campaigns.core.grades import Grade
from campaigns.models.campaign import Campaign, default_criteria
from tests.asked import criterion, graded_by
from tests.browser.conftest import forgive_requests
from tests.browser.sight import barriers, faults

pytestmark = pytest.mark.browser


def save(page) -> None:
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()


def values(page, name: str) -> list[str]:
    return [each.input_value() for each in page.get_by_label(name, exact=True).all()]


def test_the_scale_is_edited_in_rows(pages, transactional_db, olga):
    page = pages(olga)
    page.goto("/campaigns/new/")
    page.fill("#id_name", "Mine")
    page.get_by_label("Relevant from grade").fill("3")
    page.get_by_role("button", name="0 to 2").click()
    expect(page.get_by_label("Relevant from grade")).to_have_value("1")
    chosen = page.locator(".segments [aria-pressed=true]")
    expect(chosen).to_have_text("0 to 2")
    assert values(page, "Value") == ["0", "1", "2"]
    page.get_by_label("Description", exact=True).nth(2).fill("Answers it | all of it")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # a further grade
    expect(page.get_by_label("Value").nth(3)).to_be_focused()
    assert values(page, "Value") == ["0", "1", "2", "3"]
    expect(page.locator(".grade[data-grade='3'] .swatch")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.type("perfect")
    expect(page.get_by_role("button", name="Remove 3 perfect")).to_be_visible()
    page.get_by_role("button", name="Remove 1 relevant", exact=True).click()
    expect(page.get_by_label("Value").nth(1)).to_be_focused()
    expect(chosen).to_have_count(0)
    page.get_by_label("Relevant from grade").fill("3")
    page.get_by_role("button", name="Create the campaign").click()
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_url("**/campaigns/mine/")
    campaign = Campaign.objects.get()
    assert campaign.scale.grades == (
        Grade(0, "not relevant"),
        Grade(2, "highly relevant", "Answers it | all of it"),
        Grade(3, "perfect"),
    )
    assert campaign.level == 3


@pytest.mark.parametrize("has_script", [True, False])
def test_criteria_are_rows_with_fields(pages, campaign, olga, has_script):
    page = pages(olga, width=390, height=844, java_script_enabled=has_script)
    page.goto(f"/campaigns/{campaign.slug}/settings/grades/")
    if has_script:
        page.get_by_role("button", name="Add a criterion").click()
        expect(page.get_by_label("Name")).to_be_focused()
    page.get_by_label("Name").fill("trust")
    page.get_by_label("Question").fill("Do you trust it?")
    rows = page.locator(".criterion .row[data-row]")
    for n, label in enumerate(("no", "yes")):
        rows.nth(n).get_by_label("Value").fill(str(n))
        rows.nth(n).get_by_label("Label").fill(label)
    page.get_by_label("Asked from grade").fill("9")
    page.get_by_role("button", name="Save the settings").click()
    fault = page.locator(".criterion .field .errors")
    expect(fault).to_have_text("It is not a grade of the scale: 0, 1, 2, 3.")
    page.get_by_label("Asked from grade").first.fill("2")
    if has_script:
        page.get_by_role("button", name="Add an answer").click()
        rows.nth(2).get_by_label("Label").fill("fully")
    save(page)
    campaign.refresh_from_db()
    labels = ["no", "yes", "fully"] if has_script else ["no", "yes"]
    assert campaign.criteria[1:] == [criterion("trust", "Do you trust it?", labels, from_grade=2)]
    if has_script:
        page.get_by_role("button", name="Remove trust", exact=True).click()
        expect(page.get_by_role("button", name="Add a criterion")).to_be_focused()
        save(page)
        campaign.refresh_from_db()
        assert campaign.criteria == default_criteria()
    forgive_requests(pages)  # the refused one


@pytest.mark.parametrize("has_script", [True, False])
def test_what_was_answered_is_text_that_wraps_and_what_was_not_can_go(
    pages, assignment, olga, has_script
):
    campaign, long = (
        assignment.topic.campaign,
        "a label of sixty characters that no column of a row can hold",
    )
    style = criterion("style", "Good?", ("no", "yes"))
    campaign.criteria = graded_by({0: "not relevant", 1: long}, 1, style)
    campaign.has_fixed_scale = True
    campaign.save()
    page = pages(olga, java_script_enabled=has_script)
    page.goto(f"/campaigns/{campaign.slug}/settings/grades/")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert (faults(page), barriers(page) if has_script else []) == ([], [])
        expect(page.get_by_text(long)).to_be_visible()
    grades = page.get_by_role("group", name="Grades")
    expect(grades.get_by_label("Label")).to_have_count(0)
    expect(grades.get_by_label("Description")).to_have_count(2)
    expect(page.get_by_role("button", name="Add a grade")).to_have_count(0)
    assert values(page, "Label")[:2] == ["no", "yes"]
    if has_script:
        expect(grades.get_by_role("button", name="Remove")).to_have_count(0)
        page.get_by_role("button", name="Remove style", exact=True).click()
    else:
        for name in ("Name", "Question"):
            page.get_by_label(name, exact=True).first.fill("")
        for name in ("Value", "Label"):
            for n in range(2):
                page.get_by_label(name, exact=True).nth(n).fill("")
    save(page)
    campaign.refresh_from_db()
    assert campaign.criteria == graded_by({0: "not relevant", 1: long})
