"""The scale of grades is fixed with the first grade, and may go below 0."""

import pytest

from accounts.access import Refused
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from qrels.services import publishing
from tests import make
from tests.db.judging import RANKING, answer, undo
from tests.db.races import overtaken
from tests.several import twice_judged


def change(olga, campaign, grades):
    campaign_services.change_campaign(
        user=olga, campaign=campaign, changes={"criteria": asked(campaign, grades)}
    )


def asked(campaign, grades) -> list[dict]:
    """The criteria with other grades."""
    relevance, *others = campaign.criteria
    return [{**relevance, "answers": grades}, *others]


def grades_of(campaign) -> list[dict]:
    return campaign.criteria[0]["answers"]


def worded(campaign, **words) -> list[dict]:
    """The grades as they are, the lowest of them worded otherwise."""
    first, *others = grades_of(campaign)
    return [{**first, **words}, *others]


def test_values_and_labels_are_fixed_by_the_first_grade_and_not_before(primary, olga):
    campaign = Campaign.objects.get()
    given = grades_of(campaign)
    others = (worded(campaign, label="perfect"), worded(campaign, value=-1), given[:3])
    answer(primary, "d1", "later")
    answer(primary, "d1", "cannot_judge", reason="other")
    with pytest.raises(Refused, match="9 is not a grade"):
        answer(primary, "d1", grade=9)
    for otherwise in (*others, given):
        change(olga, campaign, otherwise)
    answer(primary, "d1", grade=1)
    undo(assessor=primary.assessor, assignment=primary)
    for otherwise in others:
        with pytest.raises(Refused, match="judged, so the answers of relevance keep"):
            change(olga, campaign, otherwise)
    described = worded(campaign, description="Nothing at all.")
    change(olga, campaign, described)
    assert grades_of(Campaign.objects.get()) == described
    event = AuditEvent.objects.first()
    assert event.subject == "grades and criteria"
    then, now = ({"criteria": asked(campaign, grades)} for grades in (given, described))
    assert event.detail == {"before": then, "after": now}


@pytest.mark.django_db(transaction=True)
def test_a_first_grade_and_a_new_scale_at_the_same_moment_exclude_each_other(primary, olga):
    campaign = Campaign.objects.get()
    given, smaller = grades_of(campaign), grades_of(campaign)[:3]
    refusal = overtaken(
        lambda: change(olga, campaign, smaller), lambda: answer(primary, "d1", grade=3)
    )
    assert "3 is not a grade" in str(refusal)
    campaign = Campaign.objects.get()
    assert (grades_of(campaign), Judgment.objects.count()) == (smaller, 0)
    refusal = overtaken(
        lambda: answer(primary, "d1", grade=1), lambda: change(olga, campaign, given)
    )
    assert "Documents have been judged" in str(refusal)
    assert grades_of(Campaign.objects.get()) == smaller


def test_grades_below_0_are_given_published_and_compared(campaign, olga, ada, ben, pat):
    grades = [{"value": n, "label": f"label {n}", "description": ""} for n in (-2, -1, 0, 1)]
    change(olga, campaign, grades)
    campaign.refresh_from_db()
    make.frozen_pool(campaign, [make.run(campaign, pat, RANKING)], depth=6)
    topic = campaign.topic_set.get(number="1")
    first, second = make.assignment(topic, ada), make.assignment(topic, ben, "second")
    for docno, grade in {"d1": -2, "d2": -1, "d3": 1}.items():
        make.judgment(first, docno, grade)
        make.judgment(second, docno, -2)
    make.judgment(first, "d1", -1)
    last = JudgmentEvent.objects.filter(assignment=first).latest("pk")
    assert (last.from_grade, last.to_grade) == (-2, -1)
    qrels = publishing.publish_qrels(user=olga, campaign=campaign)
    assert make.content(qrels.file) == b"1 0 d1 -1\n1 0 d2 -1\n1 0 d3 1\n"
    assert (qrels.n_judgments, qrels.n_relevant) == (3, 1)
    assert {row[5] for row in twice_judged(campaign)} == {-2}
