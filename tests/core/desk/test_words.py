"""The words of a topic and their forms, language by language."""
# ruff: noqa: RUF001 - letters of many languages

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.core.languages import STEMMERS, language, lower, stems, stop_words
from desk.core.words import LONGEST, MOST_TERMS, SPACELESS, forms, language_of, runs, terms, words

# A title, a text, and the forms in it of the words of the title.
EXAMPLES = {
    "en": (
        "Cooling by street trees",
        "The trees cooled a tree-lined Street; it cools streets.",
        "Street cooled cools streets tree trees",
    ),
    "de": (
        "Die Wirkung der Bäume",
        "Ein Baum wirkt. Wirkungen von BÄUMEN",
        "BÄUMEN Baum Wirkungen",
    ),
    "fr": ("Les arbres de l'école", "L'arbre des écoles, un arbre", "arbre écoles"),
    "es": ("Los árboles de la calle", "un árbol en las calles", "calles árbol"),
    "ru": ("Деревья на улице", "дерево, деревьев, улицы и улица", "дерево деревьев улица улицы"),
    "pl": ("Drzewa przy ulicy", "drzewo i drzewa, ulice i ulica", "drzewa drzewo ulica ulice"),
    "tr": ("Sokak ağaçları", "SOKAK sokaklar, ağaçlar", "SOKAK ağaçlar sokaklar"),
    "ar": ("الأشجار في المدينة", "أشجار المدن والمدينة", "أشجار"),
    "fa": ("درختان در خیابان", "درخت‌ها و درختان در خیابان‌های شهر", "خیابان درخت درختان"),
    "hi": ("पेड़ों की छाया", "पेड़ और पेड़ों की छाया", "छाया पेड़ पेड़ों"),
    # There is no stemmer of Hebrew and of Ukrainian: words as they are.
    "he": ("עצים ברחוב", "עצים ועץ ברחוב", "ברחוב עצים"),
    "uk": ("дерева міста", "дерева та дерево у місті", "дерева"),
}


@pytest.mark.parametrize("code", EXAMPLES)
def test_forms_of_a_topic_s_words_are_found_in_a_text(code):
    title, text, expected = EXAMPLES[code]
    found = forms(terms(title, "", code), [text], code)
    assert sorted(form for its in found.values() for form in its) == sorted(expected.split())


def test_function_words_and_how_a_description_asks_are_left_out():
    found = terms(
        "Research on computer systems",
        "Find documents that describe what the systems of 1998 do in 12 homes.",
        "en",
    )
    assert [term.label for term in found] == ["Research", "computer", "systems", "1998", "homes"]
    assert [term.label for term in terms("Finding documents", "", "en")] == ["Finding", "documents"]


def test_forms_of_one_word_are_one_term_called_as_the_statement_has_it_in_small_letters():
    [one] = terms("Trees", "The tree and its trees", "en")
    assert one.label == "tree"
    assert one.words == ("trees", "tree")


def test_a_word_is_not_looked_for_where_it_is_a_function_word():
    """War means was in German, and die is an article."""
    found = terms("war", "people die", "en")
    assert forms(found, ["Er war da, die Leute"], "de") == {}
    assert forms(found, ["The war, they die"], "en") == {"war": ["war"], "die": ["die"]}


def test_a_text_with_accents_put_together_of_two_characters_has_the_same_words():
    [[form]] = forms(terms("école", "", "fr"), ["l'e\u0301cole"], "fr").values()
    assert form == "e\u0301cole"


def test_a_statement_has_at_most_so_many_terms():
    assert (
        len(terms(" ".join(f"word{'abcdefgh'[n % 8]}{n}x" for n in range(90)), "", "en"))
        == MOST_TERMS
    )


@pytest.mark.parametrize(
    ("statement", "likely", "expected"),
    [
        ("street trees", "", "en"),
        ("street trees", "sv", "sv"),
        ("Do the trees of a street lower the temperature at night?", "de", "en"),
        ("Senken die Bäume einer Straße die Temperatur in der Nacht?", "en", "de"),
        ("Les arbres des rues abaissent-ils la température de la nuit ?", "en", "fr"),
        ("街道樹木與夜間溫度", "en", "zh"),
        ("街路樹は夜の気温を下げるか", "zh", "ja"),
        ("ต้นไม้ริมถนน", "en", "th"),
        ("가로수는 밤의 기온을 낮추는가", "en", "ko"),
    ],
)
def test_the_language_of_a_statement(statement, likely, expected):
    assert language_of(statement, likely) == expected


def test_what_has_no_spaces_between_its_words_is_left_to_the_browser():
    assert terms("街道树木 COVID", "", "zh") == terms("COVID", "", "zh")
    assert runs("街道树木，COVID 夜间") == ["街道树木", "夜间"]


def test_page_and_server_agree_on_what_has_no_spaces():
    script = Path("static/js/judging/hits.js").read_text()
    letters = re.search(r"LETTERS =(.*?);", script, re.DOTALL)[1]
    points = [int(each, 16) for each in re.findall(r"u\{?([0-9a-f]{4,5})", letters)]
    assert [ord(each) for each in SPACELESS if each != "-"] == points


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@given(TEXT, st.sampled_from([*STEMMERS, "he", ""]))
def test_every_form_is_a_word_of_the_text_and_has_a_stem_of_the_term(text, code):
    found = terms(text, text[::-1], code)
    by_label = {term.label: term for term in found}
    for label, its in forms(found, [text], code).items():
        assert set(its) <= set(words(text))
        expected = set(stems(by_label[label].words, code))
        assert set(stems([lower(word, code) for word in its], code)) <= expected


@given(TEXT)
def test_a_statement_s_own_words_are_among_their_forms(text):
    """So the statement itself is highlighted."""
    found = terms(text, "", "en")
    written = forms(found, [text], "en")
    assert {term.label for term in found} == set(written)


@given(TEXT)
def test_words_and_runs_together_are_every_letter_of_a_text(text):
    both = "".join([*words(text), *runs(text)])
    assert {each for each in text if each.isalnum()} <= set(both) | {
        each for word in words(text) for each in word
    }
    assert not any(len(word) > LONGEST for term in terms(text, "", "en") for word in term.words)


def test_codes_of_languages_are_known_in_their_other_spellings():
    assert {language(tag) for tag in ("en", "eng", "en-GB", "EN_us")} == {"en"}
    assert {len(code) for code in stop_words()} == {2}
    assert set(stop_words()) - set(STEMMERS) == {"he", "ja", "ko", "th", "uk", "zh"}


def test_no_stop_word_is_empty_and_none_has_a_sign():
    for code, its in stop_words().items():
        assert len(its) > 25, code
        assert all(word.isalpha() or not word.isascii() for word in its), code
