"""The documents that an assessor has to judge, as they are served."""

from collections.abc import Iterator
from operator import itemgetter, methodcaller
from typing import Any

from accounts.models import User
from assess.access.judging import Judging
from assess.models.assigning import Assignment
from assess.models.presenting import PRESENTERS
from campaigns.noun import Field, Key, Noun
from collection.models.items import Item
from collection.models.texts import Document
from desk.queue import queued

# Of a document that has none of these nothing is told.
OF_ENTRY = {
    "docno": str | None,
    "title": str | None,
    "version": int,
    "kind": str | None,
    "state": str | None,
    "grade": int | None,
    "reason": str | None,
    "comment": str | None,
    "ratings": dict | None,
    "passages": list | None,
    "change": int | None,
    "priority": int | None,
    "by": str | None,
}


def served(_: User, assignment: Assignment) -> Iterator[dict[str, Any]]:
    return ({**row, "of": assignment} for row in queued(assignment))


def _item(row: dict[str, Any]) -> Item:
    entries = row["of"].entries.select_related("item")
    item: Item = entries.get(position=row["number"] - 1).item
    return item


def _shown(row: dict[str, Any]) -> Document | None:
    """Return the document that is shown at a place, as its page shows it."""
    item = _item(row)
    return PRESENTERS[item.kind].find(item, 0)


def _of_document(name: str) -> Field:
    return Field(str | None, lambda row: (shown := _shown(row)) and getattr(shown, name, ""))


SERVED = Noun(
    name="served",
    see=Judging.read,
    rows=served,
    fields={
        "number": Field(int, itemgetter("number"), "its place in the order served"),
        **{name: Field(kind, methodcaller("get", name)) for name, kind in OF_ENTRY.items()},
    },
    # The docno of a document that is shown is told, though a list may not name those ahead.
    details={
        "docno": Field(str, lambda row: _item(row).key),
        **{name: _of_document(name) for name in ("text", "html", "url")},
    },
    key=Key("number", "number", "int"),
    help="The documents of a topic in the order served, with your own judgments.",
)
