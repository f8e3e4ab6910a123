"""Criteria as programs send them: as they are told, and as a page's form takes them."""

import pytest

from campaigns.core.criteria import FIRST
from campaigns.models.trail import AuditEvent
from tests.api.addresses import of, send

pytestmark = pytest.mark.django_db
GRADES = [{"value": 0, "label": "no"}, {"value": 1, "label": "yes"}]
RELEVANCE = {"name": "relevance", "question": "Is it?", "answers": GRADES, "level": 1}
BELOW = [{"value": -1, "label": "no"}, GRADES[1]]
TRUST = {"name": "trust", "question": "Do you?", "answers": GRADES}
ODD_CRITERIA = (
    ([], "criteria: Ensure this field has at least 1 elements."),
    ([TRUST], f"criteria.1.level: {FIRST}"),
    ([RELEVANCE, RELEVANCE], "criteria.2.name: Another criterion has the name relevance."),
    ([RELEVANCE, {**TRUST, "level": 1}], f"criteria.2.level: {FIRST}"),
    (
        [RELEVANCE, {**TRUST, "from_grade": 7}],
        "criteria.2.from_grade: It is not a grade of the scale: 0, 1.",
    ),
    ([RELEVANCE, {**TRUST, "answers": BELOW}], "criteria.2.answers: Only the first criterion"),
    ([{**RELEVANCE, "is_retired": True}], "criteria.1.is_retired: It gives the grade, so it is"),
    ([{**RELEVANCE, "from_grade": 0}], "criteria.1.from_grade: It gives the grade, so it is"),
    ([{**RELEVANCE, "level": 2}], "Relevant from grade 2 does not fit this scale"),
    ([{**RELEVANCE, "name": "grade"}], "The grade itself has this name."),
    ([{**RELEVANCE, "name": "Grade"}], "criteria.1.name: A name has lower-case letters, digits"),
    ([{**RELEVANCE, "answers": [*GRADES, GRADES[0]]}], "Two answers of relevance have the same"),
    (
        [RELEVANCE, *({**TRUST, "name": f"t{n}"} for n in range(7))],
        "criteria.8: At most 6 criteria",
    ),
)


def test_criteria_are_sent_as_they_are_told(as_olga, campaign):
    told = as_olga.get(of(campaign, "settings/")).json()["criteria"]
    assert send(as_olga, campaign, "change/", {"criteria": told}).status_code == 200
    assert not AuditEvent.objects.filter(kind="campaign.changed").exists()
    both = [RELEVANCE, {**TRUST, "from_grade": 1}]
    changed = send(as_olga, campaign, "change/", {"criteria": both})
    assert [each["name"] for each in changed.json()["criteria"]] == ["relevance", "trust"]


@pytest.mark.parametrize(("criteria", "sentence"), ODD_CRITERIA)
def test_criteria_that_do_not_fit_are_refused(as_olga, campaign, criteria, sentence):
    wrong = send(as_olga, campaign, "change/", {"criteria": criteria})
    assert wrong.status_code == 422
    assert sentence in wrong.json()["detail"]
