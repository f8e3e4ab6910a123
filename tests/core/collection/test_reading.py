"""Texts of documents in paragraphs, lines and code."""

import queue
import re
import textwrap
from inspect import getsource

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.reading import CODE, LINES, PARAGRAPH, TABLE, TextBlock, blocks, part

NEWSWIRE = """\
   A quite ordinary beginning of a report from the wire,
which goes on at the margin for some lines as they
always did and ends here.
   The second paragraph is indented as well, and so it is
another paragraph.
"""
CUT = "A line of text that was cut at the margin of its file,\nand its end."
ADDRESS = "Ms A. Lovelace\n12 St James's Square\nLondon"
LIST = """\
- the first of the things that are asked for here, which is
  longer than a line
- the second
3) the third
:param n: how often it is asked for, at most, before it is
    given up"""
TERMS = (
    "retries -- how often a request is sent again at most\ntimeout -- seconds until it is given up"
)


HANGING = """\
filename: the filename, if specified; otherwise None; this is the
    client side filename, *not* the file name on which it is
    stored (that's a temporary file you don't deal with)"""
STATES = """\
Logical State                  __state            __response
Idle                           _CS_IDLE           None
Request-started                _CS_REQ_STARTED    None
Unread-response                _CS_IDLE           <response_class>"""
FLAGS = """\
    I  IGNORECASE  Perform case-insensitive matching.
    M  MULTILINE   "^" matches the beginning of lines (after a newline)
                   as well as the string.
    S  DOTALL      "." matches any character at all."""


def kinds(text: str) -> list[str]:
    return [block.kind for block in blocks(text)]


def test_lines_that_were_cut_at_a_margin_are_one_paragraph():
    first, second = blocks(NEWSWIRE)
    assert first == TextBlock(
        PARAGRAPH,
        "   A quite ordinary beginning of a report from the wire, which goes on at the margin for "
        "some lines as they always did and ends here.",
    )
    assert second.text.strip().startswith(
        "The second paragraph is indented as well, and so it is another"
    )


def test_lines_that_hang_go_on_with_their_sentence():
    found, after = blocks(f"{HANGING}\n\nvalue: the value as a string")
    assert (found.kind, found.text.split()) == (PARAGRAPH, HANGING.split())
    assert after.kind == PARAGRAPH


@pytest.mark.parametrize("text", [STATES, FLAGS])
def test_what_stands_in_columns_keeps_them(text):
    assert list(blocks(text)) == [TextBlock(CODE, text)]


def test_two_blanks_after_a_sentence_make_no_columns():
    lines = [f"Here is line {n}.  It ends here, and the next one begins" for n in "abcd"]
    assert kinds("\n".join(lines)) == [PARAGRAPH]


@pytest.mark.parametrize("text", [ADDRESS, TERMS, "roses\nare red"])
def test_short_lines_and_lists_of_terms_keep_their_lines(text):
    assert list(blocks(text)) == [TextBlock(LINES, text)]


def test_each_item_of_a_list_is_a_block():
    assert [block.text[:5] for block in blocks(LIST)] == ["- the", "- the", "3) th", ":para"]
    assert kinds(LIST) == [PARAGRAPH] * 4


@pytest.mark.parametrize(
    "text",
    [
        ">>> 1 + 1\n2",
        "    x = 1\n    y = 2\n\n    z = 3",
        "```\nany words\n\nat all\n```",
        "int main() {\n  return 0;\n}",
        "def double(x):\n    return 2 * x",
        f"# {CUT.replace(chr(10), chr(10) + '# ')}\nblanks = ' '",
        "/* Of one more library\n * and of its license.\n */",
        "import re\nimport os\n\n__all__ = ['wrap']\n\nwide = 70\n\n# A comment\nlimit = 2",
    ],
)
def test_code_keeps_its_lines_and_is_one_block(text):
    assert list(blocks(text)) == [TextBlock(CODE, text)]


@pytest.mark.parametrize(
    "text",
    [
        "apples;\npears;\nand plums",
        "if the user is new\nfor the most part",
        "from the first\nto the last one",
        "A heading\n~~~~~~~~~",
        "    - dest -- the name",
        "# A heading",
        "# A heading\nwith its text\nright below",
        "wrap(text) returns the lines.",
    ],
)
def test_verse_and_lists_are_no_code(text):
    assert CODE not in kinds(text)


def test_prose_between_code_stays_prose():
    text = "    x = 1\n\nThen this, which is\nsaid in two lines:\n\n    y = 2"
    assert kinds(text) == [CODE, LINES, CODE]
    cut = f"    x = 1\n\n{CUT}\n\n    y = 2\n\nfit(x) comes last."
    assert kinds(cut) == [CODE, PARAGRAPH, CODE, PARAGRAPH]


