"""How far assignments are: what is left in them, and sums over many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.db import models
from django.db.models import Case, Count, ExpressionWrapper, F, FilteredRelation, Max, Q, Sum, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan

from assess.core import purposes
from assess.core.purposes import CONTROLS, SHARED
from assess.models.controls import NControls
from assess.models.sharing import LeftInQueue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models.expressions import Combinable

    from assess.models.assigning import Assignment  # noqa: F401 - named as text below


DECIDED = F("n_judged") + F("n_cannot_judge")


class Counts(NamedTuple):
    """How far an assignment is: columns of its row, and conditions on its judgments."""

    judged: Combinable
    cannot_judge: Combinable
    open: Combinable
    reopened: Q  # the judgments that are to be given again
    before: Q  # those that an earlier assessor gave

    @property
    def left(self) -> Case:
        """What its assessor can still judge: of a shared topic also what nobody has been given."""
        return Case(When(kind=SHARED, then=LeftInQueue("queue", "pk")), default=self.open)

    @property
    def has_left(self) -> Q:
        return Q(GreaterThan(self.left, 0))


def _counts(*purposes: str) -> Counts:
    """Return the counts of these purposes; those of controls are added to the row's."""

    def n_in(counted: Combinable, *states: str) -> Combinable:
        if set(purposes).isdisjoint(CONTROLS):
            return counted
        return counted + NControls("pk", states=", ".join(f"'{state}'" for state in states))

    current = Q(judgments__set_aside_at=None, judgments__purpose__in=purposes)
    return Counts(
        judged=n_in(F("n_judged"), "judged"),
        cannot_judge=n_in(F("n_cannot_judge"), "cannot_judge"),
        open=n_in(F("n_entries") - DECIDED, "unjudged", "later", "reopened"),
        reopened=current & Q(judgments__state="reopened"),
        before=current
        & Q(judgments__state__in=["judged", "cannot_judge"])
        & ~Q(judgments__assessor=F("assessor")),
    )


# What official figures count, and what assessors are shown, which is more by the controls.
COUNTING, SERVED = _counts(*purposes.COUNTING), _counts(*purposes.COUNTING, *CONTROLS)
# The documents that only one person judges: of a shared topic those they have decided.
OWN_SIZE = Case(When(kind=SHARED, then=DECIDED), default=F("n_entries"))
# How far an assignment is, for filters.
PROGRESS = {
    "not begun": Q(COUNTING.has_left, taken_back_at__isnull=True, n_changes=0),
    "under way": Q(COUNTING.has_left, taken_back_at__isnull=True, n_changes__gt=0),
    "finished": Q(~COUNTING.has_left, taken_back_at__isnull=True),
    "taken back": Q(taken_back_at__isnull=False),
}

# Those that need no other assessor: somebody has it, or everything in it is decided.
PROVIDED_FOR = Q(taken_back_at__isnull=True) | Q(n_entries=DECIDED)


