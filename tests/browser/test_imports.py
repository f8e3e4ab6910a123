"""Looking at a file before it is imported, importing it, and taking it back, in a browser."""

import pytest
from playwright.sync_api import expect

from collection.models.imports import Import
from collection.models.texts import Topic
from tests import make
from tests.browser.test_every_page import wrong_here

pytestmark = pytest.mark.browser


def test_topics_are_looked_at_imported_and_taken_back(pages, transactional_db, olga, pat, queued):
    campaign = make.campaign(olga, participants={"T": [pat]}, topics=["1", "2", "10"])
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})])
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/topics/")
    expect(page.locator("#topics tbody .number.place")).to_have_text(["1", "2", "10"])
    page.fill("#id_text", "1\tOther words\twhat is sought\n3\tA third topic\n")
    page.get_by_role("button", name="Preview the topics…").click()
    expect(page.get_by_text("Nothing has been written yet.")).to_be_visible()
    expect(page.get_by_role("region", name="Changes")).to_contain_text("Other words")
    assert wrong_here(page) == {}
    page.get_by_role("button", name="Import topics").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "1 topic that is pooled or judged would get another text."
    )
    pages.errors.clear()  # the refusal itself: a status of 422
    assert Topic.objects.get(number="1").title == "topic 1"
    page.get_by_label("Take the new texts as new versions").check()
    page.get_by_role("button", name="Import topics").click()
    expect(page.get_by_text("1 new, 1 changed, 0 unchanged.")).to_be_visible()
    page.get_by_role("link", name="All topics").click()
    page.get_by_role("link", name="Other words").click()
    page.get_by_text("Version 1, until").click()
    expect(page.get_by_role("heading", name="topic 1", exact=True)).to_be_visible()
    assert wrong_here(page, turn=1) == {}
    page.go_back()
    page.get_by_role("link", name="pasted text").click()
    page.get_by_role("button", name="Undo the import").click()
    expect(page.get_by_text("A worker undoes the import.")).to_be_visible()
    make.worked("undo_import", Import.objects.get().pk)
    expect(page.get_by_text("Undone: 1 deleted, 1 put back.")).to_be_visible()
    assert Topic.objects.get(number="1").title == "topic 1"
