"""Evidence on the judging page: passages chosen by hand or by keys, and found by the server."""

import re

import pytest
from playwright.sync_api import expect

from assess.core.passages import Quoted, bare, located
from collection.core.hypertext.page import read_page
from tests import make
from tests.browser.conftest import address, go, served
from tests.browser.further import CREDIBLE, READABLE, WHICH, judgment, press, question
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


FIRST = "The first paragraph is about nothing."


def chosen(page) -> str:
    return " ".join(page.evaluate("String(getSelection())").split())


def mark(page, *keys: str, n: int) -> None:
    """Press keys that mark a passage; there are then so many."""
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("#evidence li")).to_have_count(n)


# Marks what is selected and goes on at once.
MARK_AND_GO_ON = """() => { for (const key of ["e", "Enter"])
  document.querySelector(".judging-document").dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); }"""


def test_evidence_is_asked_for_from_its_grade_on_and_can_be_left_out(asking, asked):
    order, paragraph = served(asked), asking.locator(".document-text p")
    for n, docno in enumerate(order[:4]):
        expect(shown(asking)).to_have_text(docno)
        asking.keyboard.press("2")
        press(asking, "1", CREDIBLE)
        press(asking, "1", READABLE)
        expect(question(asking)).to_have_text(WHICH)
        if n == 0:
            paragraph.nth(1).select_text()
            asking.keyboard.press("e")
        if n >= 2:
            press(asking, "e", WHICH)
        if n == 3:  # the question had been there for a while: its clock does not start anew
            paragraph.nth(1).select_text()
            asking.evaluate(MARK_AND_GO_ON)
        else:
            press(asking, "Enter", WHICH)
        expect(asking.locator("#further")).to_be_hidden()
    expect(shown(asking)).to_have_text(order[4])
    expect(asking.locator("#not-saved")).to_be_hidden()
    saved(asking)
    second = ["The second says what one wants to know."]
    assert [judgment(docno)[2] for docno in order[:4]] == [second, [], [FIRST], second]


def test_passages_are_chosen_and_moved_by_keys_alone(asking, asked):
    order = served(asked)
    asking.keyboard.press("e")
    expect(asking.locator("#mark .hint")).to_be_visible()
    mark(asking, "ArrowDown", "ArrowDown", "e", n=1)
    expect(asking.locator("#evidence li")).to_contain_text(["The third says more of it."])
    asking.keyboard.press("e")
    asking.keyboard.press("Escape")
    expect(asking.locator("#mark")).to_be_hidden()
    go(asking, "0", order[1])
    for key in ("e", "ArrowDown", "Shift+ArrowRight"):
        asking.keyboard.press(key)
    assert chosen(asking) == "second says what one wants to know."
    while chosen(asking).endswith(("know.", "know")):
        asking.keyboard.press("Shift+ArrowLeft")
    assert chosen(asking) == "second says what one wants to"
    asking.keyboard.press("Shift+ArrowDown")
    assert chosen(asking).startswith("second says what one wants to know. The third")
    asking.keyboard.press("Shift+ArrowUp")
    passage = chosen(asking)
    assert "nothing. The second says what one" in passage
    expect(asking.locator("#live")).to_contain_text("nothing.")
    asking.keyboard.press("e")
    go(asking, "0", order[2])
    asking.keyboard.press("e")
    for _ in range(20):  # words are dropped until one is left
        asking.keyboard.press("Shift+ArrowRight")
    assert chosen(asking)
    expect(asking.locator("#mark .hint")).to_be_visible()
    asking.keyboard.press("Escape")
    saved(asking)
    assert judgment(order[0]) == (0, {}, ["The third says more of it."])
    [text] = judgment(order[1])[2]
    assert " ".join(text.split()) == passage


def test_the_end_that_is_moved_is_in_view(asking, asked):
    asked.topic.campaign.document_set.update(text="word after word " * 900)
    asking.reload()
    shown(asking).wait_for()
    top = "document.querySelector('.judging-document').scrollTop"
    for key, is_far in (("e", False), ("Shift+ArrowLeft", True), ("Shift+ArrowRight", False)):
        asking.keyboard.press(key)
        assert (asking.evaluate(top) > 2000) == is_far, key
    asking.evaluate(f"{top} = 40")
    asking.keyboard.press("Shift+ArrowRight")
    assert asking.evaluate(top) == 40, "what is in view stays where it is"


