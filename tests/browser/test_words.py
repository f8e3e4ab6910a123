# ruff: noqa: RUF001, RUF003 - letters of many languages, and the × of a button
"""Highlighted words on the judging page: which, how often, and the reader's own."""

import re

import pytest
from playwright.sync_api import expect

from campaigns.services.ending import archive_campaign
from desk.models import TopicWord
from tests.browser.conftest import address, opened, served
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


# What the browser itself says of a request that was kept from the network.
FAILED_REQUEST = re.compile("Failed to load resource: net::ERR_")


@pytest.fixture
def page(pages, assignment, ada):
    yield pages(ada)
    pages.errors[:] = [text for text in pages.errors if not FAILED_REQUEST.match(text)]


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


def add(page, text: str) -> None:
    if not page.locator("#own-word").is_visible():
        page.keyboard.press("w")
    page.locator("#own-word").fill(text)
    page.keyboard.press("Enter")


def leave(page) -> None:
    page.locator("#own-word").press("Escape")
    expect(page.locator("article.judging-document")).to_be_focused()


def test_topic_words_are_marked_and_counted_on_every_document_and_the_document_is_unchanged(
    page, assignment
):
    about(assignment, "Street trees", "What cools at night?")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["Street 4", "trees 4", "cools 1", "night 1"])
    before = page.locator(".document-text").inner_html().strip()
    words = [
        "trees",
        "cooled",
        "streets",
        "night",
        "tree",
        "street",
        "street",
        "trees",
        "street",
        "trees",
    ]
    assert sorted(in_document(page)) == sorted(words)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(served(assignment)[1])
    expect(chips(page)).to_have_text(["Street 4", "trees 4", "cools 1", "night 1"])
    assert sorted(in_document(page)) == sorted(words)
    assert page.locator(".document-text").inner_html().strip() == before
    assert page.locator("#words-rail rect").count() >= 2


def test_the_next_documents_come_up_with_their_words_however_slow_the_network(page, assignment):
    about(assignment, "Street trees")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["Street 4", "trees 4"])
    page.wait_for_function(
        "(n) => performance.getEntriesByType('resource').filter((each) => "
        "each.name.includes('/words/?version=')).length >= n",
        arg=4,
    )
    page.context.set_offline(True)
    for number in (1, 2, 3):
        page.keyboard.press("n")
        expect(shown(page)).to_have_text(served(assignment)[number])
        expect(chips(page)).to_have_text(["Street 4", "trees 4"])
        assert len(in_document(page)) == 8
    page.context.set_offline(False)


def test_a_key_goes_from_hit_to_hit_and_says_where_it_is(page, assignment):
    about(
        assignment,
        "canopy",
        text="Shade.\n\n" * 400 + "A canopy.\n\n" + "Shade.\n\n" * 400 + "Two canopies.",
    )
    opened(page, assignment)
    expect(chips(page)).to_have_text(["canopy 2"])
    article = page.locator("article.judging-document")
    for key, said in (("h", "1 of 2"), ("h", "2 of 2"), ("h", "1 of 2"), ("g", "2 of 2")):
        page.keyboard.press(key)
        expect(page.locator("#live")).to_have_text(f"{said}, canopy")
        expect(page.locator(".words-place")).to_have_text(said)
        expect(article).to_be_focused()
        page.wait_for_function(
            """() => {
              const [hit] = CSS.highlights.get("words-hit");
              const article = document.querySelector("article").getBoundingClientRect();
              const range = document.createRange();
              range.setStart(hit.startContainer, hit.startOffset);
              range.setEnd(hit.endContainer, hit.endOffset);
              const box = range.getBoundingClientRect();
              return box.top > article.top && box.bottom < article.bottom;
            }"""
        )
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(served(assignment)[1])
    assert "words-hit" not in page.evaluate(MARKED)


def test_the_keys_work_while_the_topic_is_folded_away(page, assignment):
    about(assignment, "canopy")
    opened(page, assignment)
    page.keyboard.press("t")
    expect(page.locator("#topic")).to_have_attribute("data-folded", "")
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text("1 of 2, canopy")
    page.keyboard.press("w")
    expect(page.locator("#own-word")).to_be_focused()
    expect(page.locator("#topic")).not_to_have_attribute("data-folded", "")


def test_a_topic_word_is_switched_off_and_stays_off(page, assignment):
    about(assignment, "Street trees")
    opened(page, assignment)
    chip = chips(page).get_by_role("button", name="Street")
    expect(chip).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/words/"):
        chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    expect(chip).to_have_text("Street 4")
    assert set(in_document(page)) == {"trees", "tree"}
    opened(page, assignment)
    expect(chip).to_have_attribute("aria-pressed", "false")
    expect(chips(page).last).to_have_text("trees 4")
    assert set(in_document(page)) == {"trees", "tree"}
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text("1 of 4, trees")


