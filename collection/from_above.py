"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from collections.abc import Callable, Collection, Iterable, Set
from typing import Any, NamedTuple

from django.db.models import QuerySet

from accounts.hook import Hook
from accounts.models import User
from campaigns.models.campaign import Campaign
from collection.models.texts import Document, Topic

# Called after topics or documents have changed.
TEXTS_CHANGED: Hook[[Campaign, User], object] = Hook()
# Called before topics, with their items, are deleted by an undone import.
TOPICS_GO: Hook[[QuerySet[Topic]], object] = Hook()
# What deleting the topics with these numbers would cost, in a sentence; "" for nothing.
DELETION_COST: Hook[[Campaign, Set[str]], str] = Hook()


class Use(NamedTuple):
    """What keeps topics or documents as they are: rows that name them in a column.

    The acts that it forbids, separated by spaces: "change" a text without calling it a new version,
    "split", "delete", "undo" an import that added or changed a text, "remove" what an import added.
    `reason` follows "it is".
    """

    model: type[Topic] | type[Document]
    acts: str
    reason: str
    rows: Callable[[Campaign], QuerySet[Any, Any]]
    column: str


USES: list[Use] = []


class Mention(NamedTuple):
    """Something that rests on a document or a topic, by its name.

    `topic` is "" for practice, and of topics. `kind` is a key of `collection.uses.KINDS`.
    """

    name: str
    topic: str
    kind: str
    text: str = ""
    by: str = ""


MentionsHook = Hook[[Campaign, Collection[str]], Iterable[Mention]]
DOCUMENT_MENTIONS: MentionsHook = Hook()
TOPIC_MENTIONS: MentionsHook = Hook()


class Judging(NamedTuple):
    """What somebody judges of a topic, and the address of the page about it."""

    person: User
    kind: str
    n_decided: int
    n_documents: int
    is_taken_back: bool
    address: str


JUDGING: Hook[[Topic], Iterable[Judging]] = Hook()
