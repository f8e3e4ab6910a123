"""Judgments that are set aside, brought back and reopened: the grades are those last given."""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.access import Refused
from agreement.core.statistics import agreement_report
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services import handover, judging, reopening
from assess.services.handover import CHANGED_HANDS
from assess.services.reopening import JUDGED_MEANWHILE
from tests import make
from tests.db.judging import act, answer, counts, official

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
    aside = begun.judgments.get(docno="d2").set_aside_at
    assert act(reopening.restore, begun, set_aside_at=aside) == (2, 3, 0, 0)
    assert (official(pooled), counts(begun)) == ({"d1": 0}, (1, 1, 1))
    for at, why in ((aside, "judged again"), (begun.created_at, "back already")):
        with pytest.raises(Refused, match=f"nothing to bring back: .*{why}"):
            act(reopening.restore, begun, set_aside_at=at)


def test_what_was_only_put_off_since_a_reset_gives_way(begun, pooled):
    """One is put off now, another judged again and reopened."""
    before = official(pooled), counts(begun)
    act(reopening.reset, begun)
    [(aside, _)] = begun.set_aside_groups()
    answer(begun, "d1", "later")
    answer(begun, "d2", grade=3)
    judging.undo(assessor=begun.assessor, assignment=begun)
    assert list(begun.set_aside_groups()) == [(aside, 3)]
    assert act(reopening.restore, begun, set_aside_at=aside) == (3, 3, 0, 0)
    assert (official(pooled), counts(begun)) == before


def test_one_grade_is_reopened_and_its_history_says_by_whom(begun, olga, pooled):
    assert act(reopening.reopen, begun, docno="d1") == 1
    judgment = begun.judgments.get(docno="d1")
    assert (judgment.state, judgment.grade, judgment.comment) == ("reopened", None, "mine")
    event = judgment.events.last()
    assert (event.by, event.from_grade, event.to_state) == (olga, 2, "reopened")
    assert (official(pooled), counts(begun)) == ({}, (0, 2, 1))
    with pytest.raises(Refused, match="Document d1 is open"):
        act(reopening.reopen, begun, docno="d1")
    assert act(reopening.reopen, begun) == 1, "the whole topic"
    assert counts(begun) == (0, 3, 0)
    with pytest.raises(Refused, match="All documents are open"):
        act(reopening.reopen, begun)


def test_a_page_from_before_another_change_is_refused(begun, ada, ben):
    seen = begun.n_changes
    answer(begun, "d4", grade=1)
    for service in (reopening.reset, reopening.reopen):
        with pytest.raises(Refused, match=JUDGED_MEANWHILE):
            act(service, begun, seen_changes=seen)
    act(handover.hand_over, begun, assessor=ben, seen_holder=ada.pk)
    for service, values in ((handover.hand_over, {"assessor": ada}), (handover.take_back, {})):
        with pytest.raises(Refused, match=CHANGED_HANDS):
            act(service, begun, seen_holder=ada.pk, **values)


ACTS = ("judge", "judge", "judge", "undo", "hand", "take", "reset", "restore", "reopen")
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
                took = take(step, assignment, (ada, ben, cleo)[person], docno, grade)
                found = official(topic.campaign)
                if which == 1 or not took or step in {"hand", "take"}:
                    assert found == expected
                elif step == "judge":
                    assert found == {**expected, docno: grade}
                elif step in {"reset", "reopen"}:
                    assert not found if step == "reset" else docno not in found
                assignment.refresh_from_db()
                assert found == expected or assignment.n_changes > n_changes
                expected = found
            hold_together(topic)
            transaction.set_rollback(True)

    check()


def take(step, assignment, person, docno, grade) -> bool:
    acts = {
        "judge": lambda: answer(assignment, docno, grade=grade),
        "undo": lambda: judging.undo(assessor=assignment.assessor, assignment=assignment),
        "hand": lambda: act(handover.hand_over, assignment, assessor=person),
        "take": lambda: act(handover.take_back, assignment),
        "reset": lambda: act(reopening.reset, assignment),
        "restore": lambda: act(reopening.restore, assignment, set_aside_at=last_aside(assignment)),
        "reopen": lambda: act(reopening.reopen, assignment, docno=docno),
    }
    try:
        with transaction.atomic():
            acts[step]()
    except Refused:
        return False
    return True


def last_aside(assignment):
    aside = assignment.judgments.exclude(set_aside_at=None).order_by("-set_aside_at")
    return aside.values_list("set_aside_at", flat=True).first()


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
    rows = Judgment.objects.twice_judged(topic.campaign)
    agreement_report(rows, grades=[0, 1, 2, 3], level=1)
