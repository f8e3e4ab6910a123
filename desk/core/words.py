"""The words of a topic and their forms in a text: what the judging page highlights."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from desk.core.languages import ENGLISH, is_stop_word, lower, marks, stems, stop_words

MOST_TERMS = 24
# A longer word is a line of data.
LONGEST = 60
# The share of the documents up to which a word is rare, and from which it is common.
RARE, COMMON = 0.1, 0.4
# Fewer documents say nothing about how rare a word is.
FEWEST = 10
# Han, kana, Thai, Lao, Khmer and Burmese: no space between words. hits.js has the same.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Soft hyphens, and what joins or divides letters unseen. hits.js has the same.
WITHOUT_WIDTH = re.compile("[\u00ad\u200b\u200d\u2060\ufeff]+")
# How a description asks; a title says what it is about.
_ASKING = (
    "always back describe describes discuss discusses document documents explain explains "
    "find first give given gives identify information last make makes need needs relevance "
    "relevant report reports show shows take takes want wants"
)
ASKING = frozenset(_ASKING.split())


class Term(NamedTuple):
    """A word of a topic as the statement has it, and all its forms there in lower case."""

    label: str
    words: tuple[str, ...]


@cache
def _word() -> re.Pattern[str]:
    letters = rf"[^\W_{SPACELESS}]"
    return re.compile(rf"[^\W_{SPACELESS}{marks()}]{letters}*(?:[{marks()}]+{letters}*)*")


@cache
def _rarer() -> re.Pattern[str]:
    return re.compile(f"[{SPACELESS}{marks()}]")


PLAIN_WORD = re.compile(r"[^\W_]+")
RUN = re.compile(f"[{SPACELESS}]+")


def words(text: str) -> Iterator[str]:
    """Yield the words of a text with spaces, as written, without characters that have no width.

    >>> list(words("Tree-lined streets, l'été 1998: 街道"))
    ['Tree', 'lined', 'streets', 'l', 'été', '1998']
    >>> list(words("to\u00adma\u00adtoes"))
    ['tomatoes']
    """
    characters = "".join(set(text))
    if WITHOUT_WIDTH.search(characters):
        text = WITHOUT_WIDTH.sub("", text)
    # Most texts have no such letters: then a plain pattern is four times as fast.
    word = _word() if _rarer().search(characters) else PLAIN_WORD
    yield from word.findall(text)


def runs(text: str) -> list[str]:
    """Return the pieces of a text without spaces between words; the browser divides them.

    >>> runs("COVID-19 疫苗的效果 (Thai: ต้นไม้)")
    ['疫苗的效果', 'ต้นไม้']
    """
    return list(dict.fromkeys(RUN.findall(text)))


SCRIPTS = {
    "ja": "[\u3040-\u30ff]",
    "zh": "[\u4e00-\u9fff]",
    "th": "[\u0e00-\u0e7f]",
    "ko": "[\uac00-\ud7a3]",
    "he": "[\u0590-\u05ff]",
    "el": "[\u0370-\u03ff]",
    "hi": "[\u0900-\u097f]",
}


def language_of(statement: str, likely: str) -> str:
    """Return a statement's language by letters, else by stop words, else likely or English.

    >>> language_of("Welche Wirkung haben Bäume in der Stadt auf die Temperatur?", "en")
    'de'
    >>> language_of("street trees", "fr"), language_of("街道树木", "en"), language_of("trees", "")
    ('fr', 'zh', 'en')
    """
    for code, letter in SCRIPTS.items():
        if len(re.findall(letter, statement)) * 3 > len(statement.replace(" ", "")):
            return code
    likely = likely or ENGLISH
    found = [lower(word, likely) for word in words(statement)]
    n = Counter({code: sum(word in its for word in found) for code, its in stop_words().items()})
    ((best, most),) = n.most_common(1)
    return best if most >= 2 and most > n[likely] else likely


def terms(title: str, description: str, code: str) -> list[Term]:
    """Return the words that a statement is about in order, each once however inflected.

    >>> for term in terms("Street trees", "Does a tree in the street help at night?", "en"):
    ...     print(*term)
    street ('street',)
    tree ('trees', 'tree')
    help ('help',)
    night ('night',)
    """
    asking = ASKING if code == ENGLISH else frozenset()
    written = [word for word in words(title) if _says(word, code)]
    described = (word for word in words(description) if _says(word, code))
    written += [word for word in described if lower(word, code) not in asking]
    by_stem: dict[str, list[str]] = defaultdict(list)
    for word, stem in _stemmed(written, code):
        by_stem[stem].append(word)
    return [_term(each, code) for each in by_stem.values()][:MOST_TERMS]


def _stemmed(written: Sequence[str], code: str) -> Iterable[tuple[str, str]]:
    return zip(written, stems([lower(word, code) for word in written], code), strict=True)


def _says(word: str, code: str) -> bool:
    """Whether a topic can be about it: no stop word, single letter, or number below 100."""
    least = 3 if word.isnumeric() else 1 if word[0] >= "\u2e80" else 2
    return least <= len(word) <= LONGEST and not is_stop_word(lower(word, code), code)


def _term(written: Sequence[str], code: str) -> Term:
    """Return the term of these forms, its label in lower case where the statement has it so."""
    small = [word for word in written if word == lower(word, code)]
    label = min(small or written, key=len)
    return Term(label, tuple(dict.fromkeys(lower(word, code) for word in written)))


def forms(found: Iterable[Term], texts: Iterable[str], code: str) -> Mapping[str, list[str]]:
    """Return by a term's label the forms that occur in the texts, as written there.

    >>> forms(terms("Street trees", "", "en"), ["A tree in Streets", "TREES"], "en")
    {'Street': ['Streets'], 'trees': ['TREES', 'tree']}
    """
    label_of: dict[str, str] = {}
    for label, in_statement in found:
        for stem in stems([word for word in in_statement if not is_stop_word(word, code)], code):
            label_of.setdefault(stem, label)
    written = sorted({word for text in texts for word in words(text) if len(word) <= LONGEST})
    by_label: dict[str, list[str]] = {}
    for word, stem in _stemmed(written, code):
        if stem in label_of:
            by_label.setdefault(label_of[stem], []).append(word)
    return by_label


def weights(
    found: Iterable[Term], documents: Iterable[tuple[Sequence[str], str]], code: str
) -> dict[str, str]:
    """Return "rare" or "common" by a term's label; terms that are neither are left out.

    Each document is its texts and its language. Of a few documents nothing is known.

    >>> trees = [(["A tree, a street"], "en")] * 8 + [(["Trees, streets, shade"], "en")]
    >>> documents = [*trees, (["Bees"], ""), (["Ants"], "")]
    >>> weights(terms("Street trees, shade", "", "en"), documents, "en")
    {'shade': 'rare', 'Street': 'common', 'trees': 'common'}
    """
    found, n, having = list(found), 0, Counter[str]()
    for texts, language in documents:
        n += 1
        having.update(forms(found, texts, language or code).keys())
    if n < FEWEST:
        return {}
    shares = {label: having[label] / n for label, _ in found}
    rare = {label: "rare" for label, share in shares.items() if share <= RARE}
    return rare | {label: "common" for label, share in shares.items() if share >= COMMON}
