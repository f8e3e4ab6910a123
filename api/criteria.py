"""Criteria as programs send them: as their campaign's settings tell them."""

from typing import Any

from rest_framework import serializers
from rest_framework.settings import api_settings

from api.arguments import Sent
from campaigns.core import criteria as asked
from campaigns.core.criteria import DOCUMENT, KINDS, Criterion
from campaigns.core.grades import MAX_GRADE, MIN_GRADE

NON_FIELD = api_settings.NON_FIELD_ERRORS_KEY


class AnswerSent(Sent):
    value = serializers.IntegerField(min_value=MIN_GRADE, max_value=MAX_GRADE)
    label = serializers.CharField(max_length=asked.MAX_LABEL_LENGTH)  # type: ignore[assignment]
    description = serializers.CharField(
        max_length=asked.MAX_TEXT_LENGTH, allow_blank=True, default=""
    )


class CriterionSent(Sent):
    name = serializers.CharField(max_length=asked.MAX_NAME_LENGTH)
    question = serializers.CharField(max_length=asked.MAX_TEXT_LENGTH)
    answers = serializers.ListField(
        child=AnswerSent(), min_length=2, max_length=MAX_GRADE - MIN_GRADE + 1
    )
    from_grade = serializers.IntegerField(allow_null=True, default=None)
    is_retired = serializers.BooleanField(default=False)
    kind = serializers.ChoiceField(KINDS, default=DOCUMENT)
    level = serializers.IntegerField(allow_null=True, default=None)

    def validate_name(self, name: str) -> str:
        try:
            asked.check_name(name)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        return name


class CriteriaField(serializers.ListField):
    """The criteria of a campaign, as they are stored."""

    child = CriterionSent()

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=1, max_length=50, **options)

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = super().to_internal_value(data)
        wrong: dict[Any, Any] = {}
        for at, field, sentence in asked.misfits(sent):
            wrong.setdefault(at, {}).setdefault(field or NON_FIELD, []).append(sentence)
        if wrong:
            raise serializers.ValidationError(wrong)
        try:
            return [Criterion.from_json(each).to_json() for each in sent]
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