class AssignmentTotals(models.QuerySet["Assignment"]):
    """How far assignments are, one by one and in sums."""

    def matching(self, words: str, progress: str) -> Self:
        """Return the assignments with these words in topic or assessor, and this `PROGRESS`."""
        rows = self.filter(PROGRESS[progress]) if progress in PROGRESS else self
        for word in words.split():
            found = (
                Q(topic__number__iexact=word)
                | Q(topic__title__icontains=word)
                | Q(assessor__username__icontains=word)
                | Q(assessor__first_name__icontains=word)
                | Q(assessor__last_name__icontains=word)
            )
            rows = rows.filter(found)
        return rows

    def unfinished_first(self) -> Self:
        """Order the assignments for an assessor: unfinished ones come first."""
        is_finished = ExpressionWrapper(~SERVED.has_left, models.BooleanField())
        return self.order_by(is_finished, "topic", "kind", "pk")

    def unfinished(self) -> Self:
        return self.filter(COUNTING.has_left)

    def with_left(self, counts: Counts = COUNTING) -> Self:
        """Annotate `n_left`, which saves a query for each shared assignment."""
        return self.annotate(n_left=counts.left)

    def with_reopened(self, counts: Counts = COUNTING) -> Self:
        """Annotate `n_reopened`, which saves a query for each assignment."""
        reopened = FilteredRelation("judgments", condition=counts.reopened)
        return self.annotate(reopened=reopened, n_reopened=Count("reopened"))

    def n_topics_by_assessor(self) -> dict[int, int]:
        """Return by assessor's id how many of these they have."""
        rows = self.order_by().values_list("assessor")
        return dict(rows.annotate(n=Count("pk")))

    def totals(self) -> dict[int, dict[str, Any]]:
        """Return sums by assessor's id, named as below.

        `decided` is judged or impossible, `n_put_off` *later* without those reopened, `n_before`
        decided ones that others had judged before, `n_primary` left as primary assessor, and
        `n_sharing` shared topics with something left.
        """
        rows = self.order_by().values("assessor")
        is_primary = Q(kind="primary")
        summed = rows.annotate(
            n_topics=Count("pk"),
            n_documents=Sum(OWN_SIZE),
            judged=Sum("n_judged"),
            impossible=Sum("n_cannot_judge"),
            decided=Sum(DECIDED),
            n_primary=Coalesce(Sum(COUNTING.open, filter=is_primary), 0),
            n_later=Sum("n_later"),
            n_sharing=Count("pk", filter=Q(kind=SHARED) & COUNTING.has_left),
            given_at=Max("given_at"),
        )
        counted = self.order_by().filter(COUNTING.reopened).values_list("assessor")
        reopened = dict(counted.annotate(n=Count("judgments")))
        before = self.n_before()
        totals: dict[int, dict[str, Any]] = {row["assessor"]: {**row} for row in summed}
        for pk, total in totals.items():
            total["n_before"] = before.get(pk, 0)
            total["n_reopened"] = reopened.get(pk, 0)
            total["n_put_off"] = total["n_later"] - total["n_reopened"]
        return totals

    def n_before(self, counts: Counts = COUNTING) -> dict[int, int]:
        """Return by assessor's id how many documents earlier assessors judged, without zeros."""
        # Whoever decided something in an assignment has a day there.
        others = FilteredRelation("days", condition=~Q(days__assessor=F("assessor")))
        passed_on = self.order_by().annotate(others=others).filter(others__isnull=False)
        rows = self.order_by().filter(pk__in=passed_on.values("pk")).values_list("assessor")
        found = rows.annotate(n=Count("judgments", filter=counts.before))
        return {assessor: n for assessor, n in found if n}

    def sizes(self, counts: Counts) -> dict[str, int]:
        """Return how many documents there are, and how many are judged, impossible or left.

        What is left of shared topics others may judge too: `n_documents` and `n_own_left` are
        without it.
        """
        sums = self.order_by().aggregate(
            n_left=Coalesce(Sum(counts.left), 0),
            n_own_left=Coalesce(Sum(counts.open, filter=~Q(kind=SHARED)), 0),
            n_judged=Coalesce(Sum(counts.judged), 0),
            n_cannot_judge=Coalesce(Sum(counts.cannot_judge), 0),
        )
        n_left = sums.pop("n_left")
        n_shared_left = n_left - sums["n_own_left"]
        return {
            **sums,
            "n_documents": sum(sums.values()),
            "n_shared_left": n_shared_left,
            "n_left": n_left,
        }

    def n_by_progress(self) -> dict[str, int]:
        """Return how many are in each state of `PROGRESS`."""
        names = {name.replace(" ", "_"): name for name in PROGRESS}
        counts = {key: Count("pk", filter=PROGRESS[name]) for key, name in names.items()}
        found = self.order_by().aggregate(**counts)
        return {name: found[key] for key, name in names.items()}

    def done_by_kind(self) -> dict[str, int]:
        """Count primary grades, second ones given and wanted, and assignments of shared topics."""
        primary, second = Q(kind="primary"), Q(kind="second")
        return self.order_by().aggregate(
            n_official=Coalesce(Sum("n_judged", filter=primary), 0),
            n_impossible=Coalesce(Sum("n_cannot_judge", filter=primary), 0),
            n_second=Coalesce(Sum("n_judged", filter=second), 0),
            n_second_wanted=Coalesce(Sum("n_entries", filter=second & PROVIDED_FOR), 0),
            n_shared=Count("pk", filter=Q(kind=SHARED)),
        )

    def n_documents_by_assessor(self) -> Iterable[tuple[int, int]]:
        """Return how many documents each assessor has, by id."""
        return self.order_by().values_list("assessor").annotate(n=Sum(OWN_SIZE))
