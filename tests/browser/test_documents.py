"""Documents on the judging page: HTML that would do something does nothing, long ones scroll, and
nothing is wider than the screen.
"""

import pytest
from playwright.sync_api import expect

from collection.core.hypertext.page import read_page
from tests.browser.conftest import address, opened, said, served
from tests.browser.sight import barriers
from tests.core.collection.test_hypertext import HOSTILE
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
WORDS = "Information retrieval is the science of searching for documents. "
WIDER = (
    "() => [...document.querySelectorAll('html, .judging-document')].filter(e => e.scrollWidth > "
    "e.clientWidth).length"
)
LONGEST_MS = 1500  # of a step of scrolling, on a machine that does much else
# The longest step of scrolling to the end, and how far that is.
SCROLL = """async () => {
  const article = document.querySelector(".judging-document");
  let longest = 0;
  for (let step = 1; step <= 40; step++) {
    const start = performance.now();
    article.scrollTop = article.scrollHeight * step / 40;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    longest = Math.max(longest, performance.now() - start);
  }
  return [longest, (article.scrollTop + article.clientHeight) / article.scrollHeight];
}"""


@pytest.fixture
def documents(assignment):
    """Puts a source of HTML, or a text, in the place of a document."""

    def put(number: int, source: str = "", **fields: str) -> None:
        found = assignment.topic.campaign.document_set
        if source:
            kept = read_page(source)
            fields = {"html": kept.html, "text": kept.text, **fields}
        docno = served(assignment)[number]
        assert found.filter(docno=docno).update(**fields)

    return put


def open_number(page, assignment, number: int) -> None:
    page.goto(f"{address(assignment)}?number={number}")
    shown(page).wait_for()


def test_a_hostile_document_asks_for_nothing_changes_nothing_and_is_judged(
    pages, assignment, ada, documents
):
    documents(0, HOSTILE, title="")
    page, asked = pages(ada), []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, assignment)
    text = page.locator(".document-text")
    expect(text).to_contain_text("a turbine")
    assert [url for url in asked if "localhost" not in url and "127.0.0.1" not in url] == []
    assert page.locator("#answer").count() == 1
    forbidden = "[id], [name], [style], [href], [src], script, style, form, iframe"
    assert text.locator(forbidden).count() == 0
    page.get_by_text("there", exact=True).click()
    assert "judging" in page.url
    page.get_by_text("Where its links lead").click()
    expect(page.get_by_text("https://example.org/?a=1&b=2")).to_be_visible()
    assert not barriers(page)
    page.keyboard.press("1")
    saved(page)
    assert list(said(assignment).values()) == [1]


MEGABYTES = {
    "text": {"text": (WORDS * 6 + "\n\n") * 2600},
    "one line": {"text": WORDS * 15_600},
    "no blank": {"text": "x=(" * 333_000},
    "page": {
        "source": "<div>"
        + f"<h2>A part</h2><p>{WORDS * 4}<b>bold</b></p><ul><li>one<li>two</ul>" * 3000
    },
    "table": {"source": "<table>" + "<tr><td>cell<td>another<td>12.5<td>words in a cell" * 16_000},
}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.deep] * (kind != "no blank")) for kind in MEGABYTES],
)
def test_a_megabyte_is_there_to_its_end_and_scrolls(pages, assignment, ada, documents, kind):
    documents(0, **MEGABYTES[kind])
    page = pages(ada)
    opened(page, assignment)
    expect(page.locator("[data-rest]")).to_have_count(0)
    longest, ratio = page.evaluate(SCROLL)
    assert longest < LONGEST_MS
    assert ratio > 0.5


def test_the_key_end_reaches_the_end_at_the_first_press(pages, assignment, ada, documents):
    documents(0, text=(WORDS * 6 + "\n\n" + "a\nb\n" * 20 + "\n") * 700)
    page = pages(ada)
    opened(page, assignment)
    expect(page.locator("[data-rest]")).to_have_count(0)
    page.keyboard.press("End")
    parts = page.locator(".document-text > div")
    expect(parts.last.locator("> *").last).to_be_in_viewport()
    page.keyboard.press("Home")
    expect(parts.first.locator("> *").first).to_be_in_viewport()


