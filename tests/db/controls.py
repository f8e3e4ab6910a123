"""A topic with controls in it, and what there is of them."""

from agreement.core.accuracy import control_report
from agreement.models import compared
from assess.core.answers import Act, Answer, Provenance, Seen
from assess.core.known_grades import KnownLine
from assess.models.assigning import Assignment
from assess.models.serving import as_served
from assess.services import known_grades
from tests import make
from tests.db.judging import answer

DOCNOS = [f"d{n}" for n in range(10)]
KNOWN = [f"k{n}" for n in range(4)]
RANKING = {"1": " ".join(DOCNOS), "2": "d1 d2"}


def known_lines(docnos, grade: int = 2, topic: str = "1") -> list[KnownLine]:
    return [KnownLine(line, topic, docno, grade) for line, docno in enumerate(docnos, 1)]


def campaign_of(olga, assessors, pat, **settings):
    """A frozen pool of ten documents on topic 1, and four documents outside it."""
    campaign = make.campaign(
        olga, assessors=assessors, participants={"T": [pat]}, docnos=[*DOCNOS, *KNOWN], **settings
    )
    make.frozen_pool(campaign, [make.run(campaign, pat, RANKING)], depth=10)
    return campaign


def know(campaign, docnos, grade: int = 2) -> None:
    organizer = make.organizer_of(campaign)
    known_grades.import_known(user=organizer, campaign=campaign, lines=known_lines(docnos, grade))


def served(assignment) -> list[tuple[str, str]]:
    rows = assignment.entries.order_by("position")
    return list(rows.values_list("item__key", "purpose"))


def number_of(assignment, purpose: str, docno: str = "") -> int:
    """The first place of a document, or of any, of this kind."""
    rows = assignment.entries.filter(purpose=purpose).order_by("position")
    return (rows.filter(item__key=docno) if docno else rows).first().number


def say(assignment, number: int, state: str = "judged", *, change=None, version=None, **given):
    """Answer to the document at this place, as its page does."""
    entry, seen = assignment.entries.get(position=number - 1), Seen(version, change=change)
    return answer(assignment, entry.docno, state, number=number, seen=seen, **given)


def sent(assignment, number: int, docno: str, grade: int = 1, **how) -> Act:
    return Act(Answer(docno, "judged", {"grade": grade}), Provenance(**how), number=number)


def own_counts(assignment) -> tuple[int, ...]:
    assignment.refresh_from_db()
    return assignment.n_entries, assignment.n_judged, assignment.n_later, assignment.n_cannot_judge


def control_counts(assignment) -> tuple[int, ...]:
    own = Assignment.objects.counting().get(pk=assignment.pk)
    [every] = as_served([own])
    names = ("n_entries", "n_judged", "n_later", "n_cannot_judge")
    return tuple(getattr(every, name) - getattr(own, name) for name in names)


def report(assignment):
    return control_report(compared(assignment.topic.campaign), [0, 1, 2, 3])


def numbers(assignment, purpose: str) -> list[int]:
    rows = assignment.entries.filter(purpose=purpose).order_by("position")
    return [entry.number for entry in rows]
