"""The blocks of an HTML document on a page."""

from hypothesis import given
from hypothesis import strategies as st

from collection.core.hypertext.page import read_page
from collection.core.hypertext.showing import addresses, shown
from collection.core.reading import part


def show(source: str, *, from_right: bool = False) -> list[str]:
    return shown(read_page(source).html.split("\n"), from_right=from_right).split("\n")


def test_items_of_a_list_are_in_one_and_lists_stay_apart():
    assert show("<ul><li>a<li>b<ul><li>c</ul></ul><ol start=7><li>d<li>e</ol><ol><li>f</ol>") == [
        '<ul dir="auto"><li>a</li>',
        "<li>b</li></ul>",
        '<ul dir="auto"><ul><li>c</li></ul></ul>',
        '<ol dir="auto" start="7"><li>d</li>',
        '<li value="8">e</li>',
        '<li value="1">f</li></ol>',
    ]


def test_headings_stand_below_those_of_the_page():
    assert show("<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5>") == [
        f'<h{level} dir="auto">{name}</h{level}>'
        for level, name in zip([3, 4, 5, 6, 6], "abcde", strict=True)
    ]


def test_each_block_has_its_direction_and_each_cell():
    source = (
        "<p>Lucene "
        "\u05d0</p><p>English</p><p>12.5</p><table><tr><td>\u05d0<td>b</table><pre>x</pre>"
    )
    right = [line.split(">")[0] for line in show(source, from_right=True)]
    right[3] = right[3].replace(' class="whole"', "")
    assert right == ['<p dir="rtl"', '<p dir="auto"', '<p dir="rtl"', '<table dir="rtl"', "<pre"]
    left = show(source)
    assert left[0] == '<p dir="ltr">Lucene \u05d0</p>'
    assert left[3].count('<td dir="auto">') == 2


def test_cells_keep_their_words_whole_where_that_makes_no_page_too_wide():
    def is_whole(*rows: str) -> bool:
        return 'class="whole"' in show(f"<table><tr>{'<tr>'.join(rows)}</table>")[0]

    assert is_whole("<td>menu<td>All that there is of it in short words")
    assert is_whole(f"<td>{'m' * 20}<td>a", "<td>b<td>menu")
    assert not is_whole(f"<td>{'m' * 20}<td>a", "<td>b<td>menus")
    assert not is_whole("<td>http://www.example.org/a-long-address<td>a")


def test_addresses_are_told_once():
    page = read_page(
        '<a href="http://x/?a&amp;b">one</a> <a href=/c>two</a> <a '
        'href="http://x/?a&amp;b">three</a>'
    )
    assert list(addresses(page.html)) == ["http://x/?a&b", "/c"]


@given(st.lists(st.text("ab<", max_size=20), max_size=12), st.integers(21, 50))
def test_the_parts_of_lines_are_the_whole_and_end_where_a_line_does(lines, size):
    html, found = "\n".join(lines), []
    rest = html
    while rest:
        n = part(rest, size, is_html=True)
        found.append(rest[:n])
        rest = rest[n:]
    assert "".join(found) == html
    assert all(piece.endswith("\n") for piece in found[:-1])
