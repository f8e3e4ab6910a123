"""Pages that wait for a job, when it ends while they are being read."""

import pytest

from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scores import EvaluationQuerySet
from jobs.models import Job
from pooling import services as pooling
from pooling import tasks as pooling_tasks
from pooling.models import PoolQuerySet
from qrels.services.publishing import publish_qrels
from tests import make


def ended_meanwhile(monkeypatch, querysets, read: str, work) -> None:
    """Have the newest job done right after the page has read what the job makes."""
    before = getattr(querysets, read)

    def after(self, *arguments):
        found = before(self, *arguments)
        monkeypatch.setattr(querysets, read, before)
        work(Job.objects.latest("pk").pk)
        return found

    monkeypatch.setattr(querysets, read, after)


def test_a_pool_that_is_built_meanwhile_is_asked_for_again(
    client, campaign, olga, pat, monkeypatch
):
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d1"})
    pooling.request_pool(user=olga, campaign=campaign, runs=[run], depth=2)
    ended_meanwhile(monkeypatch, PoolQuerySet, "current_of", pooling_tasks.build_pool)
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/pool/"
    assert 'hx-trigger="every 1s"' in client.get(address).content.decode()
    assert "Freeze this pool" in client.get(address).content.decode()


@pytest.mark.usefixtures("played")
def test_scores_that_are_finished_meanwhile_are_asked_for_again(
    client, campaign, olga, monkeypatch
):
    qrels = publish_qrels(user=olga, campaign=campaign, level=2)
    monkeypatch.setattr(tasks.score_batch, "apply_async", lambda sent: tasks.score_batch(*sent))
    evaluation = scoring.request_evaluation(user=olga, qrels=qrels)
    ended_meanwhile(monkeypatch, EvaluationQuerySet, "finished", tasks.score_runs)
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/leaderboard/"
    assert 'hx-trigger="every 1s"' in client.get(address).content.decode()
    evaluation.refresh_from_db()
    assert evaluation.finished_at
