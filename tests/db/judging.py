"""Answers of an assessor as the page sends them, and what an assignment counts of them."""

from assess import services
from assess.core.answers import Answer, Provenance

RANKING = {"1": "d1 d2 d3 d4 d5 d6", "2": "d2 d4"}


def answer(
    assignment, docno, state="judged", *, grade=None, reason="", comment=None, **how
):
    return services.judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, state, grade, reason, comment),
        provenance=Provenance(**how),
    )


def counts(assignment) -> tuple[int, int, int]:
    assignment.refresh_from_db()
    return assignment.n_judged, assignment.n_later, assignment.n_cannot_judge
