"""Criteria and evidence on the judging page: asked after the grade, answered by keys, kept with the act."""

import re

import pytest
from playwright.sync_api import expect

from assess.core.passages import Quoted, bare, located
from assess.models import Judgment, JudgmentEvent
from campaigns.core.criteria import read
from campaigns.core.hypertext import read_page
from tests import make
from tests.browser.conftest import intercept, opened, said, served, takes_taps
from tests.browser.outbox import cut, mend, not_saved, unsaved
from tests.browser.sight import barriers, faults
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser

CRITERIA = """credibility | How credible is it? | from 1
0 | not credible
1 | partly credible | In parts.
2 | credible

readability | How easily can it be read? | from 1
0 | hard
1 | easy"""
TEXT = "The first paragraph is about nothing.\n\nThe second says what one wants to know.\n\nThe third says more of it."


@pytest.fixture
def asked(assignment):
    """Ada's assignment, in a campaign that asks two criteria, and evidence from grade 2 on."""
    campaign = assignment.topic.campaign
    campaign.criteria = [each.to_json() for each in read(CRITERIA)]
    campaign.takes_evidence, campaign.evidence_from = True, 2
    campaign.save()
    campaign.document_set.update(text=TEXT)
    return assignment


@pytest.fixture
def page(pages, asked, ada):
    made = pages(ada)
    intercept(made)
    opened(made, asked)
    yield made
    pages.errors[:] = [text for text in pages.errors if not text.startswith("Failed to load resource")]  # fmt: skip


def question(page):
    return page.locator("#further[open] section:not([hidden]) h2")


def press(page, key: str, after: str) -> None:
    """Press a key once a question has been on the screen for long enough."""
    expect(question(page)).to_have_text(after)
    page.wait_for_timeout(400)
    page.keyboard.press(key)


def judgment(docno: str) -> tuple:
    found = Judgment.objects.get(docno=docno)
    return found.grade, found.ratings, [text for *_, text in found.passages]


CREDIBLE, READABLE = "How credible is it?", "How easily can it be read?"
WHICH = "Which passage shows it?"


def test_a_grade_asks_what_it_needs_and_is_saved_with_it(page, asked):
    order = served(asked)
    page.keyboard.press("1")
    press(page, "2", CREDIBLE)
    expect(page.locator("#further .steps")).to_have_text("2 of 2")
    press(page, "0", READABLE)
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("0")  # nothing is asked at grade 0
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert judgment(order[0]) == (1, {"credibility": 2, "readability": 0}, [])
    assert judgment(order[1]) == (0, {}, [])
    assert JudgmentEvent.objects.count() == 2


def test_a_question_is_not_answered_before_it_can_have_been_read(page, asked):
    page.keyboard.press("1")
    expect(question(page)).to_have_text(CREDIBLE)
    page.wait_for_timeout(400)
    page.keyboard.press("2")
    page.keyboard.press("0")  # the next one has only just come up
    expect(question(page)).to_have_text(READABLE)
    expect(not_saved(page)).to_have_text("This question had only just come up: press again.")  # fmt: skip
    press(page, "1", READABLE)
    expect(shown(page)).to_have_text(served(asked)[1])
    saved(page)
    assert judgment(served(asked)[0])[1] == {"credibility": 2, "readability": 1}


def test_escape_goes_back_to_the_grade_and_another_grade_is_given(page, asked):
    page.keyboard.press("3")
    expect(question(page)).to_have_text(CREDIBLE)
    expect(page.locator("[data-pending]")).to_have_count(1)
    bar = page.locator(".grades").bounding_box()
    page.keyboard.press("Escape")
    expect(page.locator("#further")).to_be_hidden()
    expect(page.locator("[data-pending]")).to_have_count(0)
    assert page.locator(".grades").bounding_box() == bar
    page.keyboard.press("0")
    expect(shown(page)).to_have_text(served(asked)[1])
    saved(page)
    assert said(asked) == {served(asked)[0]: 0}


def test_evidence_is_asked_for_from_its_grade_on_and_can_be_left_out(page, asked):
    order = served(asked)
    for docno in order[:2]:
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press("2")
        press(page, "1", CREDIBLE)
        press(page, "1", READABLE)
        expect(question(page)).to_have_text(WHICH)
        if docno == order[0]:
            page.locator(".document-text p").nth(1).select_text()
            page.keyboard.press("e")
        press(page, "Enter", WHICH)
        expect(page.locator("#further")).to_be_hidden()
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert judgment(order[0])[2] == ["The second says what one wants to know."]
    assert judgment(order[1])[2] == []