def test_a_wide_table_scrolls_in_a_box_that_is_shaded_where_there_is_more(
    pages, assignment, ada, documents
):
    row = "".join(f"<td>column {n}" for n in range(30))
    wide = f"<table>{f'<tr>{row}' * 8}</table>"
    documents(0, f"<p>{WORDS}</p>{wide}<table><tr><td>a<td>b</table>")
    page = pages(ada)
    opened(page, assignment)
    box = page.get_by_role("region", name="Table with 30 columns")

    def edges() -> list[bool]:
        """Whether the left and the right edge, above the words, are of another color than the
        middle.
        """
        page.wait_for_timeout(100)
        its = box.bounding_box()
        left, middle, right = (
            page.screenshot(clip={"x": x, "y": its["y"] + 2, "width": 3, "height": 3})
            for x in (its["x"], its["x"] + its["width"] / 2, its["x"] + its["width"] - 3)
        )
        return [left != middle, right != middle]

    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(WIDER) == 0
        assert box.evaluate("e => e.scrollWidth > e.clientWidth")
        assert box.locator("td").first.evaluate("e => e.clientWidth") >= 40
        assert page.locator(".wide").count() == 1
        for scrolled, shaded in (
            ("0", [False, True]),
            ("200", [True, True]),
            ("e.scrollWidth", [True, False]),
        ):
            box.evaluate(f"e => e.scrollTo({scrolled}, 0)")
            assert edges() == shaded, (width, scrolled)
        assert not barriers(page)


def test_lines_of_code_stand_and_long_words_are_broken(pages, assignment, ada, documents):
    campaign, docno, order = assignment.topic.campaign, "d" * 255, served(assignment)
    documents(0, text="An example:\n    x = 1       # the first\n    total = 22  # the second\n")
    line = ("    x = [" + "1, " * 22 + "22]")[:76]
    documents(1, text=f"{line}\n{line}\n{line}")
    documents(
        2,
        "<p>" + "x" * 900 + "<pre>" + "y" * 900 + "</pre><table><tr><td>a<td>" + "z" * 300,
        url="http://" + "u" * 900,
        title="t" * 300,
    )
    campaign.document_set.filter(docno=order[2]).update(docno=docno)
    assignment.topic.items.filter(key=order[2]).update(key=docno)
    page = pages(ada)
    opened(page, assignment)
    code = page.locator(".document-text pre")
    expect(code).to_contain_text("total = 22  # the second")
    assert "mono" in code.evaluate("e => getComputedStyle(e).fontFamily").lower()
    open_number(page, assignment, 2)
    n_lines = "e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)"
    assert round(code.evaluate(n_lines)) == 3
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    before = code.evaluate(size)
    page.locator("#judging").evaluate("e => (e.dataset.size = 2)")
    assert code.evaluate(size) > before
    page.set_viewport_size({"width": 390, "height": 844})
    open_number(page, assignment, 3)
    expect(shown(page)).to_have_text(docno)
    assert page.evaluate(WIDER) == 0


def test_hebrew_runs_from_the_right_also_where_a_latin_name_comes_first(
    pages, assignment, ada, documents
):
    hebrew = "Lucene \u05d4\u05d9\u05d0 \u05e1\u05e4\u05e8\u05d9\u05d9\u05d4"
    documents(0, f"<p>{hebrew}</p><p>In English.</p><pre>x = 1</pre>", language="he", title=hebrew)
    page = pages(ada)
    opened(page, assignment)
    direction = "all => all.map(e => getComputedStyle(e).direction)"
    ways = page.locator(".document-text :is(p, pre), #document-title").evaluate_all(direction)
    assert ways == ["rtl", "rtl", "ltr", "ltr"]
