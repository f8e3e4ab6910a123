"""A shared topic whose terms, people or judgments change: what is kept and what comes back."""

import pytest

from accounts.access import Refused
from assess.core.answers import Act, Answer, Provenance
from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from assess.services import handover, judging, reopening, sharing
from assess.services.batches import described
from overview.services.leaving import remove_member
from pooling.models.pools import Pool
from tests import make
from tests.db.judging import answer, undo
from tests.db.sharing import Clock, judge_all, lent, live, n_judged, of, shared
from tests.worlds import once


@pytest.fixture
@once
def twice(queue, people) -> list[Assignment]:
    """The assignments of the group, of whom the first two have judged everything."""
    assignments = [of(queue, person) for person in people]
    for assignment in assignments[:2]:
        judge_all(assignment, 1)
    return assignments


def want(queue, n_wanted: int) -> None:
    user = make.organizer_of(queue.topic.campaign)
    sharing.change_sharing(user=user, queue=queue, n_wanted=n_wanted, lease_minutes=30)


def undone(assignment) -> str:
    return undo(assessor=assignment.assessor, assignment=assignment).docno


def test_more_can_be_wanted_and_fewer_takes_nothing_away(queue, twice):
    assert not queue.documents.unsettled().exists()
    want(queue, 3)
    with pytest.raises(Refused, match=r"Nothing has been changed\."):
        want(queue, 3)
    docno = lent(twice[2])[0]
    answer(twice[2], docno, grade=1)
    want(queue, 1)
    assert n_judged(queue) == {each: 3 if each == docno else 2 for each in make.DOCNOS}
    assert not queue.documents.unsettled().exists()


@pytest.mark.parametrize("how", ["reset", "reopen", "undo"])
def test_what_is_taken_away_after_fewer_are_wanted_is_not_wanted_again(queue, twice, olga, how):
    second = twice[1]
    want(queue, 1)
    if how == "undo":
        for _ in make.DOCNOS:
            undone(second)
    else:
        getattr(reopening, how)(user=olga, assignment=second)
    assert set(queue.documents.values_list("n_wanted", "n_judged")) == {(1, 1)}
    assert not queue.documents.unsettled().exists()
    assert not second.set_aside_groups()
    if how == "reset":
        at = second.judgments.first().set_aside_at
        with pytest.raises(Refused, match="these documents have all judgments wanted, from others"):
            reopening.restore(user=olga, assignment=second, set_aside_at=at)


def test_an_undone_answer_of_more_than_are_wanted_can_be_given_again(queue, twice):
    _, second, third = twice
    want(queue, 1)
    docno = undone(second)
    assert n_judged(queue)[docno] == 1
    assert lent(second) == [docno], "it stays lent for its time"
    assert docno not in lent(third)
    answer(second, docno, grade=3)
    document = queue.documents.get(item__key=docno)
    assert (document.n_judged, document.n_wanted) == (2, 2)


@pytest.mark.parametrize("n_wanted", [1, 2])
def test_but_not_where_somebody_else_has_taken_the_place(queue, twice, n_wanted, monkeypatch):
    clock = Clock(monkeypatch)
    first, second, third = twice
    if n_wanted == 1:
        want(queue, 1)
        undone(second)
    docno = undone(first)
    clock.on(31)
    assert lent(third) == [docno]
    answer(third, docno, grade=2)
    with pytest.raises(Refused, match=f"Others finished {docno} first: it has its . judgments?"):
        answer(first, docno, grade=1)
    assert lent(first) == []


@pytest.mark.parametrize("is_together", [False, True])
@pytest.mark.parametrize(("state", "reason"), [("later", ""), ("cannot_judge", "other")])
def test_nor_where_no_grade_was_taken_back(pooled, people, monkeypatch, state, reason, is_together):
    clock, queue = Clock(monkeypatch), shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    docno = lent(first)[0]
    clock.on(31)
    lent(second)
    answer(second, docno, grade=1)
    said = (state, {}, reason), ("reopened",), ("judged", {"grade": 2})
    acts = [Act(Answer(docno, *each), Provenance(), is_undo=each[0] == "reopened") for each in said]
    for some in [acts] if is_together else [[act] for act in acts]:
        _, outcomes = judging.judge_all(assessor=first.assessor, key=first.pk, acts=some)
    assert str(outcomes[-1].refusal) == f"Others finished {docno} first: it has its 1 judgment."
    assert n_judged(queue)[docno] == 1


