"""Many people judge one shared topic at once, each on a connection of their own."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from statistics import median_low

import pytest
from django.db import connection
from django.utils import timezone

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from assess.services import handover, sharing
from tests import make
from tests.db.judging import answer, undo
from tests.db.races import overtaken
from tests.db.sharing import lent, n_judged, of, one_topic, shared

pytestmark = pytest.mark.django_db(transaction=True)

N_PEOPLE, N_DOCUMENTS, N_WANTED = 10, 12, 3
Judged = Counter[tuple[int, str]]  # by assignment and document


def crowd(assignments: list[Assignment]) -> Judged:
    start = threading.Barrier(len(assignments))

    def work(assignment: Assignment) -> Judged:
        start.wait()
        try:
            return judge_on(assignment, Random(assignment.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(assignments)) as threads:
        return sum(threads.map(work, assignments), Counter())


def judge_on(assignment: Assignment, chance: Random) -> Judged:
    """Judge, put off and undo until nothing is lent."""
    seen: Judged = Counter()
    who, pk = assignment.assessor, assignment.pk
    while True:
        is_lent = sharing.lend(assessor=who, assignment=assignment)
        entry = assignment.entries.next_open()
        if entry is None and not is_lent:
            return seen
        if entry is None:
            continue
        turn = chance.random()
        if turn < 0.1 and entry.judgment is None:
            answer(assignment, entry.docno, "later")
        elif turn < 0.15:
            answer(assignment, entry.docno, "cannot_judge", reason="other")
        else:
            answer(assignment, entry.docno, grade=chance.randrange(4))
            seen[pk, entry.docno] += 1
        if turn > 0.95 and (undone := undo(assessor=who, assignment=assignment)):
            seen[pk, undone.docno] -= undone.events.last().from_state == "judged"


@pytest.mark.slow
def test_many_at_once(olga, pat):
    """Nobody who is lent a document in time is refused: that would end the crowd."""
    people = [make.user(f"assessor{n}") for n in range(N_PEOPLE)]
    queue = shared(one_topic(olga, pat, people, N_DOCUMENTS), people, n_wanted=N_WANTED)
    seen = crowd([of(queue, person) for person in people])
    # One who was there last may have undone an answer when the others had gone: they come back.
    for person in people:
        seen += judge_on(of(queue, person), Random(1))
    left = queue.documents.unsettled()
    assert not left.exists(), list(left.values())
    counting = Judgment.objects.current().filter(state="judged")
    pairs = Counter(counting.values_list("assignment", "item__key"))
    assert set(pairs.values()) == {1}
    assert pairs == +seen, "all that was saved counts, and nothing else"
    by_document = Counter(counting.values_list("item__key", flat=True))
    assert max(by_document.values()) == N_WANTED
    assert {docno: n for docno, n in n_judged(queue).items() if n} == by_document
    grades: dict[str, list[int]] = {docno: [] for docno in by_document}
    for docno, grade in counting.values_list("item__key", "grade"):
        grades[docno].append(grade)
    official = OfficialGrade.objects.grades(queue.topic.campaign)["1"]
    assert official == {docno: median_low(given) for docno, given in grades.items()}
    for assignment in Assignment.objects.all():
        assert assignment.n_entries == assignment.entries.held().count()
        assert assignment.n_judged == counting.filter(assignment=assignment).count()
    open_ones = AssignmentEntry.objects.filter(judgment=None, leased_until__gt=timezone.now())
    assert not open_ones.exists()


@pytest.fixture
def three(campaign, pat, people):
    """A pool of two documents, and those who share it."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    return people


def test_the_last_place_is_one_persons_however_late_the_other(campaign, three):
    """Ada's time is over and Ben was lent her document: who answers first has the place."""
    queue = shared(campaign, three[:2], n_wanted=1)
    first, second = of(queue, three[0]), of(queue, three[1])
    [docno, _] = lent(first)
    AssignmentEntry.objects.filter(assignment=first).update(leased_until=timezone.now())
    assert docno in lent(second)
    refusal = overtaken(
        lambda: answer(first, docno, grade=1), lambda: answer(second, docno, grade=1)
    )
    assert isinstance(refusal, Refused)
    assert f"Others finished {docno} first: it has its 1 judgment." in str(refusal)
    assert n_judged(queue)[docno] == 1


def test_two_who_ask_at_once_are_lent_different_documents(campaign, three):
    queue = shared(campaign, three, n_wanted=1)
    first, second = of(queue, three[0]), of(queue, three[1])
    overtaken(lambda: lent(first), lambda: lent(second))
    held = [*first.entries.all(), *second.entries.all()]
    assert sorted(each.docno for each in held) == ["d1", "d2"]


def test_an_assessor_taken_back_meanwhile_saves_nothing_and_the_document_is_free(campaign, three):
    queue = shared(campaign, three, n_wanted=2)
    first = of(queue, three[0])
    [docno, *_] = lent(first)
    olga = make.organizer_of(campaign)
    refusal = overtaken(
        lambda: handover.take_back(user=olga, assignment=first),
        lambda: answer(first, docno, grade=1),
    )
    assert str(refusal) == "Topic 1 was taken back from you."
    assert n_judged(queue) == {"d1": 0, "d2": 0}
    assert all(docno in lent(of(queue, person)) for person in three[1:])


def test_the_terms_can_be_changed_while_people_judge(campaign, three):
    """The change waits for the documents being judged, and keeps no answer from being stored."""
    queue = shared(campaign, three, n_wanted=2)
    first = of(queue, three[0])
    [docno, _] = lent(first)

    def judge():
        answer(first, docno, grade=1)
        undo(assessor=three[0], assignment=first)  # its row again

    olga = make.organizer_of(campaign)
    changed = overtaken(
        judge, lambda: sharing.change_sharing(user=olga, queue=queue, n_wanted=1, lease_minutes=30)
    )
    assert changed.n_wanted == 1
    assert set(queue.documents.values_list("n_wanted", flat=True)) == {1}
