"""The documents that an assessor has to judge, as they are served."""

from collections.abc import Collection, Iterator
from functools import cached_property
from operator import itemgetter, methodcaller
from typing import Any

from accounts.models import User
from assess.access.judging import Judging
from assess.models.assigning import Assignment
from assess.models.presenting import PRESENTERS
from assess.models.serving import AssignmentEntry
from campaigns.noun import Field, Key, Noun
from collection.models.items import Item
from collection.models.texts import Document
from desk.queue import in_dispute, queued

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


OF_OPINION = ("letter", "name", "grade", "ratings", "comment", "passages")


class Served(dict[str, Any]):
    """A row of the queue; its document is read once, if anything of that is asked for."""

    def __init__(self, row: dict[str, Any], assignment: Assignment) -> None:
        super().__init__(row)
        self.assignment = assignment

    @cached_property
    def entry(self) -> AssignmentEntry:
        entries = self.assignment.entries.select_related("item", "judgment")
        entry: AssignmentEntry = entries.get(position=self["number"] - 1)
        return entry

    @property
    def item(self) -> Item:
        return self.entry.item

    @property
    def opinions(self) -> list[dict[str, Any]] | None:
        """What the assessors said of a document that is adjudicated; names once it is decided."""
        if not self.assignment.is_adjudication:
            return None
        said = in_dispute(self.entry)["opinions"]
        return [{name: getattr(each, name) for name in OF_OPINION} for each in said]

    @cached_property
    def shown(self) -> Document | None:
        """The document that is shown at this place, as its page shows it."""
        return PRESENTERS[self.item.kind].find(self.item, 0)


def served(_: User, assignment: Assignment, at: Collection[int] | None = None) -> Iterator[Served]:
    return (Served(row, assignment) for row in queued(assignment, at))


def _numbered(assignment: Assignment, number: int) -> Served | None:
    """Return the row of a number, without those before it."""
    return next(served(assignment.assessor, assignment, [number - 1]), None)


def _of_document(name: str) -> Field:
    return Field(str | None, lambda row: row.shown and getattr(row.shown, name, ""))


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
        "docno": Field(str, lambda row: row.item.key),
        **{name: _of_document(name) for name in ("text", "html", "url")},
        "opinions": Field(
            list | None, lambda row: row.opinions, "of adjudication: what the assessors said"
        ),
    },
    key=Key("number", "number", "int"),
    at=_numbered,
    help="The documents of a topic in the order served, with your own judgments.",
)
