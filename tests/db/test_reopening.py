"""Judgments set aside, brought back, reopened and undone: the grades are those last given."""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.access import Refused
from agreement.tallies import so_far
from assess.access.answers import Stale
from assess.core.answers import Act, Answer, Provenance, Seen
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services import handover, judging, reopening
from campaigns.models.trail import AuditEvent
from tests import make
from tests.db.judging import act, answer, counts, done, official, undo
from tests.db.locks import locked
from tests.several import twice_judged

SECOND = Assignment.Kind.SECOND


def test_a_reset_keeps_everything_and_can_be_taken_back(begun, pooled):
    sent = {"grade": 1, "client_id": uuid4()}
    for _ in range(2):
        answer(begun, "d1", **sent)
    answer(begun, "d1", grade=2)
    before = list(JudgmentEvent.objects.values())
    seen = begun.n_changes
    assert act(reopening.reset, begun) == 3
    assert (official(pooled), counts(begun)) == ({}, (0, 0, 0))
    assert list(JudgmentEvent.objects.values()) == before
    assert begun.n_changes > seen
    with pytest.raises(Refused, match="nothing to set aside"):
        act(reopening.reset, begun)
    with pytest.raises(Refused, match="has been set aside since"):
        answer(begun, "d1", **sent)  # again, as its answer was lost
    answer(begun, "d1", grade=0)
    aside = begun.judgments.get(item__key="d2").set_aside_at
    assert act(reopening.restore, begun, set_aside_at=aside) == (2, 3, 0, 0)
    assert (official(pooled), counts(begun)) == ({"d1": 0}, (1, 1, 1))
    for at, why in ((aside, "judged again"), (begun.created_at, "no judgment was set aside then")):
        with pytest.raises(Refused, match=f"nothing to bring back: .*{why}"):
            act(reopening.restore, begun, set_aside_at=at)


def test_what_was_only_put_off_since_a_reset_gives_way(begun, pooled):
    """One is put off now, another judged again and reopened."""
    before = official(pooled), counts(begun)
    act(reopening.reset, begun)
    [(aside, _)] = begun.set_aside_groups()
    answer(begun, "d1", "later")
    answer(begun, "d2", grade=3)
    undo(begun)
    assert list(begun.set_aside_groups()) == [(aside, 3)]
    assert act(reopening.restore, begun, set_aside_at=aside) == (3, 3, 0, 0)
    assert (official(pooled), counts(begun)) == before


def test_one_grade_is_reopened_and_its_history_says_by_whom(begun, olga, pooled):
    assert act(reopening.reopen, begun, docno="d1") == 1
    judgment = begun.judgments.get(item__key="d1")
    assert (judgment.state, judgment.grade, judgment.comment) == ("reopened", None, "mine")
    event = judgment.events.last()
    assert (event.by, event.from_grade, event.to_state) == (olga, 2, "reopened")
    assert (official(pooled), counts(begun)) == ({}, (0, 2, 1))
    with pytest.raises(Refused, match="Document d1 has no judgment to reopen"):
        act(reopening.reopen, begun, docno="d1")
    assert act(reopening.reopen, begun) == 1, "the whole topic"
    assert counts(begun) == (0, 3, 0)
    with pytest.raises(Refused, match="All documents are open"):
        act(reopening.reopen, begun)


ACTS = ("judge", "judge", "judge", "undo", "hand", "take", "reset", "restore", "one")
WHICH, PERSON, NUMBER, GRADE = (st.integers(*span) for span in ((0, 1), (0, 2), (1, 6), (0, 3)))
STEPS = st.lists(st.tuples(st.sampled_from(ACTS), WHICH, PERSON, NUMBER, GRADE), max_size=8)


def test_the_grades_are_those_last_given(topic, ada, ben, cleo):
    """Two assignments and three people; each act may be refused, and then has changed nothing."""
    first, second = make.assignment(topic, ada), make.assignment(topic, ben, SECOND)

    @given(STEPS)
    def check(steps):
        with transaction.atomic():
            expected: dict[str, int] = {}
            for step, which, person, number, grade in steps:
                assignment = Assignment.objects.get(pk=(first, second)[which].pk)
                docno, n_changes = f"d{number}", assignment.n_changes
                entry = assignment.entries.get(item__key=docno)
                took = done(step, assignment, entry, grade, (ada, ben, cleo)[person])
                found = official(topic.campaign)
                if which == 1 or not took or step in {"hand", "take"}:
                    assert found == expected
                elif step == "judge":
                    assert found == {**expected, docno: grade}
                elif step in {"reset", "one"}:
                    assert not found if step == "reset" else docno not in found
                assignment.refresh_from_db()
                assert found == expected or assignment.n_changes > n_changes
                expected = found
            hold_together(topic)
            transaction.set_rollback(True)

    check()


def hold_together(topic) -> None:
    """Each judgment that counts is the one of its document; the counts are true."""
    served = AssignmentEntry.objects.exclude(judgment=None)
    assert set(served.values_list("judgment", flat=True)) == set(
        Judgment.objects.current().values_list("pk", flat=True)
    )
    for assignment in topic.assignment_set.all():
        states = Counter(assignment.judgments.current().values_list("state", flat=True))
        later = states["later"] + states["reopened"]
        assert counts(assignment) == (states["judged"], later, states["cannot_judge"])
    assert so_far(topic.campaign).grades.n_pairs == len(twice_judged(topic.campaign))


