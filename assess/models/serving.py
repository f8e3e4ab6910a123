"""The order in which an assessor is served the documents of a topic."""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from typing import TYPE_CHECKING, Self

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import models
from django.db.models import Case, Count, F, Q, Value, When
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from assess.core import purposes
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade, Purpose
from assess.models.judging import COUNTERS, Judgment
from assess.models.presenting import Reading, present_version
from assess.models.purposes import ByPurpose
from assess.models.sharing import SharedDocument
from collection.models.items import Item, Keyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accounts.models import User
    from campaigns.models.campaign import Campaign

MISSING = "missing"  # the fault of a document that has not been imported

# The mark of a document that an earlier assessor has judged, in place of a grade or state.
BEFORE = "before"
# The mark of a shared document whose lease is over, and that others have or have judged.
GIVEN_UP = "given_up"


def _mark(*, blind: bool) -> Case:
    """Return the grade or the state of an entry, as text; if `blind` no grades of others."""
    is_others = ~Q(judgment__assessor=F("assignment__assessor"))
    is_decided = Q(judgment__state__in=Judgment.DECIDED_STATES)
    of_others = [
        When(is_others & is_decided, then=Value(BEFORE)),
        When(is_others, then=Value("unjudged")),
    ]
    text = models.CharField()
    return Case(
        When(given_up_at__isnull=False, then=Value(GIVEN_UP)),
        When(judgment=None, then=Value("unjudged")),
        *(of_others if blind else []),
        When(judgment__grade__isnull=False, then=Cast("judgment__grade", text)),
        default=F("judgment__state"),
        output_field=text,
    )


class AssignmentEntryQuerySet(ByPurpose["AssignmentEntry"]):
    def in_state(self, state: str) -> Self:
        """Return the entries in a state, "unjudged" included; all without a state."""
        rows = self.held().select_related("item", "judgment__assessor")
        if state == "unjudged":
            return rows.filter(judgment__isnull=True)
        return rows.filter(judgment__state=state) if state else rows

    def controls_of(self, campaign: Campaign) -> Self:
        return self.controls().filter(assignment__topic__campaign=campaign)

    def held(self) -> Self:
        """Return the entries without those given up."""
        return self.filter(given_up_at=None)

    def still_open(self) -> Self:
        """Return the entries that are unjudged, put off or reopened."""
        put_off = Q(judgment__state__in=Judgment.OPEN_STATES)
        return self.held().filter(Q(judgment=None) | put_off)

    def to_be_judged(self) -> Self:
        """Return the entries that can take a judgment again: open, with room if shared."""
        is_open = Q(judgment=None) | Q(judgment__state__in=Judgment.OPEN_STATES)
        has_room = Q(shared=None) | Q(shared__n_judged__lt=F("shared__n_wanted"))
        return self.filter(is_open, has_room)

    def marks(self, assignments: Iterable[Assignment], *, blind: bool) -> dict[int, list[str]]:
        """Return by assignment the mark of each document in the order served: grade or state.

        With `blind` only grades of the present assessor.
        """
        rows = self._of(assignments).values_list("assignment")
        return dict(rows.annotate(marks=ArrayAgg(_mark(blind=blind), order_by="position")))

    def n_by_mark(
        self, assignments: Iterable[Assignment], *, blind: bool
    ) -> dict[int, dict[str, int]]:
        """Count the documents with each mark, by assignment."""
        marked = self._of(assignments).values_list("assignment").annotate(mark=_mark(blind=blind))
        counts: dict[int, dict[str, int]] = defaultdict(dict)
        for assignment, mark, n in marked.annotate(n=Count("pk")):
            counts[assignment][mark] = n
        return counts

    def _of(self, assignments: Iterable[Assignment]) -> Self:
        return self.filter(assignment__in=[each.pk for each in assignments]).order_by()

    def n_by_grade(self, assignments: Iterable[Assignment]) -> dict[int, dict[int, int]]:
        """Return by assignment how many documents have each grade."""
        ids = [each.pk for each in assignments]
        # Said of both, so that neither table is read whole.
        graded = self.filter(assignment__in=ids, judgment__assignment__in=ids)
        graded = graded.filter(judgment__grade__isnull=False)
        counts: dict[int, dict[int, int]] = defaultdict(dict)
        grouped = graded.order_by().values_list("assignment", "judgment__grade")
        for assignment, grade, n in grouped.annotate(n=Count("pk")):
            counts[assignment][grade] = n
        return counts

    def with_versions(self) -> Self:
        """Annotate each with the `present_version` of its text, 0 if it is missing."""
        return self.annotate(present_version=present_version())

    def on_earlier(self, topic_version: int) -> Self:
        """Return those `with_versions` whose judgment is of an earlier text or statement."""
        shown = Q(judgment__document_version=F("present_version"))
        judged = self.filter(judgment__isnull=False)
        return judged.exclude(shown, judgment__topic_version=topic_version)

    def next_open(self) -> AssignmentEntry | None:
        """Return the unjudged entry to be judged first, or else the one put off first."""
        unjudged = self.held().filter(judgment__isnull=True).select_related("item")
        first_unjudged = unjudged.order_by("-priority", "position")
        # With the assignment, PostgreSQL walks an index of the judgments instead of sorting them.
        put_off = self.held().filter(
            judgment__assignment=F("assignment"), judgment__state__in=Judgment.OPEN_STATES
        )
        first_put_off = put_off.select_related("item", "judgment").order_by("judgment__change")
        return first_unjudged.first() or first_put_off.first()


