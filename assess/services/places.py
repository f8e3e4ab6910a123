"""The places of judgments in a shared queue: how many a document still takes, checked where they are written."""

from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone

from accounts.access import Refused
from assess.lending import can_give_again, lease_of
from assess.models import (
    Assignment,
    AssignmentEntry,
    Judgment,
    SharedDocument,
    SharedQueue,
)
from trec.words import counted

if TYPE_CHECKING:
    from datetime import datetime

# How many judgments the documents have, until when which entries are lent, and how many of these had been given up. Without a
# time an entry is not lent any more; one that stays lent, given up or not, keeps its time.
WRITE = """
    WITH counted AS (
        UPDATE assess_shareddocument document SET n_judged = now.n_judged, n_impossible = now.n_impossible, n_wanted = now.n_wanted
        FROM unnest(%s::bigint[], %s::integer[], %s::integer[], %s::integer[]) AS now (document, n_judged, n_impossible, n_wanted)
        WHERE document.id = now.document
    ), back AS (
        SELECT count(*) AS n FROM assess_assignmententry WHERE id = ANY (%s::bigint[]) AND given_up_at IS NOT NULL
    ), lent AS (
        UPDATE assess_assignmententry entry SET given_up_at = NULL,
            leased_until = CASE WHEN now.stays THEN coalesce(entry.leased_until, now.until) ELSE now.until END
        FROM unnest(%s::bigint[], %s::timestamptz[], %s::boolean[]) AS now (entry, until, stays) WHERE entry.id = now.entry
    )
    UPDATE assess_assignment SET n_entries = n_entries + back.n FROM back WHERE id = %s AND back.n > 0 RETURNING n_entries
"""
COUNTS = {Judgment.State.JUDGED: "n_judged", Judgment.State.CANNOT_JUDGE: "n_impossible"}  # fmt: skip


class Places:
    """What becomes of the places in the locked documents of a shared queue; nothing in other topics."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self._documents: dict[int, SharedDocument] = {}
        # By entry: until when it is lent, and whether it stays lent as long as it was.
        self._lent: dict[int, tuple[datetime | None, bool]] = {}

    def move(self, entry: AssignmentEntry, to_state: str) -> None:
        """Note that a document is about to have another state. Refused if others have given all the judgments that it takes."""
        document = entry.shared
        if document is None:
            return
        before, after = COUNTS.get(entry.state), COUNTS.get(to_state)  # type: ignore[call-overload]
        is_full = document.n_judged >= document.n_wanted
        if after == "n_judged" != before and is_full and not can_give_again(entry):
            has = counted(document.n_judged, "judgment")
            raise Refused(f"{entry.docno} has its {has} already: others gave theirs while you had it, or after your time for it was over. Yours is not needed any more.")  # fmt: skip
        self._documents[document.pk] = document
        for name, change in ((before, -1), (after, 1)):
            if name:
                setattr(document, name, getattr(document, name) + change)
        if "n_judged" in {before, after} and is_full:
            document.n_wanted = max(self._n_wanted(document), document.n_judged)
        now, entry.given_up_at = timezone.now(), None
        if after:
            self._lent[entry.pk] = (None, False)
        elif before:
            self._lent[entry.pk] = (now + lease_of(self.assignment), False)
        else:
            self._lent.setdefault(entry.pk, (now, True))

    def _n_wanted(self, document: SharedDocument) -> int:
        """Return how many judgments the queue wants of each document; nobody changes it while one is locked.

        That is the document's own number, but where it has been lowered, which takes a look.
        """
        if document.n_wanted == 1:
            return 1
        return SharedQueue.objects.get(pk=document.queue_id).n_wanted

    def write(self) -> None:
        """Write what has changed, after the judgments."""
        if not self._lent:
            return
        documents = self._documents.values()
        pks = list(self._lent)
        untils, stays = zip(*self._lent.values(), strict=True)
        counts = [[getattr(each, name) for each in documents] for name in ("pk", "n_judged", "n_impossible", "n_wanted")]  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute(WRITE, [*counts, pks, pks, list(untils), list(stays), self.assignment.pk])  # fmt: skip
            if row := cursor.fetchone():
                [self.assignment.n_entries] = row
