"""What rests on a document: pools, judgments, known grades. The apps above register theirs."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from campaigns.models import Campaign
from trec.words import counted


class Mention(NamedTuple):
    """Something that rests on a document; `topic` is "" for practice. `kind` is one of `KINDS`."""

    docno: str
    topic: str
    kind: str
    said: str


# What is said of all mentions of a kind for a topic, in this order, from their number in words.
KINDS: dict[str, Callable[[int], str]] = {
    "pooled": lambda _: "pooled",
    "judged": lambda n: f"judged by {counted(n, 'assessor')}",
    "control": lambda n: f"answered {counted(n, 'time')} as a control",
    "known grade": lambda _: "known grade",
    "practice": lambda _: "used for practice",
}
Find = Callable[[Campaign, Collection[str]], Iterable[Mention]]

_finds: list[Find] = []


def register_mentions(find: Find) -> None:
    """Say, from an app's `ready`, what rests on these documents of a campaign."""
    _finds.append(find)


def mentions_of(campaign: Campaign, docnos: Collection[str]) -> list[Mention]:
    return [each for find in _finds for each in find(campaign, docnos)] if docnos else []  # fmt: skip


def in_words(mentions: Iterable[Mention]) -> dict[str, str]:
    """Return for each document what rests on it, for which topic.

    >>> in_words([Mention("d1", "3", "pooled", ""), Mention("d1", "3", "judged", "Ada: 2"), Mention("d2", "", "practice", "1")])
    {'d1': 'topic 3: pooled, judged by 1 assessor', 'd2': 'used for practice'}
    """
    n = Counter((each.docno, each.topic, each.kind) for each in mentions)
    said: dict[tuple[str, str], list[str]] = {}
    for kind, words in KINDS.items():
        for (docno, topic, its), number in n.items():
            if its == kind:
                said.setdefault((docno, topic), []).append(words(number))
    found: dict[str, list[str]] = {}
    for (docno, topic), words_of in said.items():
        where = f"topic {topic}: " if topic else ""
        found.setdefault(docno, []).append(where + ", ".join(words_of))
    return {docno: "; ".join(every) for docno, every in found.items()}