def tell_known(entries: Sequence[AssignmentEntry]) -> None:
    """Set `known` of the entries of one practice; what is not known any more is given up."""
    if entries:
        rows = KnownGrade.objects.practice().filter(item__in=[each.item_id for each in entries])
        known = {each.item_id: each for each in rows}
        for entry in entries:
            entry.known = known.get(entry.item_id)
            if entry.known is None and entry.state not in Judgment.DECIDED_STATES:
                entry.given_up_at = timezone.now()


def as_served(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Return copies for showing, whose counts include the controls."""
    shown = {each.pk: copy(each) for each in assignments}
    rows = AssignmentEntry.objects.controls().filter(assignment__in=shown).order_by()
    state = Coalesce("judgment__state", Value("unjudged"))
    for pk, name, n in rows.values_list("assignment", state).annotate(n=Count("pk")):
        its = shown[pk]
        its.counts_controls = True
        its.n_entries += n
        if counter := COUNTERS.get(name):
            setattr(its, counter, getattr(its, counter) + n)
    return list(shown.values())


class AssignmentEntry(Keyed, models.Model):
    """An item at its position in the order served, with the judgment that counts, if any.

    A `shared` document is leased until
    `leased_until`, decided if that is empty, or `given_up_at` some time.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="entries")
    position = models.PositiveIntegerField(help_text="Its place in the list, for good.")
    priority = models.SmallIntegerField(
        default=0, db_default=0, help_text="Of unjudged ones, the highest come first."
    )
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    purpose = models.CharField(max_length=12, choices=Purpose.choices)
    judgment = models.OneToOneField(
        Judgment, on_delete=models.PROTECT, null=True, related_name="entry"
    )
    shared = models.ForeignKey(
        SharedDocument, on_delete=models.PROTECT, null=True, related_name="entries"
    )
    leased_until = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)

    objects = AssignmentEntryQuerySet.as_manager()

    # Set by `to_answer`.
    reading: Reading | None = None
    known: KnownGrade | None = None  # of practice
    has_duplicates: bool = True  # unless it is known to have none

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "position"], name="one_document_per_position"
            ),
            models.UniqueConstraint(fields=["assignment", "item", "purpose"], name="served_once"),
            models.CheckConstraint(
                condition=Q(purpose="shared", shared__isnull=False)
                | (~Q(purpose="shared") & Q(shared=None)),
                name="shared_document_of_a_queue",
            ),
        ]
        indexes = [
            # `next_open`, at every keystroke: constant however much has been judged.
            models.Index(
                fields=["assignment", "-priority", "position"],
                condition=Q(judgment__isnull=True),
                name="unjudged_in_order",
            ),
            # How far the controls are.
            models.Index(
                fields=["assignment"],
                condition=Q(purpose__in=purposes.CONTROLS),
                name="controls_of_assignment",
            ),
            # Who has a shared document now.
            models.Index(
                fields=["shared", "leased_until"],
                condition=Q(leased_until__isnull=False),
                name="lent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.docno} at {self.position + 1}"

    @property
    def state(self) -> str:
        return self.judgment.state if self.judgment else "unjudged"

    @property
    def is_given_up(self) -> bool:
        return self.given_up_at is not None

    @property
    def served(self) -> Reading:
        """What its assessor reads; for entries of `to_answer`. Version 0: it is not imported."""
        return self.reading or Reading(0, MISSING)

    @property
    def own(self) -> Judgment | None:
        """The judgment of the present assessor; judging pages show nobody else's."""
        is_own = self.judgment and self.judgment.assessor_id == self.assignment.assessor_id
        return self.judgment if is_own else None

    @property
    def predecessor(self) -> User | None:
        """Who judged the document before the assignment passed on, if that still counts."""
        return self.judgment.assessor if self.judgment and not self.own else None

    @property
    def number(self) -> int:
        return self.position + 1