def test_passages_are_chosen_by_keys_alone(page, asked):
    page.keyboard.press("e")
    expect(page.locator("#mark .hint")).to_be_visible()
    for key in ("ArrowDown", "ArrowDown", "e"):
        page.keyboard.press(key)
    expect(page.locator("#evidence li")).to_contain_text(["The third says more of it."])
    page.keyboard.press("e")
    page.keyboard.press("Escape")
    expect(page.locator("#mark")).to_be_hidden()
    expect(shown(page)).to_be_visible()
    page.keyboard.press("0")
    expect(shown(page)).to_have_text(served(asked)[1])
    saved(page)
    assert judgment(served(asked)[0]) == (0, {}, ["The third says more of it."])


def test_passages_that_overlap_become_one_and_each_can_be_taken_away(page, asked):
    for index in (0, 1):
        page.locator(".document-text p").nth(index).select_text()
        page.keyboard.press("e")
    rows = page.locator("#evidence li")
    expect(rows).to_have_count(2)
    select = """() => {
      const [first, second] = document.querySelectorAll(".document-text p");
      getSelection().setBaseAndExtent(first.firstChild, 29, second.firstChild, 10);
    }"""
    page.evaluate(select)
    page.keyboard.press("e")
    expect(rows).to_have_text([re.compile("^The first .*? to know")])
    rows.get_by_role("button", name="Remove").click()
    expect(page.locator("#evidence ol")).to_be_hidden()
    page.evaluate(select)
    page.keyboard.press("e")
    page.keyboard.press("0")
    expect(shown(page)).to_have_text(served(asked)[1])
    saved(page)
    [text] = judgment(served(asked)[0])[2]
    assert text.split() == ["nothing.", "The", "second"]


def test_what_is_marked_after_the_grade_is_saved_at_once(page, asked):
    order = served(asked)
    page.keyboard.press("0")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("p")
    expect(shown(page)).to_have_text(order[0])
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    expect(page.locator(".judging-toast")).to_contain_text("Marked as evidence")
    saved(page)
    expect(shown(page)).to_have_text(order[0])
    assert judgment(order[0]) == (0, {}, ["The first paragraph is about nothing."])
    page.reload()
    expect(page.locator("#evidence li")).to_contain_text("The first paragraph")
    painted = "[...CSS.highlights.get('evidence')].map((range) => range.toString())"
    assert page.evaluate(painted) == ["The first paragraph is about nothing."]


def test_undo_brings_everything_back_and_enter_keeps_it(page, asked):
    order = served(asked)
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    page.keyboard.press("2")
    press(page, "2", CREDIBLE)
    press(page, "0", READABLE)
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    page.keyboard.press("u")
    expect(shown(page)).to_have_text(order[0])
    expect(page.locator(".judging-ratings")).to_have_text("credibility: credible · readability: hard")  # fmt: skip
    expect(page.locator("#evidence li")).to_have_count(1)
    page.keyboard.press("3")
    press(page, "Enter", CREDIBLE)
    press(page, "1", READABLE)
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert judgment(order[0]) == (3, {"credibility": 2, "readability": 1}, ["The first paragraph is about nothing."])  # fmt: skip
    page.keyboard.press("u")
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("r")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert judgment(order[0])[:2] == (3, {"credibility": 2, "readability": 1})


def test_nothing_of_it_is_lost_by_a_reload_or_without_a_server(page, asked):
    order = served(asked)
    cut(page)
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    page.keyboard.press("1")
    press(page, "2", CREDIBLE)
    expect(question(page)).to_have_text(READABLE)
    page.reload()  # the grade was not given yet; what was said is offered again
    shown(page).wait_for()
    expect(page.locator(".judging-ratings")).to_have_count(0)
    expect(page.locator("#evidence li")).to_have_count(1)
    page.keyboard.press("1")
    press(page, "Enter", CREDIBLE)
    press(page, "1", READABLE)
    expect(shown(page)).to_have_text(order[1])
    unsaved(page, 1)
    page.keyboard.press("u")  # it was never sent
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("r")
    expect(shown(page)).to_have_text(order[1])
    mend(page)
    saved(page)
    expected = {"credibility": 2, "readability": 1}
    assert judgment(order[0]) == (1, expected, ["The first paragraph is about nothing."])  # fmt: skip


