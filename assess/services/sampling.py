"""Have more documents of a topic judged twice, at any time."""

from accounts.access import Invalid, Refused, check_seen
from accounts.models import User
from assess.access.assigning import Assignments
from assess.assignments import Kind, Placed, serve_more
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.services.handover import locked_assignment
from campaigns.acting import act
from campaigns.models.trail import AuditEvent
from cleverdon.pools import seeds
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool


@act(Assignments.assign)
def sample_more(*, user: User, assignment: Assignment, n: int, seen: str | None = None) -> int:
    """Draw n more documents of the topic for a second assessor; tell how many there were to draw.

    They are drawn from the assignment's seed among those of the pool that it does not have, and
    come behind the rest. `seen` is the version of its number of documents.
    """
    locked = locked_assignment(assignment)
    topic = locked.topic
    check_seen(seen, version(locked.n_entries), f"The assignment, now of {locked.n_entries:,},")
    if locked.kind != Kind.SECOND:
        raise Refused("A sample is drawn for a second assessor: others judge all documents.")
    if n < 1:
        raise Invalid("n", "Draw at least one document.")
    undrawn = _undrawn(locked)
    if not undrawn:
        raise Refused(f"{locked.assessor} has every document of topic {topic} already.")
    drawn = seeds.shuffled(undrawn, seeds.seed_for(locked.seed, locked.n_entries))[:n]
    serve_more(locked, [Placed(undrawn[docno], locked.kind) for docno in drawn])
    what = f"{topic}, {locked.assessor}: {counted(len(drawn), 'document')}"
    kind = AssessEvent.SAMPLE_EXTENDED
    AuditEvent.record(topic.campaign, user, kind, what, assignment=locked.pk, asked=n)
    return len(drawn)


def _undrawn(assignment: Assignment) -> dict[str, int]:
    """Return the items of the pool that a second assessor does not have, by docno."""
    pool = Pool.objects.get(campaign=assignment.topic.campaign)
    had = assignment.entries.counting().values("item")
    pooled = PoolEntry.objects.in_pool(pool).filter(topic=assignment.topic).exclude(item__in=had)
    return dict(pooled.values_list("item__key", "item"))
