"""What campaigns of tests ask, as it is stored, and as a browser sends it from the rows."""

from collections.abc import Iterable, Mapping
from typing import Any

from campaigns.core.criteria import Criterion
from campaigns.core.grades import Grade
from campaigns.models.campaign import default_criteria
from campaigns.web.criteria_forms import CriteriaRows

Stored = dict[str, Any]


def criterion(name: str, question: str, labels: Iterable[str], **more: Any) -> Stored:
    """A criterion whose answers have the values from 0 on."""
    answers = tuple(Grade(value, label) for value, label in enumerate(labels))
    return Criterion(name, question, answers, **more).to_json()


def beside_grades(*criteria: Stored) -> list[Stored]:
    """The usual scale, and other criteria."""
    return [*default_criteria(), *criteria]


def graded_by(grades: Mapping[int, str], level: int = 1, *others: Stored) -> list[Stored]:
    """Criteria of which the first has these grades, labels by value."""
    [relevance] = default_criteria()
    answers = [{"value": n, "label": label, "description": ""} for n, label in grades.items()]
    return [{**relevance, "answers": answers, "level": level}, *others]


def typed(criteria: Iterable[Stored]) -> dict[str, Any]:
    """What a browser sends of criteria."""
    sent: dict[str, Any] = {}
    for n, each in enumerate(criteria):
        own = {name: value for name, value in each.items() if name != "answers" and value}
        if n == 0:
            del own["kind"]
        sent |= {f"criteria-{n}-{name}": str(value) for name, value in own.items()}
        for row, answer in enumerate(each["answers"]):
            at = f"criteria-{n}-answers-{row}"
            sent |= {f"{at}-{name}": str(value) for name, value in answer.items() if value != ""}
    return sent


def sent_of(rows: CriteriaRows) -> dict[str, Any]:
    """What a browser sends of the rows of a page, blank ones included."""
    forms = [*rows.forms, rows.blank]
    forms += [row for form in forms for row in (*form.rows, *form.blank_rows)]
    values = {field.html_name: field.value() for form in forms for field in form}
    return {
        name: "on" if value is True else str(value)
        for name, value in values.items()
        if value is not False and value not in (None, "")
    }