def test_what_was_given_up_with_escape_is_not_saved_later(page, asked):
    order = served(asked)
    page.keyboard.press("1")
    press(page, "2", CREDIBLE)
    press(page, "1", READABLE)
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("p")
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("1")
    press(page, "0", CREDIBLE)
    expect(question(page)).to_have_text(READABLE)
    page.keyboard.press("Escape")
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    expect(page.locator(".judging-toast")).to_have_text("Marked as evidence.")
    saved(page)
    assert judgment(order[0])[1:] == ({"credibility": 2, "readability": 1}, ["The first paragraph is about nothing."])  # fmt: skip
    page.keyboard.press("u")  # the mark, and not the grade
    expect(page.locator("#evidence ol")).to_be_hidden()
    saved(page)
    assert judgment(order[0]) == (1, {"credibility": 2, "readability": 1}, [])
    page.keyboard.press("u")
    expect(page.locator(".document-place .state")).to_have_text("reopened")
    page.locator(".document-text p").nth(2).select_text()
    page.keyboard.press("e")
    page.keyboard.press("r")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert judgment(order[0])[2] == ["The third says more of it."]


@pytest.mark.parametrize("what", ["text", "statement", "criterion"])
def test_a_grade_of_before_is_not_given_again_by_marking(pages, asked, ada, what):
    order, campaign = served(asked), asked.topic.campaign
    page = pages(ada)
    opened(page, asked)
    page.keyboard.press("1")
    press(page, "2", CREDIBLE)
    press(page, "1", READABLE)
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    if what == "text":
        campaign.document_set.filter(docno=order[0]).update(version=2)
    elif what == "statement":
        campaign.topic_set.filter(pk=asked.topic_id).update(version=2)
    else:
        campaign.criteria += [each.to_json() for each in read("style | Good?\n0 | no\n1 | yes")]  # fmt: skip
        campaign.save()
    page.goto(f"{page.url.split('?')[0]}?number=1")
    shown(page).wait_for()
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    expect(page.locator("#evidence-draft")).to_be_visible()
    saved(page)
    assert JudgmentEvent.objects.count() == 1
    page.keyboard.press("2")
    press(page, "Enter", CREDIBLE)
    press(page, "Enter", READABLE)
    if what == "criterion":
        press(page, "1", "Good?")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert judgment(order[0])[2] == ["The first paragraph is about nothing."]


def test_a_page_that_stopped_asks_and_marks_no_more(page, asked):
    page.keyboard.press("1")
    expect(question(page)).to_have_text(CREDIBLE)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Judge here instead").click()
    expect(page.locator("#further")).to_be_hidden()
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    expect(page.locator("#evidence ol")).to_be_hidden()


def test_what_is_asked_covers_nothing_of_the_document(page, asked):
    asked.topic.campaign.document_set.update(text="\n\n".join([TEXT] * 20))
    page.reload()
    shown(page).wait_for()
    page.keyboard.press("1")
    expect(question(page)).to_have_text(CREDIBLE)
    page.keyboard.press("End")
    last = page.locator(".document-text p").last
    expect(last).to_be_in_viewport()
    assert last.bounding_box()["y"] + last.bounding_box()["height"] <= page.locator("#further").bounding_box()["y"]  # fmt: skip


def test_what_comes_back_stays_with_its_document(page, asked, olga):
    """The text was replaced while the page was open."""
    order = served(asked)
    new = f"{order[0]}\tA title\tThe first paragraph is about nothing. It is short now."
    for index in (0, 2):
        page.locator(".document-text p").nth(index).select_text()
        page.keyboard.press("e")
    make.imported(asked.topic.campaign, "documents", new.encode(), takes_versions=True)
    page.keyboard.press("0")
    expect(page.locator("#kept")).to_contain_text("was replaced after this page was loaded")  # fmt: skip
    page.goto(f"{page.url.split('?')[0]}?number=1")
    gone = page.locator("#evidence li:has(p)")
    expect(gone).to_contain_text("This is not in the text as it is now.")
    expect(page.locator("#evidence li")).to_have_count(2)
    shown(page).wait_for()
    page.keyboard.press("0")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert judgment(order[0])[2] == ["The first paragraph is about nothing."]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_and_nothing_stands_in_the_way(pages, asked, ada, width, scheme):
    page = pages(ada, width=width, color_scheme=scheme)
    opened(page, asked)
    page.locator(".document-text p").first.select_text()
    page.keyboard.press("e")
    page.locator(".document-text p").nth(2).select_text()
    expect(page.locator("#mark button")).to_be_visible()
    assert (faults(page), barriers(page)) == ([], [])
    page.keyboard.press("3")
    expect(question(page)).to_have_text(CREDIBLE)
    page.wait_for_timeout(300)  # the flash of the grade is over
    assert (faults(page), barriers(page)) == ([], [])


