# ruff: noqa: RUF001, RUF003 - letters of many languages, and the × of a button
"""Highlighted words on the judging page: which, how often, and the reader's own."""

import re

import pytest
from playwright.sync_api import expect

from campaigns.services.ending import archive_campaign
from desk.models import TopicWord
from tests.browser.conftest import address, opened, served
from tests.browser.outbox import keeps
from tests.browser.sight import barriers
from tests.onscreen import shown

TEXT = (
    "Trees cooled the streets at night.\n\nA tree-lined street: street trees, canopy, canopies. "
    "Street. Trees."
)
# The text of every highlight, as it lies in the page, by its name.
MARKED = """() => Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name,
  [...ranges].map((each) => {
  const range = document.createRange();
  range.setStart(each.startContainer, each.startOffset);
  range.setEnd(each.endContainer, each.endOffset);
  const isInside = each.startContainer.parentElement.closest(".judging-document");
  return isInside ? String(range) : `elsewhere: ${range}`;
})]))"""
TOPICAL = {"words-rare", "words-topic", "words-common"}
IN_VIEW = """() => {
  const [hit] = CSS.highlights.get("words-hit");
  const article = document.querySelector("article").getBoundingClientRect();
  const range = document.createRange();
  range.setStart(hit.startContainer, hit.startOffset);
  range.setEnd(hit.endContainer, hit.endOffset);
  const box = range.getBoundingClientRect();
  return box.top > article.top && box.bottom < article.bottom;
}"""


@pytest.fixture
def page(pages, assignment, ada):
    return pages(ada)


def about(assignment, title, description="", text=TEXT, **values):
    topic = assignment.topic
    topic.title, topic.description = title, description
    topic.save()
    topic.campaign.document_set.update(text=text, **values)


def chips(page):
    return page.locator("#words li:has([data-n])")


def in_document(page, name=None) -> list[str]:
    """What a highlight marks, in small letters; without a name those of the topic's words."""
    marked = page.evaluate(MARKED)
    names = [name] if name else sorted(TOPICAL & marked.keys())
    return [each.lower() for one in names for each in marked.get(one, [])]


def add(page, *texts: str) -> None:
    for text in texts:
        if not page.locator("#own-word").is_visible():
            page.keyboard.press("w")
        page.locator("#own-word").fill(text)
        page.keyboard.press("Enter")


def leave(page) -> None:
    page.locator("#own-word").press("Escape")
    expect(page.locator("article.judging-document")).to_be_focused()


def all_saved(page) -> None:
    expect(page.locator("#words [data-unsaved]")).to_have_count(0)
    expect(page.locator(".words-said")).to_be_hidden()


def test_topic_words_are_marked_on_every_document_and_can_be_switched_off(page, assignment):
    order = served(assignment)
    about(assignment, "Street trees", "What cools at night?")
    opened(page, assignment)
    counts = ["Street 4", "trees 4", "cools 1", "night 1"]
    words = ["cooled", "night", *["street"] * 3, "streets", "tree", *["trees"] * 3]
    expect(chips(page)).to_have_text(counts)
    before = page.locator(".document-text").inner_html().strip()
    assert sorted(in_document(page)) == words
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(chips(page)).to_have_text(counts)
    assert sorted(in_document(page)) == words
    assert page.locator(".document-text").inner_html().strip() == before
    assert page.locator("#words-rail rect").count() >= 2
    # The next documents have their words before they are needed.
    page.wait_for_function(
        "(n) => performance.getEntriesByType('resource').filter((each) => "
        "each.name.includes('/words/?version=')).length >= n",
        arg=5,
    )
    page.context.set_offline(True)
    for number in (2, 3, 4):
        page.keyboard.press("n")
        expect(shown(page)).to_have_text(order[number])
        expect(chips(page)).to_have_text(counts)
        assert sorted(in_document(page)) == words
    page.context.set_offline(False)
    chip = chips(page).get_by_role("button", name="Street")
    expect(chip).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/words/"):
        chip.click()
    for _ in range(2):
        expect(chip).to_have_attribute("aria-pressed", "false")
        expect(chips(page)).to_have_text(counts)
        assert sorted(in_document(page)) == ["cooled", "night", "tree", *["trees"] * 3]
        opened(page, assignment)
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text("1 of 6, trees")
    page.add_init_script("delete window.Highlight")
    opened(page, assignment)
    expect(chips(page)).to_have_text(counts)
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text("1 of 6, trees")


def test_keys_go_from_hit_to_hit_while_the_topic_is_folded_away_too(page, assignment):
    shade = "Shade.\n\n" * 400
    about(assignment, "canopy", text=f"{shade}A canopy.\n\n{shade}Two canopies.")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["canopy 2"])
    page.keyboard.press("t")
    expect(page.locator("#topic")).to_have_attribute("data-folded", "")
    expect(page.locator("#topic")).to_be_hidden()
    for key, said in (("h", "1 of 2"), ("h", "2 of 2"), ("h", "1 of 2"), ("g", "2 of 2")):
        page.keyboard.press(key)
        expect(page.locator("#live")).to_have_text(f"{said}, canopy")
        expect(page.locator(".words-place")).to_have_text(said)
        expect(page.locator("article.judging-document")).to_be_focused()
        page.wait_for_function(IN_VIEW)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(served(assignment)[1])
    assert "words-hit" not in page.evaluate(MARKED)
    page.keyboard.press("w")
    expect(page.locator("#own-word")).to_be_focused()
    expect(page.locator("#topic")).not_to_have_attribute("data-folded", "")


