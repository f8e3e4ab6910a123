"""The counts of an assignment: they come back with each judgment, and stay true."""

from uuid import uuid4

from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from assess.core.answers import Provenance
from assess.models.assigning import Assignment
from tests.db.judging import answer, counts, undo

STEPS = st.lists(
    st.tuples(st.sampled_from(["undo", "later", "cannot_judge", "judged"]), st.integers(1, 6)),
    max_size=12,
)


def test_the_counts_come_back_with_the_judgment(primary):
    client_id = uuid4()
    for _ in range(2):
        judgment = answer(primary, "d1", grade=1, client_id=client_id)
        assert judgment.assignment.n_judged == 1
    client_id = uuid4()
    for _ in range(2):
        undone = undo(
            assessor=primary.assessor, assignment=primary, provenance=Provenance(client_id)
        )
        assert (undone.assignment.n_judged, undone.assignment.n_later) == (0, 1)


def test_counts_are_true(primary):
    """They are those of the judgments, whatever was done."""

    @given(STEPS)
    def check(steps):
        with transaction.atomic():
            assignment = Assignment.objects.get(pk=primary.pk)
            for step, number in steps:
                take(assignment, step, f"d{number}", number % 4)
            states = list(assignment.judgments.values_list("state", flat=True))
            assert counts(assignment) == (
                states.count("judged"),
                states.count("later") + states.count("reopened"),
                states.count("cannot_judge"),
            )
            transaction.set_rollback(True)

    check()


def take(assignment, step: str, docno: str, grade: int) -> None:
    if step == "undo":
        undo(assessor=assignment.assessor, assignment=assignment)
    elif step == "judged":
        answer(assignment, docno, step, grade=grade)
    else:
        reason = "other" if step == "cannot_judge" else ""
        answer(assignment, docno, step, reason=reason)
