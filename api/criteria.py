"""Criteria as programs send them: as their campaign's settings tell them."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from api.acting import Sent
from campaigns.core import criteria as asked
from campaigns.core.criteria import DOCUMENT, GRADE, KINDS, Criterion, first_of_kinds
from campaigns.core.grades import MAX_GRADE, MIN_GRADE


class AnswerSent(Sent):
    value = serializers.IntegerField(min_value=MIN_GRADE, max_value=MAX_GRADE)
    label = serializers.CharField(max_length=asked.MAX_LABEL_LENGTH)  # type: ignore[assignment]
    description = serializers.CharField(
        max_length=asked.MAX_TEXT_LENGTH, allow_blank=True, default=""
    )


class CriterionSent(Sent):
    name = serializers.RegexField(rf"^{asked.NAME.pattern}\Z", max_length=asked.MAX_NAME_LENGTH)
    question = serializers.CharField(max_length=asked.MAX_TEXT_LENGTH)
    answers = serializers.ListField(
        child=AnswerSent(), min_length=2, max_length=MAX_GRADE - MIN_GRADE + 1
    )
    from_grade = serializers.IntegerField(allow_null=True, default=None)
    is_retired = serializers.BooleanField(default=False)
    kind = serializers.ChoiceField(KINDS, default=DOCUMENT)
    level = serializers.IntegerField(allow_null=True, default=None)

    def validate_name(self, name: str) -> str:
        if name == GRADE:
            raise serializers.ValidationError("The grade itself has this name.")
        return name


class CriteriaField(serializers.ListField):
    """The criteria of a campaign, as they are stored."""

    child = CriterionSent()

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=50, **options)

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        sent = super().to_internal_value(data)
        try:
            made = [Criterion.from_json(each) for each in sent]
            check_together(made)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        return [each.to_json() for each in made]


def check_together(criteria: Sequence[Criterion]) -> None:
    """Refuse criteria that do not fit each other, by a ValueError."""
    first = first_of_kinds(criteria)
    if not criteria or criteria[0].kind != DOCUMENT or criteria[0].level is None:
        raise ValueError("The first criterion is the grade of documents, with its level.")
    if criteria[0].is_retired or criteria[0].from_grade is not None:
        raise ValueError(f"{criteria[0].name} gives the grade, so it is always asked.")
    names = [each.name for each in criteria]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ValueError(f"Another criterion has the name {twice}.")
    for each in criteria[1:]:
        _check_beside(each, first[each.kind])
    if sum(not each.is_retired for each in criteria) > asked.MOST_CRITERIA + 1:
        raise ValueError(f"At most {asked.MOST_CRITERIA} criteria are asked beside the grade.")


def _check_beside(criterion: Criterion, first: Criterion) -> None:
    """Refuse a criterion beside the grade of documents; `first` is that of its kind."""
    name, lowest = criterion.name, criterion.from_grade
    if (least := min(criterion.fixed)) < 0:
        raise ValueError(f"{name} has the value {least}: only the first grade goes below 0.")
    if criterion.level is not None:
        raise ValueError(f"{name} has a level: only the grade of documents has one.")
    if criterion is first and (lowest is not None or criterion.is_retired):
        raise ValueError(f"{name} gives the grade, so it is always asked.")
    if lowest is not None and lowest not in first.fixed:
        scale = ", ".join(map(str, first.fixed))
        raise ValueError(f"{name}: from_grade is not a grade of the scale: {scale}.")
