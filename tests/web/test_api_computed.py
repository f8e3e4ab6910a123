"""What a program may start it can read: the job says of what, and the figures have an address."""

import pytest

from evaluation.models.scores import Evaluation
from evaluation.services import request_review
from jobs.models import Job
from runs.models import Run
from tests import make
from tests.api.addresses import of, send
from tests.releasing import ALL, show_to

pytestmark = pytest.mark.django_db


def read(client, campaign, at: str):
    answer = client.get(of(campaign, at))
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_job_names_what_it_works_on(as_olga, played):
    evaluation, run = Evaluation.objects.get(), played.run_set.get()
    job = Job.objects.get(kind="score_runs")
    subject = read(as_olga, played, f"jobs/{job.public_id}/")["subject"]
    assert subject == of(played, f"evaluations/{evaluation.public_id}/")
    assert as_olga.get(subject).json()["id"] == str(evaluation.public_id)
    checked = Job.objects.filter(kind="check_run").first()
    assert read(as_olga, played, f"jobs/{checked.public_id}/")["subject"] == of(
        played, f"runs/{run.tag}/"
    )
    whole = send(as_olga, played, "pool/find-duplicates/").json()
    assert whole["subject"] is None
    Evaluation.objects.update(finished_at=None)
    assert read(as_olga, played, f"jobs/{job.public_id}/")["subject"] is None


def test_a_job_names_nothing_that_its_reader_may_not_see(client, played, pat):
    """Who asked for scores and an import as an organizer, and is none any more."""
    make.uploaded(played, "topics", b"9\tnine")
    Job.objects.update(created_by=pat)
    played.releases.all().delete()
    client.force_login(pat)
    for job in Job.objects.filter(kind__in=["score_runs", "read_import"]):
        assert read(client, played, f"jobs/{job.public_id}/")["subject"] is None, job
    assert Job.objects.filter(kind="read_import").exists()


def test_figures_of_an_evaluation_are_read_by_whom_their_page_is_for(as_olga, client, played, pat):
    evaluation = Evaluation.objects.get()
    at = f"evaluations/{evaluation.public_id}/reusability/"
    assert as_olga.get(of(played, at)).status_code == 404
    assert (
        send(as_olga, played, f"evaluations/{evaluation.public_id}/leave-out/").status_code == 202
    )
    make.worked("leave_out", evaluation.pk)
    evaluation.refresh_from_db()
    found = read(as_olga, played, at)
    assert found["n_alone"] == evaluation.reusability["n_alone"]
    [own, *_] = evaluation.reusability["measures"][0]["runs"]
    run = Run.objects.get(pk=own["run"])
    named = {"run": run.tag, "team_name": run.team.name}
    assert found["measures"][0]["runs"][0] == {**own, **named}
    client.force_login(pat)
    assert client.get(of(played, at)).status_code == 404  # their own runs alone
    show_to(played, ALL)
    assert client.get(of(played, at)).status_code == 200


def test_the_last_review_of_the_pool(as_olga, played, olga):
    review = request_review(user=olga, campaign=played)
    make.worked("review_pool", review.pk)
    review.refresh_from_db()
    found = read(as_olga, played, "completeness/")
    assert found["n_pooled"] == review.found["n_pooled"] == 4
    assert [*found["missing"].values()] == review.found["missing"]


def test_a_forecast_by_depth(as_olga, played, pat):
    make.run(played, pat, {"1": "d5 d6 d1", "2": "d4"}, "other")
    assert read(as_olga, played, "forecast/") == []
    make.forecast(played)
    rows = read(as_olga, played, "forecast/")
    assert [each["depth"] for each in rows] == [*range(1, len(rows) + 1)]
    assert [each["documents"] for each in rows[:3]] == [1, 2, 2]
