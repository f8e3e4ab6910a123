"""The API of judging: record judgments exactly once, and lease documents of shared topics."""

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils import json
from rest_framework.views import APIView

from accounts.access import check
from api.models import Scope
from assess.access.answers import MAX_DOCNO_LENGTH, NO_ANSWER, NO_CLIENT_ID, NO_DOCNO, Invalid
from assess.access.judging import Judging
from assess.access.sharing import check_is_shared
from assess.core.answers import Answer, Provenance, Seen, with_grade
from assess.core.passages import Quoted
from assess.fields import marked, rated
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.services import judging, sharing
from cleverdon.trec.json_values import read_json

if TYPE_CHECKING:
    from accounts.models import User


# What a client may say that it showed, and is sent of the judgment; see `Seen`.
SEEN = ("document_version", "topic_version", "change")


# Of a request: a judgment with the longest comment and passages.
MOST_BYTES, MOST_VALUES = 500_000, 1_000
STRICT = {"parse_constant": json.strict_constant}  # neither NaN nor Infinity


class JSON(JSONParser):
    """JSON of a client, of which no more is read than a judgment may be long."""

    def parse(self, stream: Any, *_: Any, **__: Any) -> Any:
        sent = stream.read(MOST_BYTES + 1)
        try:
            return read_json(sent, most_bytes=MOST_BYTES, most_values=MOST_VALUES, **STRICT)
        except ValueError as error:
            raise ParseError(f"The JSON cannot be read. {error}") from error


class JudgmentRequest(serializers.Serializer[Any]):
    """What a client sends. Only types are checked here; the service checks the rest."""

    client_id = serializers.UUIDField(error_messages={"required": NO_CLIENT_ID})
    method = serializers.CharField(default=JudgmentEvent.Method.OTHER)
    docno = serializers.CharField(
        max_length=MAX_DOCNO_LENGTH, error_messages={"required": NO_DOCNO}
    )
    number = serializers.IntegerField(allow_null=True, default=None)
    state = serializers.CharField(error_messages={"required": NO_ANSWER})
    grade = serializers.IntegerField(allow_null=True, default=None)
    reason = serializers.CharField(allow_blank=True, default="")
    comment = serializers.CharField(allow_blank=True, default=None)
    ratings = serializers.JSONField(allow_null=True, default=None)
    passages = serializers.JSONField(allow_null=True, default=None)
    document_version = serializers.IntegerField(allow_null=True, default=None)
    topic_version = serializers.IntegerField(allow_null=True, default=None)
    change = serializers.IntegerField(allow_null=True, default=None)

    def validate_ratings(self, sent: Any) -> dict[str, int]:
        return rated(sent)

    def validate_passages(self, sent: Any) -> tuple[Quoted, ...] | None:
        return None if sent is None else marked(sent)


class Judgments(APIView):
    """`POST` records a judgment of the signed-in assessor and returns it as it is now."""

    scope, finds_campaign = Scope.JUDGE, True
    parser_classes = [JSON]

    def post(self, request: Request, pk: int) -> Response:
        assessor, assignment = _asked_for(self, request, pk)  # before the data is read
        sent = JudgmentRequest(data=request.data)
        sent.is_valid(raise_exception=True)
        values = dict(sent.validated_data)
        how = Provenance(values.pop("client_id"), values.pop("method"))
        seen = Seen(**{name: values.pop(name) for name in SEEN})
        number = values.pop("number")
        answer = Answer(answers=with_grade(values.pop("grade"), values.pop("ratings")), **values)
        act = partial(judging.judge, assessor=assessor, assignment=assignment, answer=answer)
        try:
            judgment = act(provenance=how, seen=seen, number=number)
        except Invalid as fault:
            raise serializers.ValidationError({fault.field: [str(fault)]}) from fault
        names = ("docno", "state", "grade", *SEEN)
        return Response({name: getattr(judgment, name) for name in names})


class Lending(APIView):
    """`POST` leases more documents of a shared topic if the assessor has few, and lists them."""

    scope, finds_campaign = Scope.JUDGE, True

    def post(self, request: Request, pk: int) -> Response:
        assessor, assignment = _asked_for(self, request, pk)
        check_is_shared(assignment)
        changed = sharing.lend(assessor=assessor, assignment=assignment)
        entries = assignment.entries.order_by("position")
        given_up = entries.filter(position__in=changed, given_up_at__isnull=False)
        documents = [
            {"number": each.number, "docno": each.docno, "until": each.leased_until}
            for each in entries.still_open()
        ]
        lost = list(given_up.values_list("item__key", flat=True))
        return Response({"documents": documents, "given_up": lost})


def _asked_for(view: APIView, request: Request, pk: int) -> tuple["User", Assignment]:
    assessor = cast("User", request.user)  # anonymous requests were refused earlier
    assignments = Assignment.objects.counting().select_related("topic__campaign")
    assignment = get_object_or_404(assignments, pk=pk)
    check(Judging.judge, assessor, assignment)
    view.check_object_permissions(request, assignment)
    return assessor, assignment
