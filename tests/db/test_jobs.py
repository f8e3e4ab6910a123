"""Jobs: asked for, claimed once, finished once, never lost; and the states of rows that move."""

import pytest

from accounts.access import Refused
from campaigns.services import campaign as campaign_services
from jobs import tasks as job_tasks
from jobs import work
from jobs.core import JOB_TRANSITIONS
from jobs.models import Job
from pooling.models.batches import Batch
from runs.models import Run
from tests.db.locks import locked
from tests.db.workers import job_of, search, silence


def test_a_job_is_told_to_the_queue_when_the_transaction_is_safe_and_claimed_once(
    olga, campaign, queued, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = job_of(campaign, olga)
        assert queued == []
    assert queued == [(job.pk, "build_batch")]
    assert work.claim(job.pk).attempts == 1
    assert work.claim(job.pk) is None


def test_work_that_goes_on_elsewhere_keeps_its_job_running(olga, campaign):
    job = job_of(campaign, olga)
    work.run(job.pk, lambda _: None)
    work.part(job.pk, 1, lambda running: work.report(running, 3, 6))
    job.refresh_from_db()
    assert (job.state, job.percent) == ("running", 50)
    work.part(job.pk, 1, lambda _: "Done.")
    work.part(job.pk, 1, lambda _: pytest.fail("a finished job has no parts"))
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("done", "Done.")


def test_a_silent_job_is_queued_again_and_given_up_after_three_attempts(olga, campaign, queued):
    job = job_of(campaign, olga)
    assert job_tasks.requeue_lost_jobs() == 0
    silence(job)  # its message was lost
    job_tasks.requeue_lost_jobs()
    for _ in range(job_tasks.MAX_ATTEMPTS):
        assert work.claim(job.pk)
        # Whoever writes to a job holds it, so its worker lives.
        assert locked(lambda: search(job)) == {"jobs_job"}
    assert queued == [(job.pk, "build_batch")] * job_tasks.MAX_ATTEMPTS
    job.refresh_from_db()
    assert (job.state, job.outcome) == (
        "failed",
        "The worker was lost 3 times while doing this; see the worker's log.",
    )


def test_a_failed_job_can_be_tried_again(
    olga, campaign, queued, django_capture_on_commit_callbacks
):
    job = job_of(campaign, olga)
    with pytest.raises(Refused, match="Only a failed job"):
        campaign_services.retry_job(user=olga, job=job)
    work.fail(work.claim(job.pk), "no")
    with django_capture_on_commit_callbacks(execute=True):
        campaign_services.retry_job(user=olga, job=job)
    assert queued == [(job.pk, "build_batch")]
    assert work.claim(job.pk)


def test_a_finished_job_stays_as_it_is(olga, campaign, queued):
    job = job_of(campaign, olga)
    work.run(job.pk, lambda _: "yes")
    job.refresh_from_db()
    work.fail(job, "no")
    search(job)
    job.refresh_from_db()
    assert (job.state, job.outcome, queued) == ("done", "yes", [])


def test_the_tables_have_the_states_of_their_models_and_begin_with_the_first():
    for model in (Run, Job, Batch):
        table = model.objects.none().transitions
        assert set(table) == set(model.State.values)
        assert next(iter(table)) == model().state


@pytest.mark.parametrize("state", Job.State.values)
def test_rows_move_only_as_the_table_allows(olga, campaign, state):
    for found in Job.State.values:
        Job.objects.filter(pk=job_of(campaign, olga).pk).update(state=found, outcome=found)
    allowed = {found for found, to in JOB_TRANSITIONS.items() if state in to}
    assert Job.objects.filter(campaign=campaign).move(state) == len(allowed)
    rows = Job.objects.filter(campaign=campaign).values_list("outcome", "state")
    assert dict(rows) == {found: state if found in allowed else found for found in Job.State.values}