def test_without_keys_the_focus_goes_to_the_question(pages, asked, ada):
    ada.single_key_shortcuts = False
    ada.save()
    page = pages(ada)
    opened(page, asked)
    takes_taps(page)
    page.locator(".grade-button").nth(1).press("Enter")
    expect(question(page)).to_be_focused()
    page.wait_for_timeout(400)
    page.keyboard.press("Enter")  # a key that is held down answers nothing
    expect(question(page)).to_have_text(CREDIBLE)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(question(page)).to_have_text(READABLE)


def test_without_script_the_form_asks_for_answers(pages, asked, ada):
    page = pages(ada, java_script_enabled=False)
    page.goto(f"/campaigns/{asked.topic.campaign.slug}/judging/{asked.pk}/")
    page.locator(".grade-button").nth(2).click()
    expect(not_saved(page)).to_contain_text("With grade 2 it also needs an answer to credibility and readability.")  # fmt: skip
    page.get_by_label("partly credible").check()
    page.get_by_label("easy").check()
    page.locator(".grade-button").nth(2).click()
    assert judgment(served(asked)[0]) == (2, {"credibility": 1, "readability": 1}, [])
    pages.errors.clear()  # the refusal was noted there


HARD = {
    "plain": "One line of text that was cut at the margin,\nand its end.\n\n    x = 1\n    y = 2\n\n- an item\n- another \U0001f600 one\n\n\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd\x85\ufeff\u3000end \u200b e\u0301",
    "html": "<h1>A &amp; B</h1><p>One<br>two<b>three</b> <i>four</i></p><ul><li>x<ul><li>y</li></ul></li></ul><pre>\n  a\n   b</pre><table><tr><td>1</td><td>2</td></tr></table><p>\U0001f600&nbsp;<img alt='an image' src='x.png'> end</p><blockquote>q<p>r</blockquote>",
    "long": "A word and another. \U0001f600\n\n" * 12_000,
}
# Pairs of points in the text nodes, each as a page would send what is between them, and what it would find again.
RANGES = """async ([seed, n]) => {
  const { placeOf, Places } = await import("/static/js/judging/places.js");
  const article = document.querySelector(".judging-document");
  const walker = document.createTreeWalker(article.querySelector(".document-text"), NodeFilter.SHOW_TEXT);
  const nodes = [];
  for (let node; (node = walker.nextNode()); ) nodes.push(node);
  const random = (most) => ((seed = (seed * 48271) % 2147483647), seed % most);
  const places = new Places(article);
  const found = [];
  for (let i = 0; i < n; i += 1) {
    const points = [0, 1].map(() => { const node = nodes[random(nodes.length)]; return [node, random(node.length + 1)]; });
    const range = document.createRange();
    range.setStart(...points[0]);
    range.setEnd(...points[0]);
    const [node, at] = points[1];
    if (range.comparePoint(node, at) < 0) range.setStart(node, at);
    else range.setEnd(node, at);
    if (range.toString().length > 20000) range.setEnd(range.startContainer, range.startContainer.length);
    const place = placeOf(article, range);
    if (place) found.push([place.before, place.text, places.find([place.before, place.text])?.range.toString() ?? null]);
  }
  return found;
}"""


@pytest.mark.parametrize("kind", HARD)
def test_a_page_and_the_server_find_the_same_passages(pages, asked, ada, kind):
    document = asked.topic.campaign.document_set.filter(docno=served(asked)[0])
    kept = read_page(HARD[kind])
    document.update(**({"text": kept.text, "html": kept.html} if kind == "html" else {"text": HARD[kind]}))  # fmt: skip
    page = pages(ada)
    opened(page, asked)
    expect(page.locator("[data-rest]")).to_have_count(0)
    found = page.evaluate(RANGES, [20261123, 60])
    assert len(found) > 20
    text = document.get().text
    for before, quoted, again in found:
        [passage] = located(text, [Quoted(before, quoted)])
        assert bare(passage.text) == bare(quoted) == bare(again)
