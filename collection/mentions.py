"""What rests on a text: pools, judgments, known grades. The apps above register theirs."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from accounts.models import User
from campaigns.models.campaign import Campaign
from collection.models.texts import Document, Topic
from trec.words import first_of


class Mention(NamedTuple):
    """Something that rests on a document or a topic, by its name.

    `topic` is "" for practice, and of topics. `kind` is one of `KINDS`.
    """

    name: str
    topic: str
    kind: str
    said: str = ""
    by: str = ""


MOST_NAMED = 3
# What is said of all mentions of a kind for a topic, in this order, from the people they are by.
KINDS: dict[str, Callable[[Sequence[str]], str]] = {
    "pooled": lambda _: "pooled",
    "judged": lambda people: f"judged by {first_of(people, MOST_NAMED)}",
    "control": lambda people: f"answered as a control by {first_of(people, MOST_NAMED)}",
    "known grade": lambda _: "known grade",
    "practice": lambda _: "used for practice",
}
Find = Callable[[Campaign, Collection[str]], Iterable[Mention]]

_finds: dict[type[Topic] | type[Document], list[Find]] = {Topic: [], Document: []}


def register_mentions(model: type[Topic] | type[Document], find: Find) -> None:
    """Say, from an app's `hooks`, what rests on these topics or documents of a campaign."""
    _finds[model].append(find)


def mentions_of(
    campaign: Campaign, model: type[Topic] | type[Document], names: Collection[str]
) -> list[Mention]:
    return [each for find in _finds[model] for each in find(campaign, names)] if names else []


def in_words(mentions: Iterable[Mention]) -> dict[str, str]:
    """Return for each name what rests on it, of a document for which topic.

    >>> in_words([Mention("d1", "3", "pooled"), Mention("d1", "3", "judged", by="Ada")])
    {'d1': 'topic 3: pooled, judged by Ada'}
    """
    by: dict[str, dict[tuple[str, str], list[str]]] = {kind: defaultdict(list) for kind in KINDS}
    for each in mentions:
        by[each.kind][each.name, each.topic].append(each.by)
    said: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, words in KINDS.items():
        for place, people in by[kind].items():
            said[place].append(words([*dict.fromkeys(people)]))
    found: dict[str, list[str]] = defaultdict(list)
    for (name, topic), words_of in said.items():
        where = f"topic {topic}: " if topic else ""
        found[name].append(where + ", ".join(words_of))
    return {name: "; ".join(every) for name, every in found.items()}


class Judging(NamedTuple):
    """What somebody judges of a topic, and the address of the page about it."""

    person: User
    kind: str
    n_decided: int
    n_documents: int
    is_taken_back: bool
    address: str


_judging: list[Callable[[Topic], Iterable[Judging]]] = []


def register_judging(of_topic: Callable[[Topic], Iterable[Judging]]) -> None:
    """Say, from an app's `hooks`, who judges a topic."""
    _judging.append(of_topic)


def judging_of(topic: Topic) -> list[Judging]:
    return [each for of_topic in _judging for each in of_topic(topic)]
