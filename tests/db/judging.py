"""Answers of an assessor as the page sends them, and what an assignment counts of them."""

from functools import partial

from django.db import transaction

from accounts.access import Refused
from accounts.models import User
from assess.core.answers import Act, Answer, Provenance, Seen, with_grade
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from assess.services import handover, judging, judgment_files, reopening
from campaigns.models.campaign import Campaign
from tests import records

RANKING = {"1": "d1 d2 d3 d4 d5 d6", "2": "d2 d4"}


BESIDE = ("reason", "comment", "passages")


def answer(
    assignment, docno, state="judged", *, grade=None, ratings=None, number=None, seen=None, **given
):
    """Answer to a document; what is given is said beside the grade, or how it came about."""
    beside = {name: given.pop(name) for name in BESIDE if name in given}
    return judging.judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, state, with_grade(grade, ratings), **beside),
        provenance=Provenance(**given),
        seen=seen,
        number=number,
    )


def downloaded(file: judgment_files.JudgingFile, campaign: Campaign, user: User) -> records.Rows:
    lines = judgment_files.download(user=user, campaign=campaign, file=file)
    return records.read("".join(lines))


def last_decided(assignment) -> AssignmentEntry | None:
    """The entry whose judgment its assessor changed last, without those reopened."""
    own = assignment.entries.filter(judgment__assessor=assignment.assessor)
    decided = own.exclude(judgment__state="reopened").select_related("judgment")
    return decided.order_by("-judgment__change").first()


def undo(assignment, assessor=None, **given) -> Judgment | None:
    """Take back what was decided last, as the page does, and return it; None if nothing was."""
    how, assessor = Provenance(**given), assessor or assignment.assessor
    events = JudgmentEvent.objects.filter(client_id=how.client_id, assignment=assignment)
    entry = last_decided(assignment)
    if before := events.first():  # sent again
        entry = assignment.entries.filter(item__key=before.judgment.docno).first()
    acts = []
    if entry:
        seen = Seen(change=entry.judgment and entry.judgment.change)
        docno = Answer(entry.docno, "reopened")
        acts.append(Act(docno, how, seen, is_undo=True, number=entry.number))
    locked, outcomes = judging.judge_all(assessor=assessor, key=assignment.pk, acts=acts)
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
    return OfficialGrade.objects.grades(campaign).get("1", {})


def act(service, assignment, **values):
    organizer = User.objects.get(username="olga")
    return service(user=organizer, assignment=assignment, **values)


def done(step, assignment, entry, grade, person) -> bool:
    """Do this step, with the document of an entry or to hand over to a person, unless refused."""
    its = (
        Assignment.objects.counting()
        .select_related("topic__campaign", "assessor")
        .get(pk=assignment.pk)
    )
    aside = its.judgments.counting().exclude(set_aside_at=None).order_by("-set_aside_at").first()
    say = partial(answer, its, entry.docno, number=entry.number)
    acts = {
        "judge": lambda: say(grade=grade, active_ms=5000),
        "later": lambda: say("later"),
        "cannot": lambda: say("cannot_judge", reason="other"),
        "undo": lambda: undo(assessor=its.assessor, assignment=its),
        "hand": lambda: act(handover.hand_over, its, assessor=person),
        "take": lambda: act(handover.take_back, its),
        "reset": lambda: act(reopening.reset, its),
        "restore": lambda: act(reopening.restore, its, set_aside_at=aside and aside.set_aside_at),
        "reopen": lambda: act(reopening.reopen, its),
        "one": lambda: act(reopening.reopen, its, docno=entry.docno),
    }
    try:
        with transaction.atomic():
            acts[step]()
    except Refused:
        return False
    return True
