"""Answers of an assessor as the page sends them, and what an assignment counts of them."""

from accounts.models import User
from assess.core.answers import Act, Answer, Provenance, Seen, with_grade
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services import judging, judgment_files
from campaigns.models.campaign import Campaign
from tests import records

RANKING = {"1": "d1 d2 d3 d4 d5 d6", "2": "d2 d4"}


def answer(assignment, docno, state="judged", *, grade=None, reason="", comment=None, **how):
    return judging.judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, state, with_grade(grade), reason, comment),
        provenance=Provenance(**how),
    )


def downloaded(file: judgment_files.JudgingFile, campaign: Campaign, user: User) -> records.Rows:
    lines = judgment_files.download(user=user, campaign=campaign, file=file)
    return records.read("".join(lines))


def last_decided(assignment) -> AssignmentEntry | None:
    """The entry whose judgment its assessor changed last, without those reopened."""
    own = assignment.all_entries.filter(judgment__assessor=assignment.assessor)
    decided = own.exclude(judgment__state="reopened").select_related("judgment")
    return decided.order_by("-judgment__change").first()


def undo(*, assessor, assignment, provenance=None) -> Judgment | None:
    """Take back what was decided last, as the page does, and return it; None if nothing was."""
    how = provenance or Provenance()
    events = JudgmentEvent.objects.filter(client_id=how.client_id, assignment=assignment)
    entry = last_decided(assignment)
    if before := events.first():  # sent again
        entry = assignment.all_entries.filter(item__key=before.judgment.docno).first()
    acts = []
    if entry:
        seen = Seen(change=entry.judgment and entry.judgment.change)
        docno = Answer(entry.docno, "reopened")
        acts.append(Act(docno, how, seen, is_undo=True, number=entry.number))
    locked, outcomes = judging.record(assessor=assessor, pk=assignment.pk, acts=acts)
    if not outcomes:
        return None
    if refusal := outcomes[0].refusal:
        raise refusal
    judgment = events.get().judgment
    judgment.assignment = locked
    return judgment


def counts(assignment) -> tuple[int, int, int]:
    assignment.refresh_from_db()
    return assignment.n_judged, assignment.n_later, assignment.n_cannot_judge


def official(campaign) -> dict[str, int]:
    rows = Judgment.objects.by_rule("primary", campaign.pk)
    return {row.docno: row.grade for row in rows if row.topic == "1"}


def act(service, assignment, **values):
    organizer = User.objects.get(username="olga")
    return service(user=organizer, assignment=assignment, **values)