def given_over(begun, ben, *replacing):
    """Ben has the topic now, and judges documents that Ada judged before him."""
    act(handover.hand_over, begun, assessor=ben)
    begun.refresh_from_db()
    for docno in replacing:
        answer(begun, docno, grade=3, comment="Ben's")


def test_a_grade_of_the_next_assessor_sets_the_earlier_one_aside(begun, ben, pooled):
    given_over(begun, ben)
    assert undo(begun) is None, "nothing of an assessor before"
    answer(begun, "d1", grade=3)
    assert official(pooled) == {"d1": 3}
    assert counts(begun) == (1, 1, 1)
    earlier = begun.judgments.get(item__key="d1", assessor__username="ada")
    assert (earlier.grade, earlier.comment) == (2, "mine")
    assert earlier.set_aside_at
    newer = begun.judgments.get(item__key="d1", assessor=ben)
    assert (newer.comment, newer.events.get().from_grade) == ("", 2)
    answer(begun, "d5", grade=0)
    assert undo(begun).docno == "d5"


def test_undo_brings_back_what_counted_before(begun, ben, pooled):
    given_over(begun, ben, "d1", "d3")
    assert (official(pooled), counts(begun)) == ({"d1": 3, "d3": 3}, (2, 1, 0))
    changes, client_id = begun.n_changes, uuid4()
    for _ in range(2):  # the same key again, as its answer was lost
        assert undo(begun, client_id=client_id).docno == "d3"
    assert (official(pooled), counts(begun)) == ({"d1": 3}, (1, 1, 1))
    assert undo(begun).docno == "d1"
    assert (official(pooled), counts(begun)) == ({"d1": 2}, (1, 1, 1))
    assert begun.n_changes == changes + 2
    back = begun.entries.get(item__key="d1").judgment
    assert (back.assessor.username, back.comment, back.events.count()) == ("ada", "mine", 1)
    bens = begun.judgments.filter(assessor=ben)
    assert {(each.state, bool(each.set_aside_at)) for each in bens} == {("reopened", True)}
    events = AuditEvent.objects.filter(kind=AssessEvent.JUDGMENTS_BROUGHT_BACK)
    told = events.order_by("pk").values_list("actor", "subject")
    assert list(told) == [(ben.pk, f"1, Ada (primary): {docno}") for docno in ("d3", "d1")]
    assert undo(begun) is None
    answer(begun, "d1", grade=0)
    assert official(pooled) == {"d1": 0}
    undo(begun)
    assert official(pooled) == {"d1": 2}


def test_an_answer_sent_again_after_its_undo_says_what_became_of_it(begun, ben):
    given_over(begun, ben)
    sent = {"grade": 3, "client_id": uuid4()}
    answer(begun, "d1", **sent)
    undo(begun)
    with pytest.raises(Refused, match="has been set aside since"):
        answer(begun, "d1", **sent)


def test_undo_brings_back_nothing_that_was_open_and_nobody_who_judges_it_elsewhere(
    begun, ada, ben, pooled
):
    given_over(begun, ben, "d2")
    undo(begun)
    assert begun.entries.get(item__key="d2").judgment.assessor == ben
    for docno in ("d1", "d3"):
        answer(begun, docno, grade=3)
    undo(begun)
    assert begun.entries.get(item__key="d3").judgment.assessor == ada
    answer(begun, "d3", grade=3)
    # Nothing of Ada's counts in the primary assignment, so that she can be given a second one.
    make.assignment(begun.topic, ada, SECOND)
    assert undo(begun).docno == "d3"
    assert begun.entries.get(item__key="d3").judgment.assessor == ben
    assert official(pooled) == {"d1": 3}


def test_who_has_undone_an_answer_gives_another_before_the_page_knows_what_counts(begun, ben):
    given_over(begun, ben, "d1")
    seen = Seen(change=undo(begun).change)
    answer(begun, "d1", grade=1, seen=seen)
    again = Answer("d1", "judged", {"grade": 1})
    undo_it = Act(Answer("d1", "reopened"), Provenance(), is_undo=True)
    acts = [undo_it, Act(again, Provenance(), after=undo_it.provenance.client_id)]
    _, outcomes = judging.judge_all(assessor=ben, key=begun.pk, acts=acts)
    assert [each.refusal for each in outcomes] == [None, None]


def test_undo_waits_for_who_assigns_only_where_it_may_bring_something_back(begun, ben):
    assert "pooling_pool" not in locked(lambda: undo(begun))
    given_over(begun, ben, "d1")
    assert "pooling_pool" in locked(lambda: undo(begun))


def test_what_a_predecessor_judged_since_the_page_was_opened_is_not_told(begun, ada, ben):
    """Ben judged it, Ada again, and Ben has the topic back, with his page still open."""
    given_over(begun, ben, "d1")
    seen = Seen(change=begun.entries.get(item__key="d1").judgment.change)
    given_over(begun, ada, "d1")
    given_over(begun, ben)
    for grade in (3, 1):  # neither by what is said nor by whether it is refused
        with pytest.raises(Stale) as refused:
            answer(begun, "d1", grade=grade, seen=seen)
        assert str(refused.value) == "Ada has judged d1 meanwhile."
