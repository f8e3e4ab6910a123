"""The addresses of judging: what an assessor has to judge, and the acts on it."""

from typing import Any, NamedTuple

from rest_framework import serializers

from accounts.models import User
from api.acting import Act, of_page
from api.doors import doors
from assess.access.judging import Judging
from assess.access.sharing import check_is_shared
from assess.models.assigning import Assignment
from assess.web.judging_forms import MOST_ACTS, ActForm
from desk.nouns import SERVED
from desk.queue import more
from desk.web import workbench
from desk.web.hours import HOURS
from desk.web.judging import ASSESSORS
from questions.api import ON_WORK
from questions.nouns import WORK

# Whose values a form has no field for.
OBJECTS: dict[str, serializers.Field[Any, Any, Any, Any]] = {
    "ratings": serializers.DictField(child=serializers.IntegerField(), required=False),
    "passages": serializers.ListField(required=False),
}


Text, Whole = serializers.CharField, serializers.IntegerField


class Now(serializers.Serializer[Any]):
    """How a document stands after an act, as `as_now` tells it."""

    state, reason, comment = Text(), Text(), Text()
    by = Text(help_text="The assessor before, whose judgment counts; empty if it is one's own.")
    version, change, judged_version, judged_topic = Whole(), Whole(), Whole(), Whole()
    grade = Whole(allow_null=True)
    ratings = serializers.DictField(child=Whole())
    passages = serializers.ListField()
    named = serializers.ListField(
        required=False, help_text="Of adjudication, once it is decided: who gave which grade."
    )
    known = serializers.DictField(required=False, help_text="Of practice: what it is compared to.")


class Result(serializers.Serializer[Any]):
    """What became of an act."""

    client_id = Text()
    refused = Text(help_text="Why; empty if it is recorded.")
    now = Now(allow_null=True)


class Recorded(serializers.Serializer[Any]):
    """What became of each act, in their order, and how the assignment stands."""

    results = Result(many=True)
    size = Whole(help_text="How many documents were served.")
    changes = serializers.ListField(
        child=Whole(), help_text="How many there were before these acts, and after them."
    )
    few = serializers.BooleanField(help_text="Whether a shared topic has few left.")


class Lent(NamedTuple):
    """The documents of a shared topic that somebody has to judge, and those given up."""

    documents: list[dict[str, Any]]
    given_up: list[str]


def lend(*, assessor: User, assignment: Assignment) -> Lent:
    """Lend more documents of a shared topic to who has few, or bring what came into dispute."""
    if not assignment.is_adjudication:
        check_is_shared(assignment)
    changed = more(assessor, assignment)
    entries = assignment.entries.order_by("position")
    given_up = entries.filter(position__in=changed, given_up_at__isnull=False)
    documents = [
        {"number": each.number, "docno": each.docno, "until": each.leased_until}
        for each in entries.still_open()
    ]
    return Lent(documents, list(given_up.values_list("item__key", flat=True)))


urlpatterns = [
    *doors(
        WORK,
        Act(
            WORK,
            "judge",
            workbench.judge,
            Judging.judge,
            scope="judge",
            form=of_page(ActForm),
            fields=OBJECTS,
            answers=Recorded,
            most=MOST_ACTS,
        ),
        Act(WORK, "lend", lend, Judging.judge, scope="judge"),
        *ON_WORK,
    ),
    *doors(SERVED, of=WORK),
    *doors(ASSESSORS),
    *doors(HOURS),
]
