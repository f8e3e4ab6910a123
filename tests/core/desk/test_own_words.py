"""An assessor's own words: what may be one, and what a list of changes comes to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.core import own_words as words
from desk.core.own_words import ADD, OFF, ON, REMOVE, Marked, OwnWord, WordChange, after, read

TEXTS = st.text(max_size=8) | st.sampled_from(["tree", "Tree", " tree* ", "a*", "é", "e\u0301"])
CHANGES = st.lists(
    st.builds(WordChange, st.sampled_from([ADD, REMOVE, OFF, ON]), TEXTS, st.integers(1, 5)),
    max_size=12,
)


@given(CHANGES, CHANGES)
def test_a_list_that_comes_twice_is_as_good_as_one_that_comes_once(earlier, changes):
    before, _ = after(Marked(), earlier)
    once, _ = after(before, changes)
    twice, _ = after(once, changes)
    assert {word.text for word in twice.own} == {word.text for word in once.own}
    assert set(twice.off) == set(once.off)


@given(CHANGES)
def test_no_word_is_there_twice_and_each_is_kept_clean(changes):
    marked, refused = after(Marked(), changes)
    texts = [words.folded(word.text) for word in marked.own]
    assert len(set(texts)) == len(texts) <= words.MAX_OWN
    assert all(
        words.cleaned(word.text) == word.text and not words.why_not(word.text)
        for word in marked.own
    )
    assert all(why for _, why in refused)


def test_a_word_that_is_there_keeps_its_mark_and_its_spelling():
    marked = Marked((OwnWord("Canopy", 2),))
    assert after(marked, [WordChange(ADD, "canopy", 5)]) == (marked, [])


def test_words_that_look_the_same_are_the_same():
    spelled = [
        "\u00c9lan vital",
        "e\u0301LAN\N{NO-BREAK SPACE}  vital",
        "él\N{ZERO WIDTH SPACE}an vital",
    ]
    marked, refused = after(Marked(), [WordChange(ADD, text) for text in spelled])
    assert ([word.text for word in marked.own], refused) == (["Élan vital"], [])
    assert after(marked, [WordChange(REMOVE, spelled[1])]) == (Marked(), [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", words.NOTHING_TO_FIND),
        (" *-* ", words.NOTHING_TO_FIND),
        ("a*", words.TOO_SHORT),
        ("x" * (words.MAX_LENGTH + 1), words.TOO_LONG),
        ("a.*b", words.STAR_INSIDE),
        ("street* trees", words.STAR_INSIDE),
        *((text, "") for text in ("ab*", "a.b", "ab**", "a", "street trees", "树")),
    ],
)
def test_what_can_be_a_word(text, why):
    marked, refused = after(Marked(), [WordChange(ADD, text)])
    assert [each for _, each in refused] == ([why] if why else [])
    assert len(marked.own) == (not why)


def test_there_are_at_most_so_many_words():
    many = [WordChange(ADD, f"word{n}") for n in range(words.MAX_OWN + 1)]
    marked, refused = after(Marked(), many)
    assert (len(marked.own), refused) == (words.MAX_OWN, [(many[-1], words.TOO_MANY)])
    assert after(marked, many[:1]) == (marked, [])
    many = [WordChange(OFF, f"word{n}") for n in range(words.MAX_OFF + 1)]
    marked, refused = after(Marked(), many)
    assert (len(marked.off), refused) == (words.MAX_OFF, [(many[-1], words.TOO_MANY_OFF)])
    assert after(Marked(), [WordChange(OFF, "x" * 61)])[1][0][1] == words.TOO_LONG


SENT = {"act": "add", "text": "a"}
WRONG = {"act": ["burn", ["add"]], "text": [3, "a\0b", "\ud800"], "mark": [9, True]}
WRONGS = [[{**SENT, name: value}] for name, values in WRONG.items() for value in values]


@pytest.mark.parametrize("sent", [None, {}, "add", [1], [{"act": "add"}], [SENT] * 201, *WRONGS])
def test_what_is_no_list_of_changes_is_not_read(sent):
    assert read(sent) is None
    assert read([SENT] * 200)
