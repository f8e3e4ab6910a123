"""Record judgments."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts.access import Refused
from accounts.models import User
from assess.assignments import lock_assigning
from assess.core.answers import Act, Answer, Provenance, Seen
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.services.recording import USED, Outcome, Recording
from campaigns.models.campaign import Campaign


@contextmanager
def _recorded_once() -> Iterator[None]:
    """Write in one transaction; refuse a client id just recorded elsewhere."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "client_id" not in str(error):
            raise
        raise Refused(USED) from error


def judge_all(
    *, assessor: User, key: int | UUID, acts: Sequence[Act], slug: str = ""
) -> tuple[Assignment, list[Outcome]]:
    """Record acts on an assignment in their order, each once; a refused one stops no other.

    Return the assignment with its new counts, and what became of each act. `key` and `slug` are as
    in `lock_assignment`. Raises Refused where the assessor may not judge at all.
    """
    with _recorded_once():
        recording = Recording(assessor, key, slug, acts)
        if not recording.locks_more(acts):
            return recording.assignment, recording.take_all(acts)
    with _recorded_once():
        rows = Campaign.objects.select_for_update(of=("self",), no_key=True)
        lock_assigning(rows.get(topic__assignment=recording.assignment.pk))
        recording = Recording(assessor, key, slug, acts)
        return recording.assignment, recording.take_all(acts)


def judge(
    *,
    assessor: User,
    assignment: Assignment,
    answer: Answer,
    provenance: Provenance | None = None,
    seen: Seen | None = None,
    number: int | None = None,
) -> Judgment:
    """Record an answer in place of an earlier one. The judgment's `assignment` has the new counts.

    `number` is as in `Act`. An answer about something other than the present text is `Stale`.
    """
    act = Act(answer, provenance or Provenance(), seen or Seen(), number=number)
    locked, [outcome] = judge_all(assessor=assessor, key=assignment.pk, acts=[act])
    judgment = outcome.judgment()
    judgment.assignment = locked
    return judgment
