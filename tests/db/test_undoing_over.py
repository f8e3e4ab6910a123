"""An answer over that of the assessor who had the topic before, and its undo."""

from uuid import uuid4

import pytest

from accounts.access import Refused
from assess.access.answers import Stale
from assess.core.answers import Answer, Provenance, Seen
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.services import handover, judging
from campaigns.models.trail import AuditEvent
from tests import make
from tests.db.judging import act, answer, counts, official
from tests.db.locks import locked

SECOND = Assignment.Kind.SECOND


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
    earlier = begun.judgments.get(docno="d1", assessor__username="ada")
    assert (earlier.grade, earlier.comment) == (2, "mine")
    assert earlier.set_aside_at
    newer = begun.judgments.get(docno="d1", assessor=ben)
    assert (newer.comment, newer.events.get().from_grade) == ("", 2)
    answer(begun, "d5", grade=0)
    assert undo(begun).docno == "d5"


def undo(assignment, **how):
    sent = Provenance(**how)
    return judging.undo(assessor=assignment.assessor, assignment=assignment, provenance=sent)


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
    back = begun.entries.get(docno="d1").judgment
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
    assert begun.entries.get(docno="d2").judgment.assessor == ben
    for docno in ("d1", "d3"):
        answer(begun, docno, grade=3)
    undo(begun)
    assert begun.entries.get(docno="d3").judgment.assessor == ada
    answer(begun, "d3", grade=3)
    # Nothing of Ada's counts in the primary assignment, so that she can be given a second one.
    make.assignment(begun.topic, ada, SECOND)
    assert undo(begun).docno == "d3"
    assert begun.entries.get(docno="d3").judgment.assessor == ben
    assert official(pooled) == {"d1": 3}


def test_undo_waits_for_who_assigns_only_where_it_may_bring_something_back(begun, ben):
    assert "pooling_pool" not in locked(lambda: undo(begun))
    given_over(begun, ben, "d1")
    assert "pooling_pool" in locked(lambda: undo(begun))


def test_what_a_predecessor_judged_since_the_page_was_opened_is_not_told(begun, ada, ben):
    """Ben judged it, Ada again, and Ben has the topic back, with his page still open."""
    given_over(begun, ben, "d1")
    seen = Seen(change=begun.entries.get(docno="d1").judgment.change)
    given_over(begun, ada, "d1")
    given_over(begun, ben)
    for grade in (3, 1):  # neither by what is said nor by whether it is refused
        with pytest.raises(Stale) as refused:
            judging.judge(
                assessor=ben, assignment=begun, answer=Answer("d1", "judged", grade), seen=seen
            )
        assert str(refused.value) == "Ada has judged d1 meanwhile."