def test_own_words_are_marked_in_their_own_way_and_removed(page, assignment):
    about(assignment, "night")
    opened(page, assignment)
    for text in ("canop*", "Street TREES", "lined"):
        add(page, text)
    expect(chips(page)).to_have_text(["night 1", "canop* 2×", "Street TREES 1×", "lined 1×"])
    marks = {name: in_document(page, f"words-{name}") for name in (1, 2, 3)}
    assert marks == {1: ["canopy", "canopies"], 2: ["street trees"], 3: ["lined"]}
    add(page, "CANOP*")
    expect(page.locator(".words-said")).to_contain_text("CANOP* is among your words already.")
    add(page, "*")
    expect(page.locator(".words-said")).to_contain_text("at least one letter")
    leave(page)
    expect(page.locator(".words-said")).not_to_contain_text("not yet saved")
    with page.expect_response("**/words/"):
        page.get_by_role("button", name="Remove Street TREES").click()
    expect(chips(page)).to_have_text(["night 1", "canop* 2×", "lined 1×"])
    expect(page.locator("article.judging-document")).to_be_focused()
    assert "words-2" not in page.evaluate(MARKED)
    assert list(TopicWord.objects.order_by("pk").values_list("text", "mark")) == [
        ("canop*", 1),
        ("lined", 3),
    ]


def test_a_word_of_the_topic_that_is_ones_own_too_counts_once(page, assignment):
    about(assignment, "trees")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["trees 4"])
    add(page, "tree")
    own = len(in_document(page, "words-1"))
    assert own
    expect(chips(page)).to_have_text([f"trees {4 - own}", f"tree {own}×"])
    assert set(in_document(page)) == {"trees"}
    leave(page)
    page.keyboard.press("h")
    expect(page.locator("#live")).to_contain_text("1 of 4, ")


def test_a_star_within_a_word_is_refused(page, assignment):
    about(assignment, "night")
    opened(page, assignment)
    add(page, "canop.*y")
    expect(page.locator(".words-said")).to_have_text(
        "Not saved. canop.*y: A * stands at the end only, for any ending."
    )
    expect(chips(page)).to_have_text(["night 1"])


# The browser has a word that is not saved yet.
KEPT = """async (name) => {
  const result = (asked) => new Promise((done) => { asked.onsuccess = () => done(asked.result); });
  const all = await indexedDB.databases();
  if (!all.some((each) => each.name === name && each.version > 2)) return false;
  const database = await result(indexedDB.open(name));
  const kept = await result(database.transaction("words").objectStore("words").getAll());
  database.close();
  return kept.length > 0;
}"""


def test_a_word_added_offline_is_kept_and_saved_once(page, assignment):
    about(assignment, "night")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["night 1"])
    page.context.set_offline(True)
    add(page, "canopy")
    expect(chips(page).last).to_have_text("canopy 1×")
    expect(page.locator(".words-said")).to_contain_text("not yet saved")
    leave(page)
    page.wait_for_function(KEPT, arg=f"cleverdon-{assignment.assessor_id}")
    assert not TopicWord.objects.exists()
    page.context.set_offline(False)
    opened(page, assignment)  # which takes up what was left
    expect(chips(page).last).to_have_text("canopy 1×")
    expect(page.locator("#words [data-unsaved]")).to_have_count(0)
    assert TopicWord.objects.get().text == "canopy"


def test_an_answer_that_is_lost_leaves_the_word_there_once(page, assignment):
    about(assignment, "night")
    opened(page, assignment)
    lost = []

    def lose(route) -> None:
        if not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    page.route("**/judging/*/words/", lose)
    add(page, "canopy")
    expect(page.locator("#words [data-unsaved]")).to_have_count(0)
    expect(page.locator(".words-said")).to_be_hidden()
    assert TopicWord.objects.get().text == "canopy"
    assert lost


RTL = "أشجار المدينة تبرّد الشوارع.\n\nفي المدينة أشجار كثيرة."


def test_words_are_found_in_a_language_from_right_to_left(page, assignment):
    about(assignment, "الأشجار في المدينة", text=RTL, language="ar")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["الأشجار 2", "المدينة 2"])
    assert sorted(in_document(page)) == sorted(["أشجار", "المدينة"] * 2)
    add(page, "الشوارع")
    expect(chips(page).last).to_have_text("الشوارع 1×")
    leave(page)
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text("1 of 5, الأشجار")


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("街道樹木", "街道两旁的樹木使街道凉爽。", {"街道": 2, "樹木": 1}),
        ("ต้นไม้ในเมือง", "ต้นไม้ช่วยให้เมืองเย็น", {"ต้นไม้": 1, "เมือง": 1}),
    ],
)
def test_words_are_found_where_there_are_no_spaces(page, assignment, title, text, expected):
    about(assignment, title, text=text)
    opened(page, assignment)
    expect(chips(page)).to_have_text([f"{word} {n}" for word, n in expected.items()])
    assert sorted(in_document(page)) == sorted(
        word for word, n in expected.items() for _ in range(n)
    )


