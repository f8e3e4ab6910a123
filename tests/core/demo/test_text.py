import pytest

from demo.core.text import STOPWORDS, pieces, singular, stems, words


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("NamedTemporaryFile", ["named", "temporary", "file"]),
        ("JSONDecoder.raw_decode", ["json", "decoder", "raw", "decode"]),
        ("utf8", ["utf", "8"]),
        ("e-mail", ["e", "mail"]),
        ("SMTP_SSL", ["smtp", "ssl"]),
    ],
)
def test_an_identifier_is_taken_apart(name, parts):
    assert pieces(name) == parts


def test_only_words_keeps_identifiers_and_stop_words():
    assert words("to SMTP_SSL") == ["to", "smtp_ssl"]
    assert pieces("how do I go to it") == ["go"]


# Harman (1991), table of the S stemmer's three rules and their exceptions.
PLURALS = """queries query|zombies zomby|files file|classes classe|heaps heap|class class
status status|does does|trees trees|heap heap"""


@pytest.mark.parametrize("pair", PLURALS.replace("\n", "|").split("|"))
def test_a_plural_becomes_singular(pair):
    word, stem = pair.split()
    assert singular(word) == stem


def test_stems_are_singular_pieces():
    assert stems("TemporaryFiles") == ["temporary", "file"]


def test_stop_words_are_lower_case_words():
    assert "the" in STOPWORDS
    assert all(word.islower() and word.isalpha() for word in STOPWORDS)
