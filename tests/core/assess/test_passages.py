"""A passage that a page quotes is found in the text of the document, and nothing else is."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.core import passages
from assess.core.passages import BadPassages, Passage, Quoted, bare, located, quoted

WHITE = st.text(" \t\n\r\x0b\x0c\x1c\x85\xa0\u2003\u2028\u3000\ufeff", max_size=3)
TEXT = st.text("ab\u00e9\u0301\U0001f600\u05d0 \n\t\x85\u3000\ufeff", max_size=60)


@given(TEXT, st.integers(0, 60), st.integers(0, 60), st.data())
def test_any_part_of_a_text_is_found_whatever_its_white_space(text, one, other, data):
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    wanted = bare(text[start:end])
    if not wanted:
        return
    spaced = "".join(each + data.draw(WHITE) for each in wanted)
    [found] = located(text, [Quoted(len(bare(text[:start])), spaced)])
    assert text[found.start : found.end] == found.text
    assert bare(found.text) == wanted
    assert len(bare(text[: found.start])) == found.before
    assert all(map(bare, (found.text[0], found.text[-1])))


@pytest.mark.parametrize(
    ("before", "text"),
    [*((0, "dog"), (1, "A cat"), (-1, "."), (4, ".A cat")), *((10**30, "A"), (0, ""), (0, " \n"))],
)
def test_what_is_not_in_the_text_is_refused(before, text):
    with pytest.raises(BadPassages, match="not in the text of the document"):
        located("A cat.", [Quoted(before, text)])


def test_a_passage_costs_little_beside_its_document():
    text = "A few words. " * 80_000
    tracemalloc.start()
    located(text, [Quoted(700_000, "A few words.")])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


def test_passages_come_in_the_order_of_the_text_each_once():
    both = [Quoted(5, "A dog."), Quoted(0, "A cat."), Quoted(5, "A  dog.")]
    found = located("A cat. A dog.", both)
    assert found == (Passage(0, 6, 0, "A cat."), Passage(7, 13, 5, "A dog."))


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        *(
            ([each], "A passage is a list of two")
            for each in (1, ["0", "a"], [True, "a"], [0, "a", 1], [0, None])
        ),
        ([[0, "a"]] * (passages.MOST_PASSAGES + 1), "At most 20 passages"),
        ([[0, "a" * passages.MOST_CHARACTERS], [0, "a"]], "at most 20,000 characters together"),
    ],
)
def test_what_is_no_list_of_passages_is_refused(sent, message):
    with pytest.raises(BadPassages, match=message):
        quoted(sent)
