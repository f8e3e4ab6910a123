"""Topics that a group judges together: their documents, and how many judgments each has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import connection, models
from django.db.models import Count, Exists, F, Func, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from assess.core.sharing import Tally
from assess.models.official import OfficialGrade
from campaigns.models.campaign import SharedRule
from cleverdon.trec.versions import version
from collection.models.items import Item, Keyed
from collection.models.texts import Topic
from pooling.models.pools import Pool

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from campaigns.models.campaign import Campaign


def is_settled() -> Q:
    """Return the condition of settled documents."""
    return Q(is_settled=True)


class SharedDocumentQuerySet(models.QuerySet["SharedDocument"]):
    def unsettled(self) -> Self:
        return self.filter(is_settled=False)

    def of(self, campaign: Campaign) -> Self:
        return self.filter(queue__topic__campaign=campaign)

    def tied(self, campaign: Campaign) -> Self:
        """Return those that have their judgments and wait for an adjudicator, as the rule says."""
        if campaign.shared_rule != SharedRule.DECIDED_MAJORITY:
            return self.none()
        official = OfficialGrade.objects.current().filter(item=OuterRef("item"))
        return self.of(campaign).filter(~Exists(official), is_settled(), n_judged__gt=0)

    def n_by_judgments(self) -> dict[int, int]:
        """Return the number of documents by their number of judgments."""
        rows = self.order_by().values_list("n_judged")
        return dict(rows.annotate(n=Count("pk")))

    def n_graded_by_topic(self, campaign: Campaign) -> Mapping[int, int]:
        """Return by topic id how many documents of shared topics have an official grade."""
        settled = self.of(campaign).filter(is_settled(), n_judged__gt=0)
        if campaign.shared_rule == SharedRule.DECIDED_MAJORITY:  # ties may wait for theirs
            official = OfficialGrade.objects.current().filter(item=OuterRef("item"))
            settled = settled.filter(Exists(official))
        rows = settled.order_by().values_list("queue__topic")
        return dict(rows.annotate(n=Count("pk")))


SUMS = {
    "graded": Count("pk", filter=is_settled() & Q(n_judged__gt=0)),
    "impossible": Count("pk", filter=is_settled() & Q(n_judged=0)),
}
# How far the documents of these queues are. A member who has decided one has had it; former
# members do not count. In SQL because the entries are defined after this module.
TALLIES = """
    SELECT document.queue_id, document.n_wanted, document.n_judged, document.n_impossible,
        coalesce(people.n, 0) - coalesce(had.n, 0), count(*)
    FROM assess_shareddocument document
    LEFT JOIN (
        SELECT queue_id, count(*) AS n FROM assess_assignment
        WHERE queue_id = ANY (%(queues)s) AND taken_back_at IS NULL GROUP BY queue_id
    ) people ON people.queue_id = document.queue_id
    LEFT JOIN (
        SELECT entry.shared_id, count(*) AS n FROM assess_assignmententry entry
        JOIN assess_assignment assignment ON assignment.id = entry.assignment_id
        WHERE assignment.queue_id = ANY (%(queues)s) AND assignment.taken_back_at IS NULL
        AND entry.leased_until IS NULL AND entry.given_up_at IS NULL GROUP BY entry.shared_id
    ) had ON had.shared_id = document.id
    WHERE document.queue_id = ANY (%(queues)s)
    GROUP BY 1, 2, 3, 4, 5
"""


def tallies_of(queues: Collection[int]) -> dict[int, dict[Tally, int]]:
    """Return by queue id how many of its documents are how far."""
    found: dict[int, dict[Tally, int]] = {queue: {} for queue in queues}
    if found:
        with connection.cursor() as cursor:
            cursor.execute(TALLIES, {"queues": list(queues)})
            for queue, *tally, n in cursor.fetchall():
                found[queue][Tally(*tally)] = n
    return found


class SharedQueue(models.Model):
    """A topic of which each document is judged by `n_wanted` people of a group.

    Documents are leased for a time: those with the fewest judgments first, then in their order.
    """

    topic = models.OneToOneField(Topic, on_delete=models.PROTECT, related_name="shared_queue")
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT)
    seed = models.BigIntegerField(help_text="The order was shuffled from it.")
    n_wanted = models.PositiveSmallIntegerField(help_text="Judgments per document.")
    lease_minutes = models.PositiveSmallIntegerField(
        help_text="For how long a document is lent to somebody."
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"shared topic {self.topic}"

    def put(self, items: Sequence[int]) -> None:
        """Append items, by their ids, to the queue."""
        last = self.documents.aggregate(last=models.Max("position"))["last"]
        rows = [
            SharedDocument(queue=self, position=position, item_id=item, n_wanted=self.n_wanted)
            for position, item in enumerate(items, 0 if last is None else last + 1)
        ]
        SharedDocument.objects.bulk_create(rows, batch_size=5000)

    @property
    def terms(self) -> str:
        """The version of what can be changed."""
        return version(self.n_wanted, self.lease_minutes)


class SharedDocument(Keyed, models.Model):
    """An item of a shared queue. Its counts change with each judgment, under a row lock."""

    queue = models.ForeignKey(SharedQueue, on_delete=models.CASCADE, related_name="documents")
    position = models.PositiveIntegerField()
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    n_wanted = models.PositiveSmallIntegerField(
        help_text="As its queue has it; more if it had more when that number was lowered."
    )
    n_judged = models.PositiveSmallIntegerField(default=0)
    n_impossible = models.PositiveSmallIntegerField(default=0)
    # As `core.rules.is_settled`.
    is_settled = models.GeneratedField(
        expression=models.ExpressionWrapper(
            Q(n_judged__gte=F("n_wanted")) | Q(n_impossible__gte=F("n_wanted")),
            output_field=models.BooleanField(),
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    objects = SharedDocumentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "position"], name="one_shared_document_per_position"
            ),
            models.UniqueConstraint(fields=["queue", "item"], name="shared_once"),
            models.CheckConstraint(
                condition=Q(n_judged__lte=F("n_wanted")), name="no_more_judgments_than_wanted"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.queue}: {self.docno}"


class LeftInQueue(Func):
    """How many documents of a queue are left for an assignment: open, and not decided in it.

    Takes the two columns. In SQL because the entries are defined after this module. `OFFSET 0`
    makes PostgreSQL read the entries of the assignment first, not those of all assignments.
    """

    output_field = models.IntegerField()
    template = """(
        SELECT (
            SELECT count(*) FROM assess_shareddocument document
            WHERE document.queue_id = its.queue AND NOT document.is_settled
        ) - (
            SELECT count(*) FROM (
                SELECT entry.shared_id FROM assess_assignmententry entry
                WHERE entry.assignment_id = its.assignment
                AND entry.leased_until IS NULL AND entry.given_up_at IS NULL OFFSET 0
            ) decided
            JOIN assess_shareddocument document ON document.id = decided.shared_id
            WHERE NOT document.is_settled
        )
        FROM (VALUES (%(expressions)s)) AS its (queue, assignment)
    )"""
