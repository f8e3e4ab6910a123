"""Two texts that read the same have one hash; no text has none."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.likeness import normalized, text_hash

WORDS = st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=50))
GAPS = st.sampled_from([" ", "\n", "\t \n", "\u00a0", "\u2003", "\r\n\r\n"])


@given(WORDS, GAPS, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_layout_and_composition_do_not_matter(words: list[str], gap: str, form: str) -> None:
    other = gap + unicodedata.normalize(form, gap.join(words)) + gap  # type: ignore[arg-type]
    assert text_hash(other) == text_hash(" ".join(words))


def test_case_does_not_matter_and_other_words_do() -> None:
    assert text_hash("Große STRASSE") == text_hash("GROSSE straße")
    assert text_hash("ab c") != text_hash("a bc")
    assert text_hash("one.") != text_hash("one")


def test_a_hash_is_that_of_the_normalized_text() -> None:
    assert normalized(" Two\tWords\n") == "two words"
    assert text_hash(" Two\tWords\n") == (
        "a03f1d611645eb53ad16c1af546ca0792dc884505bab57ede80f4dad6b911d3a"
    )


def test_no_text_has_no_hash() -> None:
    assert [text_hash(text) for text in ("", " \n\t", "\u2003\u00a0")] == ["", "", ""]


def test_a_text_that_is_no_unicode_has_a_hash() -> None:
    assert text_hash("\ud800") != text_hash("\ud801")


@pytest.mark.parametrize("text", ["\u304b\u3099\u304f" * 400, "\u1100\u1161\u11a8" * 400])
def test_a_long_word_may_be_composed_or_not(text: str) -> None:
    for shift in range(4):
        word = "\u4e00" * shift + text
        assert text_hash(unicodedata.normalize("NFC", word)) == text_hash(word)
        assert text_hash(unicodedata.normalize("NFD", word)) == text_hash(word)


def test_a_hundred_thousand_accents_on_one_letter_are_soon_sorted() -> None:
    accents = "\u0300\u0316" * 50_000
    # All of them at once would take half a minute.
    assert text_hash(f"a{accents}") != text_hash(f"b{accents}")


def test_a_long_word_without_a_blank_is_compared_whole() -> None:
    word = "文書" * 5_000
    assert text_hash(word + "a") != text_hash(word + "b")
    assert text_hash(word + "\uff21") == text_hash(word + "a")
