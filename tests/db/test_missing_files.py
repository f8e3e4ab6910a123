"""A stored file that is not there, as after a backup was restored without its media: a sentence that names whose it is."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from jobs.models import Job

from campaigns.models.run import Run
from campaigns.services import imports, runs
from evaluation import services as scoring
from evaluation import tasks
from qrels.services import publishing
from tests import make

SENTENCE = "The stored file of {} is missing on this server. Ask who runs it to restore it from the backup, then try again."


@pytest.fixture
def run(campaign, pat) -> Run:
    return make.run(campaign, pat, {"1": "d1 d2"}, "one")


def lose(file) -> None:
    Path(file.path).unlink()


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_run_is_not_downloaded(campaign, pat, run, client, method):
    lose(run.file)
    client.force_login(pat)
    answer = getattr(client, method)(
        reverse("campaigns:run_file", args=[campaign.slug, run.pk])
    )
    assert answer.status_code == 409
    if method == "get":
        assert (
            "The stored file of run one is missing on this server"
            in answer.content.decode()
        )


def test_a_run_is_not_checked(campaign, pat, queued):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one")
    lose(run.file)
    job = make.worked("check_run", run.pk)
    assert (job.state, job.outcome) == ("failed", SENTENCE.format("run one"))
    run.refresh_from_db()
    assert run.state == "unchecked"


def test_a_run_is_not_checked_again(campaign, pat, run):
    lose(run.file)
    runs.recheck_run(user=pat, run=run)
    assert make.worked("recheck_run", run.pk).outcome == SENTENCE.format("run one")


def test_runs_are_not_scored_or_pooled(campaign, olga, ada, run):
    make.frozen_pool(campaign, [run])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 2)
    qrels = publishing.publish_qrels(user=olga, campaign=campaign)
    lose(run.columns)
    evaluation = scoring.request_evaluation(user=olga, qrels=qrels)
    job = Job.objects.get(kind="score_runs", subject_id=evaluation.pk)
    tasks.score_runs(job.pk)
    job.refresh_from_db()
    tasks.score_batch(job.pk, job.token, [run.pk])
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("failed", SENTENCE.format("run one"))


def test_qrels_are_not_downloaded(campaign, olga, ada, run, client):
    make.frozen_pool(campaign, [run])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 2)
    qrels = publishing.publish_qrels(user=olga, campaign=campaign)
    lose(qrels.file)
    client.force_login(olga)
    answer = client.get(reverse("qrels:qrels_file", args=[campaign.slug, qrels.number]))
    assert answer.status_code == 409
    assert "v1 is missing on this server" in answer.content.decode()


def test_an_import_is_not_read(campaign, olga, queued):
    row = imports.request_import(
        user=olga,
        campaign=campaign,
        kind="documents",
        file=ContentFile(b"{}", name="d.jsonl"),
    )
    lose(row.file)
    assert make.worked("read_import", row.pk).outcome == SENTENCE.format(
        "import d.jsonl"
    )
