"""Jobs: asked for, claimed once, finished once, never lost; and the states of rows that move."""

import pytest

from accounts.access import Refused
from campaigns.services import campaign as campaign_services
from jobs import tasks as job_tasks
from jobs import work
from jobs.core import JOB_TRANSITIONS
from jobs.models import Job
from pooling.models import Pool
from runs.models import Run
from tests.db.locks import locked
from tests.db.workers import job_of, search, silence


def test_a_job_is_told_to_the_queue_when_the_transaction_is_safe(
    olga, campaign, queued, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = job_of(campaign, olga)
        assert queued == []
    assert queued == [(job.pk, "build_pool")]


def test_a_job_is_claimed_once(olga, campaign):
    job = job_of(campaign, olga)
    assert work.claim(job.pk).attempts == 1
    assert work.claim(job.pk) is None


def test_a_reason_is_kept_and_a_bug_too(olga, campaign):
    def fail(_):
        raise work.CannotFinish("There is no fuel.")

    def crash(_):
        raise KeyError("x")

    first, second = job_of(campaign, olga), job_of(campaign, olga)
    work.run(first.pk, fail)
    with pytest.raises(KeyError):
        work.run(second.pk, crash)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.outcome) == ("failed", "There is no fuel.")
    assert second.outcome == "An unexpected error ended the work (KeyError). It has been logged."


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
    for _ in range(job_tasks.MAX_ATTEMPTS):
        assert work.claim(job.pk)
        search(job)
    assert queued == [(job.pk, "build_pool")] * (job_tasks.MAX_ATTEMPTS - 1)
    job.refresh_from_db()
    assert (job.state, job.outcome) == (
        "failed",
        "The worker was lost 3 times while doing this; see the worker's log.",
    )


def test_a_waiting_job_whose_message_was_lost_is_queued_again(olga, campaign, queued):
    job = job_of(campaign, olga)
    silence(job)
    job_tasks.requeue_lost_jobs()
    assert queued == [(job.pk, "build_pool")]


def test_a_failed_job_can_be_tried_again(
    olga, campaign, queued, django_capture_on_commit_callbacks
):
    job = job_of(campaign, olga)
    with pytest.raises(Refused, match="Only a failed job"):
        campaign_services.retry_job(user=olga, job=job)
    work.fail(work.claim(job.pk), "no")
    with django_capture_on_commit_callbacks(execute=True):
        campaign_services.retry_job(user=olga, job=job)
    assert queued == [(job.pk, "build_pool")]
    assert work.claim(job.pk)


def test_a_worker_is_alive_as_long_as_it_says_so():
    assert not work.is_worker_alive()
    work.note_worker_alive()
    assert work.is_worker_alive()
    work.note_worker_gone()
    assert not work.is_worker_alive()


def test_a_finished_job_stays_as_it_is(olga, campaign, queued):
    job = job_of(campaign, olga)
    work.run(job.pk, lambda _: "yes")
    job.refresh_from_db()
    work.fail(job, "no")
    search(job)
    job.refresh_from_db()
    assert (job.state, job.outcome, queued) == ("done", "yes", [])


@pytest.mark.parametrize("model", [Run, Job, Pool])
def test_the_table_has_the_states_of_the_model_and_begins_with_the_first(model):
    table = model.objects.none().transitions
    assert set(table) == set(model.State.values)
    assert next(iter(table)) == model().state


@pytest.mark.parametrize("state", Job.State.values)
def test_rows_move_only_as_the_table_allows(olga, campaign, state):
    jobs_by_state = {found: job_of(campaign, olga).pk for found in Job.State.values}
    for found, pk in jobs_by_state.items():
        Job.objects.filter(pk=pk).update(state=found)
    allowed = {found for found, to in JOB_TRANSITIONS.items() if state in to}
    everything = Job.objects.filter(campaign=campaign)
    assert everything.move(state, outcome="moved") == len(allowed)
    moved = set(everything.filter(outcome="moved").values_list("pk", "state"))
    assert moved == {(jobs_by_state[found], state) for found in allowed}


def test_a_search_for_lost_jobs_locks_them(campaign, olga):
    """Whoever writes to a job holds it, so its worker lives."""
    job = job_of(campaign, olga)
    assert locked(lambda: search(job)) == {"jobs_job"}