def test_own_words_are_marked_in_their_own_way_removed_and_read_in_an_archive(
    page, assignment, olga
):
    about(assignment, "night trees")
    opened(page, assignment)
    said = page.locator(".words-said")
    add(page, "canop*", "Street TREES", "lined")
    # What is the topic's word too counts once, as one's own.
    own = ["canop* 2×", "Street TREES 1×", "lined 1×", "tree 1×"]
    add(page, "tree")
    expect(chips(page)).to_have_text(["night 1", "trees 3", *own])
    marks = {name: in_document(page, f"words-{name}") for name in (1, 2, 3)}
    assert marks == {1: ["canopy", "canopies"], 2: ["street trees"], 3: ["lined"]}
    for text, sentence in (
        ("CANOP*", "CANOP* is among your words already."),
        ("canop.*y", "Not saved. canop.*y: A * stands at the end only, for any ending."),
    ):
        add(page, text)
        expect(said).to_have_text(sentence)
    expect(chips(page)).to_have_text(["night 1", "trees 3", *own])
    leave(page)
    all_saved(page)
    with page.expect_response("**/words/"):
        page.get_by_role("button", name="Remove Street TREES").click()
    own.remove("Street TREES 1×")
    expect(chips(page)).to_have_text(["night 1", "trees 3", *own])
    expect(page.locator("article.judging-document")).to_be_focused()
    assert "words-2" not in page.evaluate(MARKED)
    kept = TopicWord.objects.order_by("pk").values_list("text", "mark")
    assert list(kept) == [("canop*", 1), ("lined", 3), ("tree", 4)]
    add(page, "cooled", "streets")
    expect(chips(page)).to_have_count(7)
    all_saved(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert not barriers(page)
    archive_campaign(user=olga, campaign=assignment.topic.campaign)
    page.goto(f"{address(assignment)}?number=2")
    expect(chips(page).nth(2)).to_have_text("canop* 2")
    expect(chips(page).first.get_by_role("button")).to_be_disabled()
    assert in_document(page, "words-1") == ["canopy", "canopies"]
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text(re.compile("^1 of [0-9]+, "))
    page.keyboard.press("w")
    expect(page.locator("#own-word")).to_have_count(0)


def test_a_word_added_offline_is_kept_and_saved_once(page, assignment):
    about(assignment, "night")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["night 1"])
    page.context.set_offline(True)
    add(page, "canopy")
    expect(chips(page).last).to_have_text("canopy 1×")
    expect(page.locator(".words-said")).to_contain_text("not yet saved")
    leave(page)
    keeps(page, "words", 1)
    assert not TopicWord.objects.exists()
    page.context.set_offline(False)
    opened(page, assignment)  # which takes up what was left
    expect(chips(page).last).to_have_text("canopy 1×")
    all_saved(page)
    assert TopicWord.objects.get().text == "canopy"


def test_each_part_of_a_long_text_is_marked_by_its_own_forms(page, assignment):
    """Of a later part, and of the first once more when the document comes back."""
    order = served(assignment)
    about(assignment, "canopy 街道", text="No shade.")
    end = "Two canopies, a CANOPY. 街道旁"
    text = "A Canopy.\n\n" + f"{'A line of words. ' * 100}\n\n" * 160 + end
    assignment.topic.campaign.document_set.filter(docno=order[0]).update(text=text)
    opened(page, assignment)
    add(page, "two")
    leave(page)
    for _ in range(2):
        expect(chips(page)).to_have_text(["canopy 3", "街道 1", "two 1×"])
        assert in_document(page) == ["canopy", "canopies", "canopy", "街道"]
        page.keyboard.press("n")
        expect(shown(page)).to_have_text(order[1])
        page.keyboard.press("p")
        expect(shown(page)).to_have_text(order[0])


def test_rare_words_shout_common_ones_whisper_and_those_not_here_are_folded_away(page, assignment):
    order = served(assignment)
    about(assignment, "Street trees", "Which canopy cools?", text="Streets.")
    documents = assignment.topic.campaign.document_set
    documents.filter(docno__in=order[:6]).update(text="A tree in the street.")
    documents.filter(docno=order[1]).update(text="Canopies over trees and streets.")
    opened(page, assignment)
    seen, counts = chips(page).filter(visible=True), ["Street 1", "trees 1"]
    expect(seen).to_have_text(counts)
    assert in_document(page, "words-common") == ["street"]
    assert in_document(page, "words-topic") == ["tree"]
    page.get_by_role("button", name="2 more not here").click()
    expect(seen).to_have_text([*counts, "canopy 0", "cools 0"])
    page.get_by_role("button", name="hide the 2 that are not here").click()
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(seen).to_have_text([*counts, "canopy 1"])
    assert in_document(page, "words-rare") == ["canopies"]
    assert not any(
        each.startswith("elsewhere") for name in TOPICAL for each in in_document(page, name)
    )
