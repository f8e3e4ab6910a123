"""The words of a topic, and the forms that they have in a text: what the judging page highlights."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from desk.core.languages import ENGLISH, is_stop_word, lower, marks, stems, stop_words

MOST_TERMS = 24
# The longest word that anybody looks for; more is a line of data.
LONGEST = 60
# A word that at most this share of the documents has is rare; one that this share has, or more, is common.
RARE, COMMON = 0.1, 0.4
# Of fewer documents no share is known.
FEWEST = 10
# Han, kana, Thai, Lao, Khmer and Burmese: no space between the words. `static/js/judging/hits.js` has the same.
SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
# How a description asks; a title says what it is about.
ASKING = frozenset(
    [
        "always",
        "back",
        "describe",
        "describes",
        "discuss",
        "discusses",
        "document",
        "documents",
        "explain",
        "explains",
        "find",
        "first",
        "give",
        "given",
        "gives",
        "identify",
        "information",
        "last",
        "make",
        "makes",
        "need",
        "needs",
        "relevance",
        "relevant",
        "report",
        "reports",
        "show",
        "shows",
        "take",
        "takes",
        "want",
        "wants",
    ]
)


class Term(NamedTuple):
    """A word of a topic: as the statement has it, and every form that it has there, in small letters."""

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
    """Yield the words of a text that has spaces between them, as they are written.

    >>> list(words("Tree-lined streets, l'été 1998: 街道"))
    ['Tree', 'lined', 'streets', 'l', 'été', '1998']
    """
    # Without letters of the rarer kinds, as most texts are, a plain pattern finds the same in a quarter of the time.
    word = _word() if _rarer().search("".join(set(text))) else PLAIN_WORD
    yield from word.findall(text)


def runs(text: str) -> list[str]:
    """Return the pieces of a text that has no spaces between its words; the browser knows where its words end.

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
    """Return the language of a statement: by its letters, else by its function words, else the likely one, else English.

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
    """Return the words that a statement is about, in their order, each once however it is inflected.

    >>> terms("Street trees", "Do trees in a street lower temperatures at night?", "en")
    [Term(label='street', words=('street',)), Term(label='trees', words=('trees',)), Term(label='lower', words=('lower',)), Term(label='temperatures', words=('temperatures',)), Term(label='night', words=('night',))]
    """
    asking = ASKING if code == ENGLISH else frozenset()
    written = [word for word in words(title) if _says(word, code)]
    written += [
        word for word in words(description) if _says(word, code) and lower(word, code) not in asking
    ]
    by_stem: dict[str, list[str]] = defaultdict(list)
    for word, stem in zip(
        written, stems([lower(word, code) for word in written], code), strict=True
    ):
        by_stem[stem].append(word)
    found = [_term(each, code) for each in by_stem.values()]
    return found[:MOST_TERMS]


def _says(word: str, code: str) -> bool:
    """Whether it can be what a topic is about: no function word, no single letter, no number of one or two digits."""
    least = 3 if word.isnumeric() else 1 if word[0] >= "\u2e80" else 2
    return least <= len(word) <= LONGEST and not is_stop_word(lower(word, code), code)


def _term(written: Sequence[str], code: str) -> Term:
    """Return the term of these forms, called as the statement does: in small letters where it has it so."""
    small = [word for word in written if word == lower(word, code)]
    label = min(small or written, key=len)
    return Term(label, tuple(dict.fromkeys(lower(word, code) for word in written)))


def forms(found: Iterable[Term], texts: Iterable[str], code: str) -> Mapping[str, list[str]]:
    """Return by a term's label the forms that occur in the texts of a language, as they are written there.

    >>> forms(terms("Street trees", "", "en"), ["A tree in Streets", "TREES"], "en")
    {'Street': ['Streets'], 'trees': ['TREES', 'tree']}
    """
    label_of: dict[str, str] = {}
    for label, its in found:
        said = [word for word in its if not is_stop_word(word, code)]
        for stem in stems(said, code):
            label_of.setdefault(stem, label)
    written = sorted({word for text in texts for word in words(text) if len(word) <= LONGEST})
    by_label: dict[str, list[str]] = {}
    for word, stem in zip(
        written, stems([lower(word, code) for word in written], code), strict=True
    ):
        if stem in label_of:
            by_label.setdefault(label_of[stem], []).append(word)
    return by_label


def weights(
    found: Iterable[Term], documents: Iterable[tuple[Sequence[str], str]], code: str
) -> dict[str, str]:
    """Return by a term's label whether it is rare or common in these documents, each its texts and its language.

    A term that is neither is left out, as all are of a few documents.

    >>> trees = [(["A tree, a street"], "en")] * 8 + [(["Trees, streets, shade"], "en")]
    >>> weights(terms("Street trees, shade", "", "en"), [*trees, (["Bees"], ""), (["Ants"], "")], "en")
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
