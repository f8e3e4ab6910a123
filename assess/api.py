"""The API of judging: record judgments, one by one, exactly once."""

from typing import TYPE_CHECKING, Any, cast

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from assess import services
from assess.models import Assignment, Judgment, JudgmentEvent

if TYPE_CHECKING:
    from accounts.models import User


class JudgmentRequest(serializers.Serializer[Any]):
    """What a client sends; `client_id` makes a repetition harmless."""

    client_id = serializers.UUIDField()
    docno = serializers.CharField(max_length=255)
    state = serializers.ChoiceField(choices=["judged", "later", "cannot_judge"])
    grade = serializers.IntegerField(
        min_value=0, required=False, allow_null=True, default=None
    )
    reason = serializers.ChoiceField(
        choices=Judgment.Reason.choices, required=False, default=""
    )
    comment = serializers.CharField(required=False, allow_blank=True, default=None)
    method = serializers.ChoiceField(
        choices=JudgmentEvent.Method.choices, required=False, default="other"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["state"] == Judgment.State.JUDGED) != (attrs["grade"] is not None):
            raise serializers.ValidationError(
                {"grade": "A grade goes with the state 'judged', and only with it."}
            )
        if (attrs["state"] == Judgment.State.CANNOT_JUDGE) != bool(attrs["reason"]):
            raise serializers.ValidationError(
                {"reason": "A reason goes with 'cannot_judge', and only with it."}
            )
        return attrs


class Judgments(APIView):
    """`POST` records a judgment of the signed-in assessor and answers with how it stands."""

    def post(self, request: Request, pk: int) -> Response:
        assessor = cast("User", request.user)  # anonymous ones are refused before
        assignment = get_object_or_404(Assignment, pk=pk)
        asked = JudgmentRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        judgment = services.judge(
            assessor=assessor, assignment=assignment, **asked.validated_data
        )
        answer = {
            "docno": judgment.docno,
            "state": judgment.state,
            "grade": judgment.grade,
        }
        return Response(answer, status=status.HTTP_200_OK)
