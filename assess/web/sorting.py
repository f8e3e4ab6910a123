"""Columns that assignments, their documents, and judgments set aside are sorted by."""

from django.db.models import Case, CharField, F, Q, TextField, Value, When
from django.db.models.functions import Coalesce, NullIf

from accounts.models import BY_NAME
from assess.models.assigning import Assignment
from campaigns.sorting import Column, Sorting

ASSIGNMENTS = Sorting(
    "assignments",
    unasked="Topic",
    topic=Column("topic__sort_key", "topic__number"),
    assessor=Column(*(f"assessor__{name}" for name in BY_NAME)),
    as_=Column("kind"),
    judged=Column("n_judged", is_number=True),
    later=Column(F("n_later") - F("n_reopened"), is_number=True),
    reopened=Column("n_reopened", is_number=True),
    cannot_judge=Column("n_cannot_judge", is_number=True),
)
ENTRIES = Sorting(
    "entries",
    unasked="Number",
    number=Column("position", is_number=True),
    docno=Column("item__key"),
    state=Column(Coalesce("judgment__state", Value("unjudged"))),
    grade=Column("judgment__grade", is_number=True, has_gaps=True),
    judged_by=Column(*(f"judgment__assessor__{name}" for name in BY_NAME), has_gaps=True),
    comment=Column(NullIf("judgment__comment", Value("")), has_gaps=True),
)


def _own(name: str) -> Case:
    """Return a field of the present assessor's judgment: the order must not show another's."""
    is_own = Q(judgment__assessor=F("assignment__assessor"))
    return Case(
        When(
            is_own,
            then=NullIf(F(f"judgment__{name}"), Value("", TextField()))
            if name == "comment"
            else F(f"judgment__{name}"),
        )
    )


def own_entries(assignment: Assignment) -> Sorting:
    """Return the columns of an assessor's own documents; hidden docnos are not sorted by."""
    shown = Case(
        When(judgment=None, then=Value("")), default=F("item__key"), output_field=CharField()
    )
    return Sorting(
        "entries",
        unasked="Number",
        number=Column("position", is_number=True),
        docno=Column(shown if assignment.names_nothing_ahead else "item__key"),
        state=Column(Coalesce("judgment__state", Value("unjudged"))),
        grade=Column(_own("grade"), is_number=True, has_gaps=True),
        comment=Column(_own("comment"), has_gaps=True),
    )


ASIDE = Sorting(
    "aside",
    unasked="Docno",
    docno=Column("item__key"),
    judged_by=Column(*(f"assessor__{name}" for name in BY_NAME)),
    state=Column("state"),
    grade=Column("grade", is_number=True, has_gaps=True),
    comment=Column(NullIf("comment", Value("")), has_gaps=True),
    set_aside=Column("set_aside_at", is_date=True),
)
