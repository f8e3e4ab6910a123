"""The addresses of judging: what an assessor has to judge, and the acts on it."""

from typing import Any, NamedTuple

from rest_framework import serializers

from accounts.models import User
from api.acting import Act
from api.arguments import Identifier
from api.doors import doors
from assess.access.answers import MAX_DOCNO_LENGTH, NO_ANSWER, NO_CLIENT_ID, NO_DOCNO
from assess.access.judging import Judging
from assess.access.sharing import check_is_shared
from assess.core.answers import Answer, Provenance, Seen, with_grade
from assess.fields import marked, rated
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.nouns import WORK
from assess.services import judging, sharing
from desk.nouns import SERVED
from desk.web.judging import ASSESSORS
from questions.api import ON_WORK

# What a client may say that it showed, and is sent of the judgment; see `Seen`.
SEEN = ("document_version", "topic_version", "change")


class RatingsField(serializers.JSONField):
    def to_internal_value(self, data: Any) -> dict[str, int]:
        return rated(data)


class PassagesField(serializers.JSONField):
    def to_internal_value(self, data: Any) -> Any:
        return marked(data)


class JudgmentSent(serializers.Serializer[Any]):
    """What a client sends. Only types are checked here; the service checks the rest."""

    client_id = Identifier(error_messages={"required": NO_CLIENT_ID})
    method = serializers.CharField(default=JudgmentEvent.Method.OTHER)
    docno = serializers.CharField(
        max_length=MAX_DOCNO_LENGTH, error_messages={"required": NO_DOCNO}
    )
    number = serializers.IntegerField(allow_null=True, default=None)
    state = serializers.CharField(error_messages={"required": NO_ANSWER})
    grade = serializers.IntegerField(allow_null=True, default=None)
    reason = serializers.CharField(allow_blank=True, default="")
    comment = serializers.CharField(allow_blank=True, default=None)
    ratings = RatingsField(allow_null=True, default=None)
    passages = PassagesField(allow_null=True, default=None)
    document_version = serializers.IntegerField(allow_null=True, default=None)
    topic_version = serializers.IntegerField(allow_null=True, default=None)
    change = serializers.IntegerField(allow_null=True, default=None)


class JudgmentTold(NamedTuple):
    """A judgment as it is now, and what it was said of."""

    docno: str
    state: str
    grade: int | None
    document_version: int
    topic_version: int
    change: int | None


def judge(*, assessor: User, assignment: Assignment, **said: Any) -> JudgmentTold:
    """Record a judgment once, whatever is sent again with the same `client_id`."""
    how = Provenance(said.pop("client_id"), said.pop("method"))
    seen = Seen(**{name: said.pop(name) for name in SEEN})
    number = said.pop("number")
    answers = with_grade(said.pop("grade"), said.pop("ratings") or {})
    answer = Answer(answers=answers, **said)
    judgment = judging.judge(
        assessor=assessor,
        assignment=assignment,
        answer=answer,
        provenance=how,
        seen=seen,
        number=number,
    )
    return JudgmentTold(*(getattr(judgment, name) for name in JudgmentTold._fields))


class Lent(NamedTuple):
    """The documents of a shared topic that somebody has to judge, and those given up."""

    documents: list[dict[str, Any]]
    given_up: list[str]


def lend(*, assessor: User, assignment: Assignment) -> Lent:
    """Lend more documents of a shared topic to who has few."""
    check_is_shared(assignment)
    changed = sharing.lend(assessor=assessor, assignment=assignment)
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
        Act(WORK, "judge", judge, Judging.judge, scope="judge", fields=JudgmentSent().get_fields()),
        Act(WORK, "lend", lend, Judging.judge, scope="judge"),
        *ON_WORK,
    ),
    *doors(SERVED, of=WORK),
    *doors(ASSESSORS),
]
