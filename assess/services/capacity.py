"""The places of judgments in a shared queue: how many a document still takes, checked where they are written."""

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
    """Until when a document is lent; None if it is not lent any more. One that `stays` lent, given up or not, keeps its time."""

    until: datetime | None
    stays: bool = False


NO_LEASE = Lease(None)


class Places:
    """What becomes of the places in the locked documents of a shared queue; nothing in other topics."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.entries: dict[int, AssignmentEntry] = {}
        self._leases: dict[int, Lease] = {}

    def move(self, entry: AssignmentEntry, to_state: str) -> None:
        """Note that a document is about to have another state. Refused if others have given all the judgments that it takes."""
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
        """Return the lease that an entry has now, by id."""
        return self._leases.get(entry, NO_LEASE)

    def counts(self) -> list[list[int]]:
        """Return the ids of the documents, how many judgments each has, and how many have said that it cannot be judged."""
        documents = [each.shared for each in self.entries.values() if each.shared]
        return [
            [getattr(each, name) for each in documents]
            for name in ("pk", "n_judged", "n_impossible")
        ]

    def clear(self) -> None:
        """Begin anew, as all is written."""
        self.entries, self._leases = {}, {}
