"""Documents on the judging page: HTML that would do something does nothing, long ones scroll, and
nothing is wider than the screen.
"""

import pytest
from playwright.sync_api import expect

from collection.core.hypertext.page import read_page
from tests.browser.conftest import opened, said, served
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
    assert (
        text.locator("[id], [name], [style], [href], [src], script, style, form, iframe").count()
        == 0
    )
    page.get_by_text("there", exact=True).click()
    assert "judging" in page.url
    page.get_by_text("Where its links lead").click()
    expect(page.get_by_text("https://example.org/?a=1&b=2")).to_be_visible()
    assert not barriers(page)
    page.keyboard.press("1")
    saved(page)
    assert list(said(assignment).values()) == [1]


@pytest.mark.parametrize(
    "fields",
    [
        {"text": (WORDS * 6 + "\n\n") * 2600},
        {"text": WORDS * 15_600},
        {"text": "x=(" * 333_000},
        {
            "source": "<div>"
            + f"<h2>A part</h2><p>{WORDS * 4}<b>bold</b></p><ul><li>one<li>two</ul>" * 3000
        },
        {"source": "<table>" + "<tr><td>cell<td>another cell<td>12.5<td>words in a cell" * 16_000},
    ],
    ids=["text", "one line", "no blank", "page", "table"],
)
def test_a_megabyte_is_there_to_its_end_and_scrolls(pages, assignment, ada, documents, fields):
    documents(0, **fields)
    page = pages(ada)
    opened(page, assignment)
    expect(page.locator("[data-rest]")).to_have_count(0)
    longest = page.evaluate(
        """async () => {
            const article = document.querySelector(".judging-document");
            let longest = 0;
            for (let step = 1; step <= 40; step++) {
                const start = performance.now();
                article.scrollTop = article.scrollHeight * step / 40;
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                longest = Math.max(longest, performance.now() - start);
            }
            return longest;
        }"""
    )
    assert longest < LONGEST_MS
    ratio = page.evaluate(
        "(a => (a.scrollTop + a.clientHeight) / "
        "a.scrollHeight)(document.querySelector('.judging-document'))"
    )
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


@pytest.mark.parametrize("width", [1280, 390])
def test_a_wide_table_scrolls_in_a_box_of_its_own(pages, assignment, ada, documents, width):
    row = "".join(f"<td>column {n}" for n in range(30))
    documents(
        0, f"<p>{WORDS}</p><table>" + f"<tr>{row}" * 8 + "</table><table><tr><td>a<td>b</table>"
    )
    page = pages(ada)
    page.set_viewport_size({"width": width, "height": 844})
    opened(page, assignment)
    assert page.evaluate(WIDER) == 0
    box = page.get_by_role("region", name="Table with 30 columns")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    assert box.locator("td").first.evaluate("e => e.clientWidth") >= 40
    assert page.locator(".wide").count() == 1
    assert not barriers(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_wide_table_is_shaded_at_the_edges_that_have_more(
    pages, assignment, ada, documents, scheme
):
    row = "".join(f"<td>column {n}" for n in range(30))
    documents(0, f"<table><tr>{row}</table>")
    page = pages(ada, color_scheme=scheme)
    opened(page, assignment)
    box = page.locator(".wide")

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

    assert edges() == [False, True]
    box.evaluate("e => e.scrollTo(200, 0)")
    assert edges() == [True, True]
    box.evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    assert edges() == [True, False]


def test_code_in_prose_keeps_its_columns(pages, assignment, ada, documents):
    documents(0, text="An example:\n    x = 1       # the first\n    total = 22  # the second\n")
    page = pages(ada)
    opened(page, assignment)
    code = page.locator(".document-text pre")
    expect(code).to_contain_text("total = 22  # the second")
    assert "mono" in code.evaluate("e => getComputedStyle(e).fontFamily").lower()


def test_code_of_76_columns_stands_in_its_lines_and_grows_with_the_text(
    pages, assignment, ada, documents
):
    line = "    x = [" + "1, " * 22 + "22]"
    documents(0, text=f"{line[:76]}\n{line[:76]}\n{line[:76]}")
    page = pages(ada)
    opened(page, assignment)
    code = page.locator(".document-text pre")
    size, n_lines = code.evaluate(
        "e => (s => [parseFloat(s.fontSize), e.clientHeight / "
        "parseFloat(s.lineHeight)])(getComputedStyle(e))"
    )
    assert round(n_lines) == 3
    page.locator("#judging").evaluate("e => (e.dataset.size = 2)")
    assert code.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") > size


def test_what_has_no_blank_is_broken_and_not_cut_off(pages, assignment, ada, documents):
    campaign, docno = assignment.topic.campaign, "d" * 255
    documents(
        0,
        "<p>" + "x" * 900 + "<pre>" + "y" * 900 + "</pre><table><tr><td>a<td>" + "z" * 300,
        url="http://" + "u" * 900,
        title="t" * 300,
    )
    campaign.document_set.filter(docno=served(assignment)[0]).update(docno=docno)
    assignment.entries.filter(position=0).update(docno=docno)
    page = pages(ada)
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, assignment)
    expect(shown(page)).to_have_text(docno)
    assert page.evaluate(WIDER) == 0


def test_hebrew_runs_from_the_right_also_where_a_latin_name_comes_first(
    pages, assignment, ada, documents
):
    hebrew = "Lucene \u05d4\u05d9\u05d0 \u05e1\u05e4\u05e8\u05d9\u05d9\u05d4"
    documents(0, f"<p>{hebrew}</p><p>In English.</p><pre>x = 1</pre>", language="he", title=hebrew)
    page = pages(ada)
    opened(page, assignment)
    ways = page.evaluate(
        "[...document.querySelectorAll('.document-text :is(p, pre)')].map(e => "
        "getComputedStyle(e).direction)"
    )
    assert ways == ["rtl", "ltr", "ltr"]
    assert page.locator("#document-title").evaluate("e => getComputedStyle(e).direction") == "rtl"
