"""The page of a program beside people."""

from collections.abc import Iterator
from typing import NamedTuple

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import check
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from agreement.core.beside import Beside, beside
from agreement.labelled import farthest, said_beside
from agreement.web.matrices import grade_matrix
from campaigns.noun import Noun, fields_of
from campaigns.web.frame import page
from cleverdon.agreement.measured import FEW_TOPICS, in_order
from programs.access import Programs
from programs.models import Program
from programs.web.programs import program_of

FARTHEST = 10  # documents
HEADLINE = "kappa-quadratic"


class BesideRecord(NamedTuple):
    """A coefficient or an error of a program with people, beside that of people with each other."""

    coefficient: str
    on: str
    value: float | None
    low: float | None
    high: float | None
    documents: int
    people_value: float | None
    people_low: float | None
    people_high: float | None
    people_documents: int
    why_undefined: str


def held_against_people(program: Program) -> Beside:
    """Return a program's labels held against the grades of people."""
    counts = {grade: n for grade, n in program.labels.pooled().by_verdict() if grade is not None}
    scale = program.campaign.scale
    return beside(
        said_beside(program), counts, [grade.value for grade in scale.grades], scale.level
    )


def _records(_: User, program: Program) -> Iterator[BesideRecord]:
    found = held_against_people(program)
    for each in found.errors():
        own = each.coefficient.key, each.on, each.value, each.low, each.high, each.n
        yield BesideRecord(*own, None, None, None, 0, each.why)
    for each, people in found.coefficients():
        own = each.coefficient.key, each.on, each.value, each.low, each.high, each.n
        yield BesideRecord(*own, people.value, people.low, people.high, people.n, each.why)


BESIDE = Noun(
    name="beside-people",
    see=Programs.see_labels,
    rows=_records,
    fields=fields_of(
        BesideRecord,
        coefficient="as docs/agreement.md names them",
        documents="that people judged, weighted to all its labels",
        people_documents="of them that two people judged",
    ),
    help="How a program agrees with people, beside how people agree with each other.",
)


@signed_in
@require_safe
def program(request: UserRequest, slug: str, name: str) -> HttpResponse:
    """Show how a program agrees with people, beside how people agree with each other."""
    campaign, its = program_of(request, slug, name)
    check(Programs.see_labels, request.user, its)
    found = held_against_people(its)
    every = (found.program, found.people, found.same)
    [main], [among], [same] = (each.figures(HEADLINE, "grades") for each in every)
    context = {
        "program": its,
        "found": found,
        "main": main,
        "among": among,
        "same": same,
        "n_labels": its.n_labels - its.n_unread,
        "matrix": grade_matrix(in_order(found.program.ratings), campaign.scale.grades),
        "far": farthest(its, FARTHEST),
        "n_few_topics": FEW_TOPICS,
    }
    return page(request, "agreement/program.html", campaign, "agreement", **context)
