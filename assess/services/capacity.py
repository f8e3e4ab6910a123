"""How many judgments the documents of a shared queue still take, checked when they are written."""

from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from accounts.access import Refused
from assess.leases import can_give_again, lease_of
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from trec.words import counted

COUNTS = {Judgment.State.JUDGED: "n_judged", Judgment.State.CANNOT_JUDGE: "n_impossible"}


class Lease(NamedTuple):
    """The end of a document's lease, None without one. One that `stays` keeps its time."""

    until: datetime | None
    stays: bool = False


NO_LEASE = Lease(None)


class Places:
    """The changing counts and leases of locked shared documents; empty for other topics."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.entries: dict[int, AssignmentEntry] = {}
        self._leases: dict[int, Lease] = {}

    def move(self, entry: AssignmentEntry, to_state: str) -> None:
        """Note a document's new state. Refused if others have given all its judgments."""
        document = entry.shared
        if document is None:
            return
        before, after = COUNTS.get(entry.state), COUNTS.get(to_state)  # type: ignore[call-overload]
        is_full = document.n_judged >= document.n_wanted
        if after == "n_judged" != before and is_full and not can_give_again(entry):
            has = counted(document.n_judged, "judgment")
            raise Refused(f"Others finished {entry.docno} first: it has its {has}.")
        for name, change in ((before, -1), (after, 1)):
            if name:
                setattr(document, name, getattr(document, name) + change)
        now, entry.given_up_at = timezone.now(), None
        self.entries[entry.pk] = entry
        if after:
            self._leases[entry.pk] = NO_LEASE
        elif before:
            self._leases[entry.pk] = Lease(now + lease_of(self.assignment))
        else:
            self._leases.setdefault(entry.pk, Lease(now, stays=True))

    def lease_of(self, entry: int) -> Lease:
        return self._leases.get(entry, NO_LEASE)

    def counts(self) -> list[list[int]]:
        """Return three lists: ids of documents, and how often each was judged or impossible."""
        documents = [each.shared for each in self.entries.values() if each.shared]
        return [
            [getattr(each, name) for each in documents]
            for name in ("pk", "n_judged", "n_impossible")
        ]

    def clear(self) -> None:
        self.entries, self._leases = {}, {}
