"""What came last is known by its number: a clock may be set an hour back or forward in between."""

from datetime import timedelta
from itertools import accumulate, permutations

import pytest
from django.utils import timezone

from assess.services import judging
from campaigns.models.trail import AuditEvent
from jobs.models import Job
from runs.models import Run
from tests import make
from tests.db.judging import answer
from tests.db.workers import job_of
from tests.worlds import once

HOUR = timedelta(hours=1)
JUMPS = sorted(set(permutations([HOUR, -HOUR, -2 * HOUR, timedelta(0)])))[::11]


@pytest.fixture(params=JUMPS, ids=str)
def jumping(request, monkeypatch):
    """Let the clock jump each time that it is read."""
    begun = timezone.now()
    readings = accumulate(request.param * 100, initial=begun)
    monkeypatch.setattr(timezone, "now", lambda: next(readings))


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    run = make.run(campaign, pat, {"1": "d1 d2 d3 d4 d5 d6"})
    make.frozen_pool(campaign, [run], depth=6)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def undone(assignment) -> str:
    return judging.undo(assessor=assignment.assessor, assignment=assignment).docno


def test_undo_reopens_what_was_decided_last(assignment, jumping):
    for docno in ("d3", "d1", "d4", "d2"):
        make.judgment(assignment, docno, 1)
    make.judgment(assignment, "d1", 2)
    assert [undone(assignment) for _ in range(4)] == ["d1", "d2", "d4", "d3"]


def test_what_was_put_off_first_comes_first(assignment, jumping):
    docnos = [entry.docno for entry in assignment.entries.order_by("-position")]
    for docno in docnos:
        answer(assignment, docno, "later")
    for docno in docnos:
        assert assignment.entries.next_open().docno == docno
        make.judgment(assignment, docno, 0)


def test_lists_are_in_the_order_of_events(olga, pat, campaign, jumping, queued):
    tags = ["c", "a", "d", "b"]
    for tag in tags:
        make.submitted(campaign, pat, "1 Q0 d1 1 1 x", tag)
    made = [job_of(campaign, olga).pk for _ in range(4)]
    events = AuditEvent.objects.filter(kind="run.submitted")
    assert [event.subject for event in events] == tags[::-1]
    assert [run.tag for run in Run.objects.all()] == tags[::-1]
    recent = Job.objects.recent(campaign).filter(kind="build_pool")
    assert [job.pk for job in recent] == made[::-1]
