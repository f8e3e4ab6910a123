"""What an act takes away is said before, and done once exactly that is accepted."""

import pytest

from accounts.access import Unconfirmed
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from qrels.models import Qrels
from qrels.services import publishing
from runs.models import Run
from runs.services import runs
from tests import make
from tests.db.actions import doing
from tests.db.judging import answer
from tests.db.uploading import QRELS
from tests.worlds import once


@pytest.fixture
@once
def deep(campaign, olga, pat) -> list[Run]:
    """Runs of 3, 2 and 1 documents for a topic; one of 4 is pooled, and one of 5 withdrawn."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3 d4"}, "pooled")])
    out = make.run(campaign, pat, {"1": "d1 d2 d3 d4 d5"}, "out")
    runs.withdraw_run(user=olga, run=out)
    rankings = {"run10": {"1": "d1 d2 d3"}, "run9": {"1": "d1", "2": "d1 d2"}, "short": {"1": "d1"}}
    return [
        make.run(campaign, user, each, tag)
        for (tag, each), user in zip(rankings.items(), (pat, olga, pat), strict=True)
    ]


def depth(olga, campaign, value: int, accepts: str | None = "") -> Campaign:
    return campaign_services.change_campaign(
        user=olga, campaign=campaign, changes={"run_depth": value}, accepts=accepts
    )


LOST = "2 of 4 valid runs would become invalid: run9 (baselines), run10 (Aldgate)."


def test_runs_that_would_become_invalid_are_named_before_the_depth_is_lowered(
    campaign, olga, deep, monkeypatch
):
    assert depth(olga, campaign, 3).run_depth == 3  # none would
    with pytest.raises(Unconfirmed) as refusal:
        depth(olga, campaign, 1)
    assert str(refusal.value) == LOST
    with monkeypatch.context() as patch:
        patch.setattr("runs.checking.MOST_NAMED", 1)
        with pytest.raises(Unconfirmed, match=r"9 .* and 1 more\."):
            depth(olga, campaign, 1)
    # What was accepted is compared with what would happen now.
    with pytest.raises(Unconfirmed, match="1 of 4 valid runs would become invalid: run10"):
        depth(olga, campaign, 2, LOST)
    campaign.refresh_from_db()
    assert campaign.run_depth == 3
    assert depth(olga, campaign, 1, LOST).run_depth == 1
    make.worked("recheck_runs", campaign.pk)
    assert set(Run.objects.valid().values_list("tag", flat=True)) == {"pooled", "short"}


def test_what_was_withdrawn_meanwhile_is_not_lost(campaign, olga, deep):
    runs.withdraw_run(user=olga, run=deep[0])
    with pytest.raises(Unconfirmed, match="1 of 3 valid runs would become invalid: run9"):
        depth(olga, campaign, 1, LOST)
    assert depth(olga, campaign, 1, None).run_depth == 1  # no page in between


@pytest.fixture
@once
def graded(campaign, olga):
    """Published: three grades, with an imported version after them."""
    assignment = doing.assigned(campaign)
    for docno, grade in {"d1": 2, "d2": 1}.items():
        make.judgment(assignment, docno, grade)
    publishing.publish_qrels(user=olga, campaign=campaign)
    make.imported_qrels(campaign, QRELS)
    return assignment


GONE = "1 grade of v1 would be gone, 1 would change. Gone from topic 1."


def test_grades_that_would_be_gone_are_counted_before_the_version_is_made(campaign, olga, graded):
    make.judgment(graded, "d1", 3)
    answer(graded, "d2", "cannot_judge", reason="unreadable")
    with pytest.raises(Unconfirmed) as refusal:
        publishing.publish_qrels(user=olga, campaign=campaign, accepts="")
    assert str(refusal.value) == GONE
    assert Qrels.objects.count() == 2
    assert publishing.publish_qrels(user=olga, campaign=campaign, accepts=GONE).number == 3
    assert AuditEvent.objects.first().kind == "qrels.published"


def test_a_grade_that_has_changed_and_one_that_is_new_ask_nobody(campaign, olga, graded):
    make.judgment(graded, "d1", 3)
    assert publishing.publish_qrels(user=olga, campaign=campaign, accepts="").number == 3


def test_what_more_would_go_since_is_said_anew(campaign, olga, graded):
    answer(graded, "d1", "later")
    answer(graded, "d2", "later")
    make.judgment(make.assignment(campaign.topic_set.get(number="2"), graded.assessor), "d3", 1)
    with pytest.raises(Unconfirmed, match="2 grades of v1 would be gone"):
        publishing.publish_qrels(user=olga, campaign=campaign, accepts=GONE)
