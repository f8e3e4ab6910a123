"""Fields for grades and criteria, which people write in lines."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from campaigns.core.criteria import BadCriteria, criteria_of, read, written
from campaigns.core.grades import MAX_GRADE, MIN_GRADE, BadGrades, read_grades, written_grades

EXAMPLE = """credibility | How credible is it? | from 1
0 | not credible
1 | credible"""


class GradesField(forms.CharField):
    """A scale of grades, as a campaign stores it."""

    def __init__(self) -> None:
        super().__init__(
            label="scale of grades",
            widget=forms.Textarea(attrs={"rows": 5, "class": "code"}),
            help_text=(
                f"A line for each grade: value ({MIN_GRADE} to {MAX_GRADE}) | label | description. "
                "Measures read grades below 0 as trec_eval does: like unjudged."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else written_grades(value or ())

    def clean(self, value: Any) -> list[dict[str, Any]]:
        try:
            return [each._asdict() for each in read_grades(super().clean(value))]
        except BadGrades as error:
            raise ValidationError(str(error)) from error


class CriteriaField(forms.CharField):
    """Further criteria, as a campaign stores them."""

    def __init__(self) -> None:
        super().__init__(
            label="further criteria",
            required=False,
            strip=False,
            widget=forms.Textarea(attrs={"rows": 6, "class": "code", "placeholder": EXAMPLE}),
            help_text=(
                "A line for each criterion: name | question | from 1. The last part is optional: "
                "it is asked only from this grade up. "
                "Below it a line for each answer: value (0 to 9) | label | description. "
                "You can always add one. "
                "Answers keep their values and labels once somebody has judged. "
                "To retire a criterion, write “not asked” after its question."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else written(criteria_of(value or ()))

    def clean(self, value: Any) -> list[dict[str, Any]]:
        try:
            return [each.to_json() for each in read(super().clean(value))]
        except BadCriteria as error:
            raise ValidationError(str(error)) from error