def test_a_long_text_is_marked_as_it_grows(page, assignment):
    """It is sent in parts, and looked through in slices."""
    about(assignment, "canopy", text="A line of words. \n\n" * 30_000 + "The last canopy.")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["canopy 1"])
    assert in_document(page) == ["canopy"]


def test_each_part_of_a_text_is_marked_by_its_own_forms(page, assignment):
    """Of a later part, and of the first once more when the document comes back."""
    about(
        assignment,
        "canopy",
        text="A Canopy.\n\n" + "A line of words. \n\n" * 30_000 + "Two canopies, a CANOPY.",
    )
    opened(page, assignment)
    add(page, "two")
    leave(page)
    for _ in range(2):
        expect(chips(page)).to_have_text(["canopy 3", "two 1×"])
        assert in_document(page) == ["canopy", "canopies", "canopy"]
        page.keyboard.press("n")
        expect(shown(page)).to_have_text(served(assignment)[1])
        page.keyboard.press("p")
        expect(shown(page)).to_have_text(served(assignment)[0])


def test_an_archive_is_read_with_its_words_and_changes_none(page, assignment, olga):
    about(assignment, "night")
    opened(page, assignment)
    add(page, "canopy")
    expect(page.locator("#words [data-unsaved]")).to_have_count(0)
    archive_campaign(user=olga, campaign=assignment.topic.campaign)
    page.goto(f"{address(assignment)}?number=2")
    expect(chips(page)).to_have_text(["night 1", "canopy 1"])
    expect(chips(page).first.get_by_role("button")).to_be_disabled()
    assert in_document(page, "words-1") == ["canopy"]
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text("1 of 2, night")
    page.keyboard.press("w")
    expect(page.locator("#own-word")).to_have_count(0)


def test_without_the_means_to_highlight_words_are_counted_all_the_same(page, assignment):
    about(assignment, "Street trees")
    page.add_init_script("delete window.Highlight")
    opened(page, assignment)
    expect(chips(page)).to_have_text(["Street 4", "trees 4"])
    page.keyboard.press("h")
    expect(page.locator("#live")).to_have_text(re.compile("1 of 8, trees"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marked_words_stand_in_nobodys_way(pages, assignment, ada, scheme):
    page = pages(ada, color_scheme=scheme)
    about(assignment, "Street trees")
    opened(page, assignment)
    for word in ("canopy", "lined", "cooled", "night", "streets"):
        add(page, word)
    expect(chips(page)).to_have_count(7)
    expect(page.locator("#words [data-unsaved]")).to_have_count(0)
    assert not barriers(page)


def test_words_are_found_across_the_elements_of_a_document_of_html(page, assignment):
    about(assignment, "tree", text="Street trees. The tree")
    html = "<p>Street <b>trees</b>. The <i>tr</i>ee</p>"
    assignment.topic.campaign.document_set.update(html=html)
    opened(page, assignment)
    expect(chips(page)).to_have_text(["tree 1"])
    add(page, "street trees")
    expect(chips(page).last).to_have_text("street trees 1×")
    assert in_document(page, "words-1") == ["street trees"]


def test_rare_words_shout_common_ones_whisper_and_those_not_here_are_folded_away(page, assignment):
    order = served(assignment)
    about(assignment, "Street trees", "Which canopy cools?", text="Streets.")
    documents = assignment.topic.campaign.document_set
    documents.filter(docno__in=order[:6]).update(text="A tree in the street.")
    documents.filter(docno=order[1]).update(text="Canopies over trees and streets.")
    opened(page, assignment)
    expect(chips(page).filter(visible=True)).to_have_text(["Street 1", "trees 1"])
    assert in_document(page, "words-common") == ["street"]
    assert in_document(page, "words-topic") == ["tree"]
    page.get_by_role("button", name="2 more not here").click()
    expect(chips(page).filter(visible=True)).to_have_text(
        ["Street 1", "trees 1", "canopy 0", "cools 0"]
    )
    page.get_by_role("button", name="hide the 2 that are not here").click()
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(chips(page).filter(visible=True)).to_have_text(["Street 1", "trees 1", "canopy 1"])
    assert in_document(page, "words-rare") == ["canopies"]
    assert not any(
        each.startswith("elsewhere") for name in TOPICAL for each in in_document(page, name)
    )
