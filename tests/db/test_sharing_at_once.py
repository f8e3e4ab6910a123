"""Twenty people on twenty connections judge one shared topic: the promises hold while they are
lent, judge, put off and undo at once.
"""

import threading
from collections import Counter
from random import Random

import pytest
from django.db import connection
from django.utils import timezone

from accounts.access import Refused
from assess.core.answers import Answer
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services import handover, judging, sharing
from tests import make
from tests.db.judging import undo
from tests.db.races import overtaken
from tests.db.sharing import lent, n_judged, of, shared

N_PEOPLE, N_DOCUMENTS, N_WANTED = 20, 30, 3
DOCNOS = [f"d{n:02}" for n in range(N_DOCUMENTS)]


class Crowd:
    """People who begin at the same moment, each on a connection of their own."""

    def __init__(self, assignments) -> None:
        self.failures: list[BaseException] = []
        self.seen: Counter[tuple[int, str]] = Counter()
        self.most: list[int] = []
        self.start = threading.Barrier(len(assignments))
        self.lock = threading.Lock()
        self.threads = [
            threading.Thread(target=self.work, args=[assignment, Random(assignment.pk)])
            for assignment in assignments
        ]

    def run(self) -> None:
        for thread in self.threads:
            thread.start()
        for thread in self.threads:
            thread.join()

    def work(self, assignment: Assignment, chance: Random) -> None:
        try:
            self.start.wait()
            self.judge_on(assignment, chance)
        except BaseException as error:  # noqa: BLE001 - told to the test
            self.failures.append(error)
        finally:
            connection.close()

    def judge_on(self, assignment: Assignment, chance: Random) -> None:
        while (
            sharing.lend(assessor=assignment.assessor, assignment=assignment)
            or assignment.entries.next_open()
        ):
            self.act(assignment, chance)

    def act(self, assignment: Assignment, chance: Random) -> None:
        entry = assignment.entries.next_open()
        if entry is None:
            return
        turn = chance.random()
        who = assignment.assessor
        if turn < 0.1 and entry.judgment is None:
            answer = Answer(entry.docno, "later")
        elif turn < 0.15:
            answer = Answer(entry.docno, "cannot_judge", reason="other")
        else:
            answer = Answer(entry.docno, "judged", chance.randrange(4))
        judging.judge(assessor=who, assignment=assignment, answer=answer)
        with self.lock:
            self.seen[assignment.pk, entry.docno] += answer.state == "judged"
        if turn > 0.95 and (undone := undo(assessor=who, assignment=assignment)):
            with self.lock:
                self.seen[assignment.pk, undone.docno] -= (
                    undone.events.last().from_state == "judged"
                )


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_twenty_at_once(olga, pat):
    people = [make.user(f"assessor{n}") for n in range(N_PEOPLE)]
    campaign = make.campaign(
        olga, assessors=people, participants={"Pat's": [pat]}, topics=["1"], docnos=DOCNOS
    )
    make.frozen_pool(
        campaign, [make.run(campaign, pat, {"1": " ".join(DOCNOS)})], depth=N_DOCUMENTS
    )
    queue = shared(campaign, people, n_wanted=N_WANTED, minutes=30)
    crowd = Crowd([of(queue, person) for person in people])
    crowd.run()
    # One who was there last may have undone an answer when the others had gone: they come back.
    for person in people:
        crowd.judge_on(of(queue, person), Random(1))
    assert crowd.failures == [], "whoever is lent a document in time is never refused"
    left = queue.documents.unsettled()
    assert not left.exists(), list(left.values())
    counting = Judgment.objects.current().filter(state="judged")
    pairs = Counter(counting.values_list("assignment", "docno"))
    assert set(pairs.values()) == {1}
    assert pairs == +crowd.seen, "all that was saved counts, and nothing else"
    by_document = Counter(counting.values_list("docno", flat=True))
    assert max(by_document.values()) == N_WANTED
    assert {docno: n for docno, n in n_judged(queue).items() if n} == by_document
    for assignment in Assignment.objects.all():
        assert assignment.n_entries == assignment.entries.held().count()
        assert assignment.n_judged == counting.filter(assignment=assignment).count()
    assert not AssignmentEntry.objects.filter(
        judgment=None, leased_until__gt=timezone.now()
    ).exists()


@pytest.fixture
def three(olga, pat, ada, ben):
    cleo = make.user("cleo")
    campaign = make.campaign(
        olga, assessors=[ada, ben, cleo], participants={"Pat's": [pat]}, topics=["1"]
    )
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    return campaign, [ada, ben, cleo]


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_one_persons_however_late_the_other(three):
    """Ada's time is over and Ben was lent her document: whichever of the two answers first has the
    place.
    """
    campaign, people = three
    queue = shared(campaign, people[:2], n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    [docno, _] = lent(first)
    AssignmentEntry.objects.filter(assignment=first).update(leased_until=timezone.now())
    assert docno in lent(second)

    def judge(assignment):
        answer = Answer(docno, "judged", 1)
        return lambda: judging.judge(
            assessor=assignment.assessor, assignment=assignment, answer=answer
        )

    refusal = overtaken(judge(first), judge(second))
    assert isinstance(refusal, Refused)
    assert f"Others finished {docno} first: it has its 1 judgment." in str(refusal)
    assert n_judged(queue)[docno] == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_are_lent_different_documents(three):
    campaign, people = three
    queue = shared(campaign, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    overtaken(lambda: lent(first), lambda: lent(second))
    held = [
        *first.entries.values_list("docno", flat=True),
        *second.entries.values_list("docno", flat=True),
    ]
    assert sorted(held) == ["d1", "d2"]


@pytest.mark.django_db(transaction=True)
def test_whoever_is_taken_back_meanwhile_saves_nothing_and_the_document_is_free(three):
    campaign, people = three
    queue = shared(campaign, people, n_wanted=2)
    first = of(queue, people[0])
    [docno, *_] = lent(first)
    organizer = make.organizer_of(campaign)
    answer = Answer(docno, "judged", 1)
    refusal = overtaken(
        lambda: handover.take_back(user=organizer, assignment=first),
        lambda: judging.judge(assessor=first.assessor, assignment=first, answer=answer),
    )
    assert str(refusal) == "Topic 1 was taken back from you."
    assert n_judged(queue) == {"d1": 0, "d2": 0}
    assert docno in lent(of(queue, people[1]))
    assert docno in lent(of(queue, people[2]))


@pytest.mark.django_db(transaction=True)
def test_the_terms_can_be_changed_while_people_judge(three):
    """Whoever changes them waits for the documents of whoever judges, who is not kept from storing
    that.
    """
    campaign, people = three
    queue = shared(campaign, people, n_wanted=2)
    first = of(queue, people[0])
    [docno, _] = lent(first)

    def judge():
        judging.judge(assessor=people[0], assignment=first, answer=Answer(docno, "judged", 1))
        undo(assessor=people[0], assignment=first)  # its row again

    organizer = make.organizer_of(campaign)
    changed = overtaken(
        judge,
        lambda: sharing.change_sharing(user=organizer, queue=queue, n_wanted=1, lease_minutes=30),
    )
    assert changed.n_wanted == 1
    assert set(queue.documents.values_list("n_wanted", flat=True)) == {1}
