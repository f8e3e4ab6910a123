"""HTML documents: what is kept of them, and that no browser would do anything for it."""

import re
from html.parser import HTMLParser

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec.streams import FormatError
from collection.core.hypertext import page as pages
from collection.core.hypertext.page import read_page

VOID = {"br", "hr"}
# By kind, side by side.
ALLOWED = {
    *VOID, "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "li", "dl",
    "dt", "dd", "table", "tbody", "tr", "td", "th", "b", "strong", "i", "em", "u", "s", "code",
    "sub", "sup", "mark", "a", "span",
}  # fmt: skip


class Shown(HTMLParser):
    """What a browser is given: its tags with their attributes, what it shows, and whether every tag
    is closed in its turn.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.open = [], "", []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def without_blanks(text: str) -> str:
    return re.sub(r"\s+", "", text)


def check(source: str) -> pages.Page:
    """What holds of every source."""
    page = read_page(source)
    for line in page.html.split("\n"):
        Shown(line)  # each line by itself: a part may end after any of them
    shown = Shown(page.html)
    assert without_blanks(shown.text) == without_blanks(page.text)
    for tag, attributes in shown.tags:
        assert tag in ALLOWED
        assert set(attributes) <= {"title", "start", "colspan", "rowspan", "class"}
        assert attributes.get("class") in {None, "image"}
        assert not re.match(
            r"\s*(javascript|data|vbscript):", attributes.get("title") or "", re.IGNORECASE
        )
    again = read_page(page.html)
    assert (again.html, again.text) == (page.html, page.text)
    return page


# Without their blanks, for which a low line stands.
PIECES = r"""
<p> </p> <div> </div> <b> </b> <i> </i> <a_href='http://x.org/&quot;'> <a_href=javascript:x> </a>
<ul> </ul> <ol_start=3> </ol> <li> </li> <table> </table> <tr> <td> <th_colspan=2> </td> </tr>
<pre> </pre> <h1> <h4> </h1> <blockquote> </blockquote> <dl> <dt> <dd> </dl> <br> <hr>
<img_alt='a&lt;b>"'> <span_class=image> </span> <script> </script> <style> <title> </title> <svg>
</svg> <!-- --> <!x> <?y> </ < > & &amp; &lt;b&gt; &#0; &#xD800; &nbsp; " ' <a_title=" =" one two_
_three א <math> <base_href=//x> <iframe_src=x> <form_id=answer> <input_name=choice>
<meta_http-equiv=refresh> <x-y> <p/> </p_x=">"> <noscript> <textarea> <plaintext> <p_hidden>
<div_style=display:none> <td_hidden> <b_hidden>
"""
SOURCES = st.lists(
    st.sampled_from(["\n", "\n\n", "\t", *(each.replace("_", " ") for each in PIECES.split())]),
    max_size=40,
)


@given(SOURCES.map("".join) | st.text(max_size=80))
def test_whatever_a_source_holds_what_is_kept_is_inert_whole_and_stays_as_it_is(source):
    check(source)


def test_a_tag_that_ends_with_a_blank_alone_is_left_out():
    for source in ("a<b>\n", "a<i><b> ", "<b>a</b><i> "):
        page = check(source)
        assert "<b></b>" not in page.html
        assert "<i>" not in page.html


# Each with what a browser shows of it, without blanks.
HIDDEN = [
    ("<p>one<p hidden>two<p>three", "onethree"),
    ("<p>one</p><p hidden>two<b>b</b></p>three", "onethree"),
    ("a<p style='DISPLAY:none'>two</p>b", "ab"),
    ("<p style='display: none; display: block'>one", "one"),
    ("<p style='color: red; visibility: hidden !important'>one</p>two", "two"),
    ("<p hidden=until-found>one<details>two</details>", "onetwo"),
    ("<body hidden style='display:none'>one", "one"),
    ("<div hidden>one<div>two</div>three</div>four", "four"),
    ("<div><span hidden>one</div>two", "two"),
    ("<p>a<span hidden>b</p>c", "ac"),
    ("<p>a<div hidden>b</p>c</div>d", "ad"),
    ("<ul><li>a<li hidden>b<ul><li>c</ul>d<li>e</ul>f", "aef"),
    ("<dl><dt>a<dd hidden>b<dl><dt>c</dl>d<dt>e</dl>f", "aef"),
    (
        "<table><td>a<td hidden>b<table><td>c</table>d<td>e<tr hidden><td>f<td>g<tr><td>h</table>i",
        "aehi",
    ),
    ("<table><tbody hidden><tr><td>a<tbody><tr><td>b</table>c", "bc"),
    ("a<br hidden><img hidden alt=x>b<input hidden>c", "abc"),
    ("<div hidden>never closed <p>at all", ""),
    ("a<script hidden>x</script><i hidden>b</i></i>c", "ac"),
    ("a<video src=x>too old<p>a browser</video>b<object data=x>none</object>c", "abc"),
    ("<div>a<canvas>drawn</div>b<audio>", "ab"),
]


@pytest.mark.parametrize(("source", "shown"), HIDDEN)
def test_what_the_author_hid_is_left_out(source, shown):
    assert without_blanks(check(source).text) == shown


def test_the_title_of_a_page_counts_also_where_it_is_hidden():
    page = read_page("<div hidden><title>A page</title></div><p>Text.")
    assert (page.title, page.text) == ("A page", "Text.")


def test_the_title_of_a_drawing_is_not_that_of_the_page():
    drawing = "<svg><title>Menu icon</title><svg></svg><title>x</title></svg>"
    page = read_page(f"<body>{drawing}<p>The toll rises.</p>")
    assert (page.title, page.text) == ("", "The toll rises.")
    assert read_page(f"{drawing}</svg><title>Fees</title>").title == "Fees"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            '<p>fee<img alt="toll">bridge <img alt="one"><img alt="two"></p>',
            "fee toll bridge one two",
        ),
        ("<b>a<img alt=b></b>c<img alt=d><br>e", "a b c d\ne"),
        ("<pre>a<img alt=b>\n<img alt=c></pre>", "a b\nc"),
    ],
)
def test_pictures_stand_apart_from_the_words_beside_them(source, text):
    page = check(source)
    assert page.text == text
    assert page.html.count('<span class="image">') == source.count("alt=")


HOSTILE = """<script>steal()</script>
<p onclick="steal()" style="position:fixed" id=answer class="x">Click
<img src="//evil.example/x.png" onerror="steal()" alt="a turbine">
<a href="javascript:steal()">here</a> <a href=" JaVa&#10;script:steal()">or</a>
<a href="data:text/html,x">or</a>
<a href="https://example.org/?a=1&amp;b=2" target=_top>there</a>.</p>
<svg onload="steal()"><text>drawn</text></svg><style>*{display:none}</style>
<form action="//evil.example"><input name=choice value=0><button data-key=1>Go</button></form>
<iframe src="//evil.example"></iframe><meta http-equiv=refresh content="0;url=//evil.example">
<base href="//evil.example/"><object data=x></object>
<math><mtext><style><img src=x onerror=steal()></style></mtext></math>
<noscript><p title="</noscript><img src=x onerror=steal()>"></noscript>"""


def test_of_what_would_do_something_only_the_words_are_kept():
    page = check(HOSTILE)
    assert " ".join(page.text.split()) == 'Click a turbine here or or there. drawn Go ">'
    assert 'title="https://example.org/?a=1&amp;b=2"' in page.html
    assert not re.search(r"evil|steal|href|src|on\w+=|id=|style|name=", page.html)


def test_blocks_keep_their_kinds_and_code_its_lines():
    page = check(
        "<title> A  &amp; B</title><html lang=fr-CA><h2>One<h4>Two</h4><p>a<br>b"
        "<pre>\n  x = 1\n\ty = 2</pre><ul><li>u<ul><li>v</ul></ul>"
        "<ol start=3><li>three<li>four</ol><blockquote>said</blockquote><dl><dt>t<dd>d</dl>"
        "<table><tr><th>k<th>v<tr><td>1<td>2</table>"
    )
    assert page.html.split("\n") == [
        "<h1>One</h1>",
        "<h2>Two</h2>",
        "<p>a<br>b</p>",
        "<pre>  x = 1<br>\ty = 2</pre>",
        "<ul><li>u</li></ul>",
        "<ul><ul><li>v</li></ul></ul>",
        '<ol start="3"><li>three</li></ol>',
        '<ol start="4"><li>four</li></ol>',
        "<blockquote><p>said</p></blockquote>",
        "<dl><dt>t</dt></dl>",
        "<dl><dd>d</dd></dl>",
        "<table><tbody><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ]
    assert (
        page.text == "One\n\nTwo\n\na\nb\n\n  x = 1\n\ty = 2\n\n"
        "u\n\nv\n\nthree\n\nfour\n\nsaid\n\nt\n\nd\n\nk\tv\n1\t2"
    )
    assert (page.title, page.language) == ("A & B", "fr-CA")


def test_a_table_that_lays_out_a_page_is_read_cell_by_cell():
    inner = "<table><tr><td>a<td>b</table>"
    source = f"<table><tr><td><h1>Left</h1><p>one<p>two<td>{inner}right</table>after"
    html = "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"
    lines = f"<h1>Left</h1> <p>one</p> <p>two</p> {html} <p>right</p> <p>after</p>"
    assert check(source).html.split("\n") == lines.split(" ")


def test_long_blocks_and_tables_go_on_in_others():
    lengths = [len(line) for line in check("<p>" + "word " * 5000).html.split("\n")]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] < 8_100
    assert check("<table>" + "<tr><td>a<td>b" * 120).html.count("<table>") == 3


@pytest.mark.parametrize(
    "source", ["", "<script>x</script>", "<p> &nbsp;<br>", "<img src=x>", "<hr>", "<!-- only", "<b"]
)
def test_a_page_that_says_nothing_is_empty(source):
    page = check(source)
    assert page.html == page.text.strip() == ""


@pytest.mark.parametrize(
    "unit", ["<b>", "<div>", "<p><font color=1>a", "<div hidden>a", "<p hidden>a<li>"]
)
def test_what_would_take_a_browser_s_parser_for_ever_is_read_at_once(unit):
    n = 50_000 if unit == "<div>" else 20_000
    page = read_page(unit * n + "deep" * (unit == "<div>"))
    assert page.text in {"", "deep", "\n\n".join("a" * 20_000)}


def test_a_page_that_grows_without_bounds_is_refused(monkeypatch):
    monkeypatch.setattr(pages, "MAX_BYTES", 1000)
    with pytest.raises(FormatError, match="taken apart, is longer than 1,000"):
        read_page("<ul><ul><ul><ul>" + "<li>a" * 100)


def test_sanitizing_what_was_kept_changes_nothing():
    html = check(HOSTILE).html
    assert (
        nh3.clean(html, tags=ALLOWED, attributes={"a": {"title"}, "span": {"class"}}, link_rel=None)
        == html
    )
