"""A campaign at its end, for pages that show what has been done."""

import pytest

from assess.models import Assignment
from assess.services import publish_qrels
from campaigns.models import Job
from campaigns.services import change_campaign
from evaluation import services as scoring
from evaluation import tasks
from tests import make


@pytest.fixture
def played(campaign, olga, ada, ben, pat, monkeypatch):
    """Pooled, judged twice, published, scored."""
    campaign.visibility = "owners"
    campaign.save()
    change_campaign(user=olga, campaign=campaign, changes={"guidelines": "Judge **strictly**."})  # fmt: skip
    run = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "secret-run")
    make.frozen_pool(campaign, [run], depth=3)
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, ada)
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    for assignment, grades in ((first, (2, 0)), (second, (3, 0))):
        make.judgment(assignment, "d1", grades[0])
        make.judgment(assignment, "d2", grades[1])
    evaluation = scoring.request_evaluation(
        user=olga, qrels=publish_qrels(user=olga, campaign=campaign)
    )
    monkeypatch.setattr(
        tasks.score_batch, "apply_async", lambda sent: tasks.score_batch(*sent)
    )
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    return campaign


@pytest.fixture
def otto(db):
    """The organizer of another campaign: a stranger in this one."""
    otto = make.user("otto")
    make.campaign(otto)
    return otto