def test_marks_join_are_taken_away_undone_and_saved_after_the_grade_too(asking, asked):
    order, paragraph = served(asked), asking.locator(".document-text p")
    rows = asking.locator("#evidence li")
    for index in (0, 1):
        paragraph.nth(index).select_text()
        mark(asking, "e", n=index + 1)
    select = """() => {
      const [first, second] = document.querySelectorAll(".document-text p");
      getSelection().setBaseAndExtent(first.firstChild, 29, second.firstChild, 10);
    }"""
    asking.evaluate(select)
    asking.keyboard.press("e")
    expect(rows).to_have_text([re.compile("^The first .*? to know")])
    rows.get_by_role("button", name="Remove").click()
    expect(asking.locator("#evidence ol")).to_be_hidden()
    asking.evaluate(select)
    asking.keyboard.press("e")
    go(asking, "0", order[1])
    go(asking, "0", order[2])
    go(asking, "p", order[1])
    mark(asking, "e", "e", n=1)
    mark(asking, "e", "ArrowDown", "e", n=2)
    mark(asking, "u", n=1)
    mark(asking, "u", n=0)
    saved(asking)
    assert judgment(order[0])[2][0].split() == ["nothing.", "The", "second"]
    assert judgment(order[1]) == (0, {}, [])
    asking.keyboard.press("u")
    taken_back = f"{order[1]}: grade 0, not relevant, taken back."
    expect(asking.locator(".judging-toast")).to_have_text(taken_back)
    paragraph.first.select_text()
    mark(asking, "e", n=1)
    go(asking, "n", order[2])
    go(asking, "r", order[2])  # with what was marked meanwhile
    saved(asking)
    assert judgment(order[1]) == (0, {}, [FIRST])
    go(asking, "0", order[3])
    go(asking, "p", order[2])
    paragraph.first.select_text()
    asking.keyboard.press("e")
    expect(asking.locator(".judging-toast")).to_contain_text("Marked as evidence")
    saved(asking)
    expect(shown(asking)).to_have_text(order[2])
    assert judgment(order[2]) == (0, {}, [FIRST])
    asking.reload()
    expect(rows).to_contain_text("The first paragraph")
    painted = "[...CSS.highlights.get('evidence')].map((range) => range.toString())"
    assert asking.evaluate(painted) == [FIRST]


def test_what_comes_back_stays_with_its_document(asking, asked, olga):
    """The text was replaced while the page was open."""
    order = served(asked)
    new = f"{order[0]}\tA title\t{FIRST} It is short now."
    for index in (0, 2):
        asking.locator(".document-text p").nth(index).select_text()
        asking.keyboard.press("e")
    make.imported(asked.topic.campaign, "documents", new.encode(), takes_versions=True)
    asking.keyboard.press("0")
    expect(asking.locator("#kept")).to_contain_text("is not the one that was read")
    asking.goto(f"{asking.url.split('?')[0]}?number=1")
    gone = asking.locator("#evidence li:has(p)")
    expect(gone).to_contain_text("This is not in the text as it is now.")
    expect(asking.locator("#evidence li")).to_have_count(2)
    shown(asking).wait_for()
    go(asking, "0", order[1])
    saved(asking)
    assert judgment(order[0])[2] == [FIRST]


HARD = {
    "plain": "One line of text that was cut at the margin,\nand its end.\n\n"
    "    x = 1\n    y = 2\n\n- an item\n- another \U0001f600 one\n\n"
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd\x85\ufeff\u3000end \u200b e\u0301",
    "html": "<h1>A &amp; B</h1><p>One<br>two<b>three</b> <i>four</i></p>"
    "<ul><li>x<ul><li>y</li></ul></li></ul><pre>\n  a\n   b</pre>"
    "<table><tr><td>1</td><td>2</td></tr></table>"
    "<p>\U0001f600&nbsp;<img alt='an image' src='x.png'> end</p><blockquote>q<p>r</blockquote>",
    "long": "A word and another. \U0001f600\n\n" * 12_000,
}
# Pairs of points in the text nodes, each as a page would send what is between them, and what it
# would find again.
RANGES = """async ([seed, n]) => {
  const { nodesOf, placeOf, Places } = await import("/static/js/judging/places.js");
  const article = document.querySelector(".judging-document");
  const text = article.querySelector(".document-text");
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const nodes = [];
  for (let node; (node = walker.nextNode()); ) nodes.push(node);
  const random = (most) => ((seed = (seed * 48271) % 2147483647), seed % most);
  const places = new Places(nodesOf(article));
  const found = [];
  for (let i = 0; i < n; i += 1) {
    const points = [0, 1].map(() => {
      const node = nodes[random(nodes.length)];
      return [node, random(node.length + 1)];
    });
    const range = document.createRange();
    range.setStart(...points[0]);
    range.setEnd(...points[0]);
    const [node, at] = points[1];
    if (range.comparePoint(node, at) < 0) range.setStart(node, at);
    else range.setEnd(node, at);
    const { startContainer: first } = range;
    if (range.toString().length > 20000) range.setEnd(first, first.length);
    const place = placeOf(article, range);
    if (!place) continue;
    const again = places.find([place.before, place.text])?.range.toString() ?? null;
    found.push([place.before, place.text, again]);
  }
  return found;
}"""


def test_a_page_and_the_server_find_the_same_passages(pages, asked, ada):
    page = pages(ada)
    for number, (kind, text) in enumerate(HARD.items(), 1):
        document = asked.topic.campaign.document_set.filter(docno=served(asked)[number - 1])
        kept = read_page(text)
        document.update(
            **({"text": kept.text, "html": kept.html} if kind == "html" else {"text": text})
        )
        page.goto(f"{address(asked)}?number={number}")
        shown(page).wait_for()
        expect(page.locator("[data-rest]")).to_have_count(0)
        found = page.evaluate(RANGES, [20261123, 60])
        assert len(found) > 20
        for before, quoted, again in found:
            [passage] = located(document.get().text, [Quoted(before, quoted)])
            assert bare(passage.text) == bare(quoted) == bare(again)
