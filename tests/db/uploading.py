"""Runs: what they rank, how they are taken out, and what is asked of them again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation import services as scoring
from jobs.models import Job
from runs.models import Run
from runs.services import runs
from tests import make

QRELS = b"1 0 d1 1\n"
RANKING = {"1": "d1 d2", "2": "d3"}
OUT = {
    "withdrawn": lambda user, run, **given: runs.withdraw_run(user=user, run=run, **given),
    "disqualified": lambda user, run, **given: runs.disqualify_run(
        user=user, run=run, reason="no", **given
    ),
}
BOTH = pytest.mark.parametrize("state", OUT)


def again(run: Run) -> Run:
    return Run.objects.select_related("team", "campaign", "out_by").get(pk=run.pk)


def do(kind, subject_id: int) -> Job:
    """Do the newest job of this kind about a subject."""
    job = Job.objects.about(kind.name, subject_id)
    assert job is not None
    kind(job.pk)
    job.refresh_from_db()
    return job


def closed(campaign, *, days: int = 1) -> None:
    campaign.submission_closes_at = timezone.now() - timedelta(days=days)
    campaign.save()


def scored(olga, campaign) -> None:
    """Put every valid run on a board, without a pool."""
    scoring.request_evaluation(user=olga, **make.scope(make.imported_qrels(campaign, QRELS)))
