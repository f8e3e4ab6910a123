"""Answers of an assessor as the page sends them, and what an assignment counts of them."""

from accounts.models import User
from assess.core.answers import Answer, Provenance
from assess.models.judging import Judgment
from assess.services import judging

RANKING = {"1": "d1 d2 d3 d4 d5 d6", "2": "d2 d4"}


def answer(assignment, docno, state="judged", *, grade=None, reason="", comment=None, **how):
    return judging.judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, state, grade, reason, comment),
        provenance=Provenance(**how),
    )


def undo(*, assessor, assignment, provenance=None) -> Judgment | None:
    """Take back what was decided last, and return it; None if nothing was."""
    how = provenance or Provenance()
    return judging.undo(assessor=assessor, assignment=assignment, provenance=how)


def counts(assignment) -> tuple[int, int, int]:
    assignment.refresh_from_db()
    return assignment.n_judged, assignment.n_later, assignment.n_cannot_judge


def official(campaign) -> dict[str, int]:
    rows = Judgment.objects.by_rule("primary", campaign.pk)
    return {row.docno: row.grade for row in rows if row.topic == "1"}


def act(service, assignment, **values):
    organizer = User.objects.get(username="olga")
    return service(user=organizer, assignment=assignment, **values)