def test_an_assessor_who_leaves_keeps_judgments_and_goes_on_after_coming_back(queue, people, olga):
    first = of(queue, people[0])
    docno, *rest = lent(first)
    answer(first, docno, grade=1)
    handover.take_back(user=olga, assignment=first)
    assert n_judged(queue)[docno] == 1
    assert not live().exists()
    with pytest.raises(Refused, match="was taken back from you"):
        answer(first, rest[0], grade=1)
    sharing.join_sharing(user=olga, queue=queue, assessors=[people[0]])
    assert set(lent(of(queue, people[0]))) == set(make.DOCNOS) - {docno}
    with pytest.raises(Refused, match="Ada already judges topic 1"):
        sharing.join_sharing(user=olga, queue=queue, assessors=[people[0]])
    with pytest.raises(Refused, match="A shared topic cannot be handed over"):
        handover.hand_over(user=olga, assignment=of(queue, people[0]), assessor=people[1])


def test_a_member_who_is_removed_leaves_what_was_lent_to_the_others(queue, people, olga, pooled):
    first = of(queue, people[0])
    lent(first)
    membership = pooled.membership_set.get(user=people[0])
    remove_member(user=olga, membership=membership, successor=people[1])
    first.refresh_from_db()
    assert first.taken_back_at
    assert not live().exists()


def test_judgments_set_aside_come_back_where_others_have_not_taken_their_place(
    pooled, people, olga
):
    queue = shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    one, other = lent(first)[:2]
    answer(first, one, grade=3)
    answer(first, other, grade=3)
    reopening.reset(user=olga, assignment=first)
    assert n_judged(queue)[one] == 0
    assert one in lent(second)
    answer(second, one, grade=1)
    [(at, n)] = first.set_aside_groups()
    assert n == 1
    back = reopening.restore(user=olga, assignment=first, set_aside_at=at)
    assert back == (1, 2, 1, 0)
    assert n_judged(queue)[one] == n_judged(queue)[other] == 1


def test_a_topic_in_which_nothing_is_judged_can_be_unshared_or_unfrozen(
    queue, people, olga, pooled
):
    lent(of(queue, people[0]))
    pool = Pool.objects.get()
    assert described(pool.last_batch) == ["3 assignments to 3 assessors, with 6 documents to judge"]
    sharing.unshare(user=olga, queue=queue)
    assert not Assignment.objects.exists()
    with pytest.raises(Refused, match="is not shared any more"):
        sharing.unshare(user=olga, queue=queue)
    shared(pooled, people)
    draft = make.taken_back(olga, pool)
    assert not SharedQueue.objects.exists()
    make.frozen(draft)
    again = shared(pooled, people)
    answer(of(again, people[0]), lent(of(again, people[0]))[0], "later")
    with pytest.raises(Refused, match="so it stays shared"):
        sharing.unshare(user=olga, queue=again)


def test_after_an_assessor_has_left_only_decisions_come_back(queue, olga, ada):
    assignment = of(queue, ada)
    reopened, *docnos = judge_all(assignment, 1)
    reopening.reopen(user=olga, assignment=assignment, docno=reopened)
    reopening.reset(user=olga, assignment=assignment)
    [(at, n)] = assignment.set_aside_groups()
    assert n == len(docnos) + 1
    handover.take_back(user=olga, assignment=assignment)
    assignment.refresh_from_db()
    assert list(assignment.set_aside_groups()) == [(at, len(docnos))]
    back = reopening.restore(user=olga, assignment=assignment, set_aside_at=at)
    assert (back, back.n_again) == ((n - 1, n, 0, 1), 0)
    assert not live().filter(assignment=assignment).exists()
    assert assignment.judgments.get(item__key=reopened).set_aside_at == at
    assert not assignment.set_aside_groups()
    with pytest.raises(Refused, match="were only put off or reopened, and left to others when"):
        reopening.restore(user=olga, assignment=assignment, set_aside_at=at)
    reopening.reopen(user=olga, assignment=assignment)  # what is open then is for others only
    assert not live().filter(assignment=assignment).exists()
    assignment.refresh_from_db()
    assert (assignment.n_entries, assignment.n_judged, assignment.n_later) == (0, 0, 0)


def test_an_assessor_who_stays_gets_back_what_was_open(queue, olga, ada):
    assignment = of(queue, ada)
    answer(assignment, lent(assignment)[0], "later")
    reopening.reset(user=olga, assignment=assignment)
    [(at, _)] = assignment.set_aside_groups()
    assert reopening.restore(user=olga, assignment=assignment, set_aside_at=at) == (1, 1, 0, 0)
