"""The assignment that a page of its assessor is about."""

import re
from uuid import UUID

from django.db.models import Exists, Q
from django.http import Http404
from django.utils import timezone

from accounts.access import NotThere, Refused, check
from accounts.models import User
from accounts.pages import UserRequest
from assess.access.judging import Judging, check_is_reader
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.web.frame import guarded

LONGEST_MS = 600_000  # that a request is believed to have been on its way
# The answer to an open page whose assignment is gone, or was never the reader's.
GONE = (
    "This topic is not given to you: it never was, the pool was unfrozen, "
    "or the rehearsal was thrown away."
)


def reader_of(request: UserRequest) -> int | None:
    """Return the user for whom the sending page was made, by its form or by a header."""
    reader = request.headers.get("Judging-Reader") or request.POST.get("reader", "")
    return int(reader) if re.fullmatch(r"\d{1,18}", reader) else None


def clock_ms() -> int:
    """Return the server's time, which a judging page compares with its own."""
    return int(timezone.now().timestamp() * 1000)


def hung_ms(request: UserRequest) -> int:
    """Return how long a request was on its way, by when its page says it was sent in this clock.

    It is 0 where a page does not know the clock yet.
    """
    sent = request.headers.get("Judging-Sent") or ""
    if not re.fullmatch(r"\d{1,18}", sent):
        return 0
    return min(max(clock_ms() - int(sent), 0), LONGEST_MS)


def was_given(user: User, slug: str, key: UUID) -> bool:
    """Tell whether somebody has this assignment, or has judged in it before it was handed on."""
    of_it = Assignment.objects.filter(public_id=key, topic__campaign__slug=slug)
    judged = Judgment.objects.filter(assignment__public_id=key, assessor=user)
    return of_it.filter(Q(assessor=user) | Exists(judged)).exists()


def own_assignment(request: UserRequest, slug: str, pk: int) -> Assignment:
    """Return the assignment to its assessor. A page made for somebody else is refused first."""
    check_is_reader(request.user, reader_of(request))
    # Practice is joined, to cost no query.
    assignments = Assignment.objects.select_related("topic__campaign__practice", "assessor")
    assignment = assignments.filter(pk=pk, topic__campaign__slug=slug).first()
    try:
        if assignment:
            check(Judging.read, request.user, assignment)
            return assignment
    except NotThere:
        pass  # answered as one that does not exist, by the same page
    if request.htmx:  # an open page asks, so that there was one
        guarded(request, slug)
        raise Refused(GONE)
    raise Http404


def own_topic(request: UserRequest, slug: str, pk: int) -> Assignment:
    """Return the assignment unless it is practice, where there are no questions and notes."""
    assignment = own_assignment(request, slug, pk)
    if assignment.is_practice:
        raise Http404
    return assignment
