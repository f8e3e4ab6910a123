"""Have more documents of a topic judged twice, at any time."""

from accounts.access import Invalid, Refused, check_seen
from accounts.models import User
from assess.access.assigning import Assignments, check_can_draw_by_grade
from assess.assignments import Kind, Placed, serve_more
from assess.core.sampling import draw_by_grade
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.strata import DrawnStratum, first_grades
from assess.services.handover import locked_assignment
from campaigns.acting import act
from campaigns.models.trail import AuditEvent
from cleverdon.pools import seeds
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool


@act(Assignments.assign)
def sample_more(
    *, user: User, assignment: Assignment, n: int, by_grade: bool = False, seen: str | None = None
) -> int:
    """Draw n more documents of the topic for a second assessor; tell how many there were to draw.

    They are drawn from the assignment's seed among those of the pool that it does not have, and
    come behind the rest. With `by_grade` each first grade comes to as many as the others; refused
    while documents have none. `seen` is the version of its number of documents.
    """
    locked = locked_assignment(assignment)
    topic = locked.topic
    check_seen(seen, version(locked.n_entries), f"The assignment, now of {locked.n_entries:,},")
    _check_can_grow(locked, n)
    items = _pooled(locked)
    had = set(locked.entries.counting().values_list("item", flat=True))
    undrawn = {docno: item for docno, item in items.items() if item not in had}
    if not undrawn:
        raise Refused(f"{locked.assessor} has every document of topic {topic} already.")
    seed = seeds.seed_for(locked.seed, locked.n_entries)
    drawn = (
        _drawn_by_grade(locked, items, undrawn, n, seed)
        if by_grade
        else seeds.shuffled(undrawn, seed)[:n]
    )
    serve_more(locked, [Placed(undrawn[docno], locked.kind) for docno in drawn])
    what = f"{topic}, {locked.assessor}: {counted(len(drawn), 'document')}"
    kind, detail = AssessEvent.SAMPLE_EXTENDED, {"by_grade": True} if by_grade else {}
    AuditEvent.record(topic.campaign, user, kind, what, assignment=locked.pk, asked=n, **detail)
    return len(drawn)


def _check_can_grow(assignment: Assignment, n: int) -> None:
    if assignment.kind != Kind.SECOND:
        raise Refused("A sample is drawn for a second assessor: others judge all documents.")
    if assignment.given_up_at:
        topic = assignment.topic
        raise Refused(f"This sample of topic {topic} was given up: give it to somebody first.")
    if n < 1:
        raise Invalid("n", "Draw at least one document.")


def _drawn_by_grade(
    assignment: Assignment, items: dict[str, int], undrawn: dict[str, int], n: int, seed: int
) -> list[str]:
    """Draw by first grade, record it, and return the documents in an order that tells no grade."""
    topic = assignment.topic
    check_can_draw_by_grade(topic)
    of_items = first_grades([topic.pk])[topic.pk]
    grades = {docno: of_items[item] for docno, item in items.items() if item in of_items}
    by_grade = draw_by_grade(n, grades, [each for each in undrawn if each in grades], seed)
    drawn = [docno for docnos in by_grade.values() for docno in docnos]
    if not drawn:
        raise Refused(f"{assignment.assessor} has every document of topic {topic} with a grade.")
    strata = {items[docno]: grade for docno, grade in grades.items()}
    DrawnStratum.objects.record(assignment, strata, [items[docno] for docno in drawn])
    return seeds.shuffled(drawn, seed)


def _pooled(assignment: Assignment) -> dict[str, int]:
    """Return the items of the pool that are of the topic, by docno."""
    pool = Pool.objects.get(campaign=assignment.topic.campaign)
    pooled = PoolEntry.objects.in_pool(pool).filter(topic=assignment.topic)
    return dict(pooled.values_list("item__key", "item"))
