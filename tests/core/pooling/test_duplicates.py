"""Duplicates: found by chance, counted out, and the same whatever the order of the texts."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.core.duplicates import NEAR, Alike, duplicates, jaccard, shingles

WORDS = [f"w{n}" for n in range(400)]
LONG = " ".join(WORDS[:200])


def changed(text: str, *places: int) -> str:
    """Return the text with other words at these places."""
    words = text.split()
    for place in places:
        words[place] = f"other{place}"
    return " ".join(words)


def runs_of(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    n = min(5, len(words))
    return {tuple(words[start : start + n]) for start in range(len(words) - n + 1)} if n else set()


@st.composite
def topics(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Texts of a topic, of which some repeat others with some words changed."""
    texts: list[str] = []
    for n in range(draw(st.integers(1, 12))):
        if texts and draw(st.booleans()):
            places = draw(st.sets(st.integers(0, 59), max_size=6))
            texts.append(changed(draw(st.sampled_from(texts)), *places))
        else:
            texts.append(" ".join(random.Random(n).choices(WORDS, k=60)))
    return [(f"d{n}", text) for n, text in enumerate(texts)]


@given(topics(), st.randoms(use_true_random=False))
def test_groups_are_what_pairs_join_whatever_the_order(
    texts: list[tuple[str, str]], chance: random.Random
) -> None:
    found = duplicates(texts)
    mixed = texts.copy()
    chance.shuffle(mixed)
    assert list(duplicates(mixed).items()) == list(found.items())
    runs = {docno: runs_of(text) for docno, text in texts}
    for one, other in ((a, b) for a in runs for b in runs if a < b):
        common = len(runs[one] & runs[other]) / len(runs[one] | runs[other])
        if common >= 0.9:  # one nearer to the least is missed at times
            assert found[one].group == found[other].group
    for docno in found:
        group = [each for each in found if found[each].group == found[docno].group]
        shares = [
            len(runs[docno] & runs[each]) / len(runs[docno] | runs[each])
            for each in group
            if each != docno
        ]
        assert max(shares) >= NEAR
        first = runs[group[0]]
        assert found[docno].jaccard == len(runs[docno] & first) / len(runs[docno] | first)


def test_the_same_text_in_another_layout_is_exact_and_a_changed_word_is_near() -> None:
    near = changed(LONG, 100)  # 5 of its 196 runs are others
    texts = [("b", LONG.upper()), ("a", LONG.replace(" ", "\n")), ("c", near), ("z", "alone")]
    index = 191 / 201
    assert duplicates(texts) == {
        "a": Alike(1, 1, 1.0),
        "b": Alike(1, 1, 1.0),
        "c": Alike(1, 2, index),
    }


def test_a_chain_is_one_group_and_tells_how_far_its_end_is_from_the_first() -> None:
    texts = [
        ("a", LONG),
        ("b", changed(LONG, 20, 60, 100)),
        ("c", changed(LONG, 20, 60, 100, 140, 160, 180)),
    ]
    found = duplicates(texts)
    assert [each.group for each in found.values()] == [1, 1, 1]
    assert found["c"].jaccard < NEAR < found["b"].jaccard


def test_pairs_below_the_least_index_are_no_duplicates() -> None:
    assert duplicates([("a", LONG), ("b", changed(LONG, *range(10, 190, 30)))]) == {}


def test_texts_without_words_are_exact_duplicates_or_none() -> None:
    texts = [("a", ""), ("b", " "), ("c", "?!"), ("d", "?!"), ("e", "...")]
    assert list(duplicates(texts)) == ["c", "d"]


@pytest.mark.parametrize(
    ("text", "n"), [("", 0), ("?", 0), ("one two", 1), ("a b c d e", 1), ("a b c d e f", 2)]
)
def test_a_text_has_its_runs_of_five_words_and_a_shorter_one_is_one_run(text: str, n: int) -> None:
    assert len(shingles(text)) == n


def test_a_script_without_blanks_is_read_by_letters() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(100))
    assert len(shingles(text)) == 96
    assert [*duplicates([("a", text), ("b", text[:-2] + "文書")])] == ["a", "b"]


def test_two_empty_sets_have_nothing_in_common() -> None:
    assert jaccard(shingles(""), shingles("")) == 0


def test_a_long_text_is_taken_in_parts() -> None:
    text = " ".join(map(str, np.random.default_rng(1).integers(10**6, size=9_000)))
    found = duplicates([("a", text), ("b", f"{text} more"), ("c", changed(text, 8_000))])
    assert [*found] == ["a", "b", "c"]


def test_the_same_text_has_the_same_runs_everywhere() -> None:
    expected = [138051322243076767, 13529776564551157068]
    assert shingles("The quick brown fox jumps over").tolist() == expected