@pytest.mark.parametrize("module", [queue, textwrap])
def test_a_comment_of_a_program_is_not_joined_to_what_is_below_it(module):
    found = [b.text for b in blocks(getsource(module)) if b.kind == PARAGRAPH]
    assert not [text for text in found if re.match(r" *#.*  +[\w.]+ = |#.* _\w+ = ", text)]


def test_a_fence_begins_and_ends_a_block_within_a_stanza():
    text = "As in:\n```\na line\n\nand another\n```\nwhich is all."
    assert kinds(text) == [PARAGRAPH, CODE, PARAGRAPH]
    assert kinds("```\nx = 1\n\nA paragraph.") == [CODE, PARAGRAPH], "never closed"


def test_prose_that_is_indented_is_no_code():
    indented = "\n".join(f"    {line.strip()}" for line in NEWSWIRE.splitlines()[:3])
    assert kinds(indented) == [PARAGRAPH]


TEXTS = st.text(alphabet=st.sampled_from("ab .-*>`\t\n\n  ;{}א日"), max_size=300) | st.lists(
    st.sampled_from([NEWSWIRE, ADDRESS, LIST, TERMS, "", "    x;\n"])
).map("\n".join)


@given(TEXTS, st.integers(2, 30))
def test_the_parts_of_a_text_are_the_whole(text, size):
    while text:
        n = part(text, size)
        assert 0 < n <= size
        text = text[n:]


@given(TEXTS)
def test_no_word_of_a_text_is_lost_or_moved(text):
    found = list(blocks(text))
    assert [word for block in found for word in block.text.split()] == text.split()
    assert all(block.text.strip() for block in found)


VERSE = """The sun was shining on the sea, shining with
His might: he did his very best to make the
Billows smooth and bright, and this was odd."""


def test_verse_keeps_its_lines_and_prose_of_the_same_width_does_not():
    assert list(blocks(VERSE)) == [TextBlock(LINES, VERSE)]
    assert kinds(VERSE.replace("His", "his")) == [PARAGRAPH]
    assert kinds("\n".join(VERSE.split("\n")[:2])) == [PARAGRAPH]


def test_a_prompt_below_a_line_of_prose_begins_code():
    session = ">>> dis('a')\n    0: MARK\n>>> 1\n1"
    prose = "Here is what it prints of a pickle:"
    assert list(blocks(f"{prose}\n{session}")) == [
        TextBlock(PARAGRAPH, prose),
        TextBlock(CODE, session),
    ]


def test_what_a_number_in_brackets_begins_goes_on_with_the_lines_that_hang():
    text = """\
[ 1] = Total time spent in this frame's function, excluding time
       in subfunctions (this latter is tallied in cur[2]).
[ 2] = Total time spent in subfunctions, excluding time executing
       the frame's function (this latter is tallied in cur[1]).
[-3] = Name of the function."""
    assert [block.text[:4] for block in blocks(text)] == ["[ 1]", "[ 2]", "[-3]"]
    assert kinds(text) == [PARAGRAPH] * 3


HEAP = """\
heappush(heap, item) # pushes a new item on the heap
item = heappushpop(heap, item) # pushes a new item and then returns
                               # the smallest item; the heap is unchanged
item = heapreplace(heap, item) # pops and returns smallest item, and adds
                               # new item; the heap size is unchanged"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAP, [CODE]),
        ("Usage:\n\nheap = make()\nheap.push(1)", [PARAGRAPH, CODE]),
        ("They are:\n\n[0] = The number\n[1] = The name", [PARAGRAPH] * 3),
        ("usage: prog [-h] [--foo FOO]\n            [--bar]", [CODE]),
        ("Usage:\n    python -m timeit [-n N] [-r N]", [CODE]),
        ("Usage: this is a sentence of prose which\nwas cut at the margin here.", [PARAGRAPH]),
        ("Usage: see below.", [PARAGRAPH]),
    ],
)
def test_how_something_is_used_is_code_and_what_is_said_of_it_prose(text, expected):
    assert kinds(text) == expected


def test_lines_with_as_many_tabs_are_a_table_and_a_line_alone_or_with_others_is_none():
    rows = "Name\tWhat it is\nalpha\tThe first\nlonger\t"
    assert list(blocks(f"Before.\n\n{rows}")) == [
        TextBlock(PARAGRAPH, "Before."),
        TextBlock(TABLE, rows),
    ]
    for other in ("Name\tWhat it is", f"{rows}\n1\t2\t3", "\tx\n\ty", "a\tb\n" * 201):
        assert TABLE not in kinds(other)
