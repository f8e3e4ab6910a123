"""Jobs: asked for, claimed once, finished once, never lost; and the states of rows that move."""

import errno
import threading
import time
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from accounts.access import Refused
from campaigns import jobs, services, tasks
from campaigns.core.lifecycle import JOB_TRANSITIONS
from campaigns.models import Job, Run
from pooling import services as pooling
from pooling.models import Pool
from pooling.tasks import build_pool
from tests import make


def job_of(campaign, olga) -> Job:
    return jobs.request(campaign=campaign, kind=build_pool, subject_id=1, user=olga)


def test_a_job_is_told_to_the_queue_when_the_transaction_is_safe(
    olga, campaign, queued, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = job_of(campaign, olga)
        assert queued == []
    assert queued == [(job.pk, "build_pool")]


def test_a_job_is_claimed_once(olga, campaign):
    job = job_of(campaign, olga)
    assert jobs.claim(job.pk).attempts == 1
    assert jobs.claim(job.pk) is None


def test_a_reason_is_kept_and_a_bug_too(olga, campaign):
    def fail(_):
        raise jobs.CannotFinish("There is no fuel.")

    def crash(_):
        raise KeyError("x")

    first, second = job_of(campaign, olga), job_of(campaign, olga)
    jobs.run(first.pk, fail)
    with pytest.raises(KeyError):
        jobs.run(second.pk, crash)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.outcome) == ("failed", "There is no fuel.")
    assert (
        second.outcome
        == "An unexpected error ended the work (KeyError). It has been logged."
    )


def test_work_that_goes_on_elsewhere_keeps_its_job_running(olga, campaign):
    job = job_of(campaign, olga)
    jobs.run(job.pk, lambda _: None)
    jobs.part(job.pk, 1, lambda running: jobs.report(running, 3, 6))
    job.refresh_from_db()
    assert (job.state, job.percent) == ("running", 50)
    jobs.part(job.pk, 1, lambda _: "Done.")
    jobs.part(job.pk, 1, lambda _: pytest.fail("a finished job has no parts"))
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("done", "Done.")


def silence(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - jobs.LOST_AFTER * 2)


def search(job: Job) -> None:
    """What beat asks for every three seconds, as often as it takes to take a silent worker for dead."""
    silence(job)
    for _ in range(jobs.SEARCHES):
        jobs.requeue_lost()


def test_a_silent_job_is_queued_again_and_given_up_after_three_attempts(
    olga, campaign, queued
):
    job = job_of(campaign, olga)
    assert jobs.requeue_lost() == 0
    for _ in range(jobs.MAX_ATTEMPTS):
        assert jobs.claim(job.pk)
        search(job)
    assert queued == [(job.pk, "build_pool")] * (jobs.MAX_ATTEMPTS - 1)
    job.refresh_from_db()
    assert (job.state, job.outcome) == (
        "failed",
        "The worker was lost 3 times while doing this; see the worker's log.",
    )


def test_a_waiting_job_whose_message_was_lost_is_queued_again(olga, campaign, queued):
    job = job_of(campaign, olga)
    silence(job)
    tasks.requeue_lost_jobs()
    assert queued == [(job.pk, "build_pool")]


def test_a_failed_job_can_be_tried_again(
    olga, campaign, queued, django_capture_on_commit_callbacks
):
    job = job_of(campaign, olga)
    with pytest.raises(Refused, match="Only a failed job"):
        services.retry_job(user=olga, job=job)
    jobs.fail(jobs.claim(job.pk), "no")
    with django_capture_on_commit_callbacks(execute=True):
        services.retry_job(user=olga, job=job)
    assert queued == [(job.pk, "build_pool")]
    assert jobs.claim(job.pk)


def test_a_worker_is_alive_as_long_as_it_says_so():
    assert not jobs.is_worker_alive()
    jobs.note_worker_alive()
    assert jobs.is_worker_alive()
    jobs.note_worker_gone()
    assert not jobs.is_worker_alive()


def test_a_finished_job_stays_as_it_is(olga, campaign, queued):
    job = job_of(campaign, olga)
    jobs.run(job.pk, lambda _: "yes")
    job.refresh_from_db()
    jobs.fail(job, "no")
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


@pytest.fixture
def given_up(monkeypatch):
    """A kind of job whose work is to be replaced, and the jobs of that kind that were given up."""
    subjects = []
    named = jobs.JobKind("a_test", lambda _: None, lambda job: subjects.append(job.pk))
    monkeypatch.setitem(jobs.kinds, named.name, named)
    return named, subjects


def crash(_):
    raise KeyError("x")


def no_fuel(_):
    raise jobs.CannotFinish("There is no fuel.")


def no_room(_):
    raise OSError(errno.ENOSPC, "No space left on device")


def too_slow(job):
    Job.objects.filter(pk=job.pk).update(attempts=jobs.MAX_ATTEMPTS)
    search(job)
    jobs.report(job, 1)


@pytest.mark.parametrize("work", [crash, no_fuel, no_room, too_slow])
def test_whatever_fails_a_job_its_subject_is_given_up_once(
    olga, campaign, given_up, work
):
    kind, subjects = given_up
    job = jobs.request(campaign=campaign, kind=kind, subject_id=1, user=olga)
    with suppress(KeyError, OSError):
        jobs.run(job.pk, work)
    search(job)
    assert Job.objects.get(pk=job.pk).state == Job.State.FAILED
    assert subjects == [job.pk]


def taken_over(job: Job) -> Job:
    """Another worker holds the job."""
    search(job)
    return jobs.claim(job.pk)


def write(job: Job) -> str:
    with jobs.writing(job):
        Job.objects.filter(pk=job.pk).update(total=99)
    return "written"


@pytest.mark.parametrize(
    "act",
    [
        lambda job: jobs.report(job, 99),
        write,
        lambda _: "Done twice.",
        lambda _: None,
        no_fuel,
    ],
)
def test_a_worker_that_was_taken_for_dead_writes_nothing(olga, campaign, queued, act):
    job = job_of(campaign, olga)
    other = []

    def work(mine: Job):
        other.append(taken_over(mine))
        return act(mine)

    jobs.run(job.pk, work)
    [holder] = other
    before = Job.objects.filter(pk=job.pk).values(
        "state", "outcome", "progress", "total", "token", "is_divided"
    )
    assert list(before) == [
        {
            "state": "running",
            "outcome": "",
            "progress": 0,
            "total": 0,
            "token": holder.token,
            "is_divided": False,
        }
    ]
    jobs.part(job.pk, holder.token - 1, lambda _: pytest.fail("a part of the past"))
    jobs.report(holder, 5)
    assert Job.objects.get(pk=job.pk).progress == 5


def test_nobody_takes_a_job_whose_parts_are_in_the_queue(olga, campaign, monkeypatch):
    told = []
    monkeypatch.setattr(jobs, "enqueue", lambda job_id, _: told.append(job_id))
    divided, waiting = job_of(campaign, olga), job_of(campaign, olga)
    jobs.run(divided.pk, lambda _: None)
    for is_empty in (False, True):
        monkeypatch.setattr(jobs.broker, "is_empty", lambda is_empty=is_empty: is_empty)
        assert told == []
        silence(waiting)
        search(divided)
    assert sorted(told) == sorted([divided.pk, waiting.pk])


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_clock_that_jumps_costs_no_running_job_an_attempt(
    olga, campaign, queued, jump
):
    job = job_of(campaign, olga)
    running = jobs.claim(job.pk)
    for _ in range(3):
        # To the database, each heartbeat so far lies an hour back or ahead.
        Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - jump)
        assert jobs.requeue_lost() == 0
        jobs.report(running, 1)
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING
    assert queued == []


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_clock_that_jumps_hides_no_lost_job(olga, campaign, queued, jump):
    lost, unheard = job_of(campaign, olga), job_of(campaign, olga)
    jobs.claim(lost.pk)
    Job.objects.update(heartbeat_at=Now() - jump)
    for _ in range(jobs.SEARCHES):
        jobs.requeue_lost()
    assert sorted(pk for pk, _ in queued) == [lost.pk, unheard.pk]


@pytest.mark.django_db(transaction=True)
def test_a_step_that_reports_nothing_keeps_its_heartbeat(olga, campaign, monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT_SECONDS", 0.01)
    job = job_of(campaign, olga)

    def work(_):
        Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - 2 * jobs.LOST_AFTER)
        deadline = time.monotonic() + 20
        while Job.objects.silent(jobs.LOST_AFTER).exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return "Alive."

    jobs.run(job.pk, work)
    assert Job.objects.get(pk=job.pk).outcome == "Alive."
    assert not [t for t in threading.enumerate() if t.name == f"heartbeat-{job.pk}"]


def test_a_connection_that_is_lost_fails_no_job(olga, campaign, queued):
    def work(_):
        raise OperationalError("server closed the connection unexpectedly")

    job = job_of(campaign, olga)
    with pytest.raises(OperationalError):
        jobs.run(job.pk, work)
    search(job)
    assert queued == [(job.pk, "build_pool")]
    jobs.run(job.pk, lambda _: "Done.")
    assert Job.objects.get(pk=job.pk).outcome == "Done."


# What giving up means for each kind's subject


def gives_up(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(attempts=jobs.MAX_ATTEMPTS - 1)
    jobs.claim(job.pk)
    search(job)


def test_a_run_whose_check_was_given_up_frees_its_tag(campaign, pat, olga, queued):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one")
    job = Job.objects.about("check_run", run.pk)
    jobs.run(job.pk, lambda _: None)
    Run.objects.filter(pk=run.pk).move(Run.State.CHECKING)
    search(job)
    gives_up(job)
    run.refresh_from_db()
    assert run.state == Run.State.UNCHECKED
    again = make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one")
    services.retry_job(user=olga, job=job)
    tasks.check_run(job.pk)
    job.refresh_from_db()
    assert "was given to another run" in job.outcome
    services.withdraw_run(user=pat, run=again)
    services.retry_job(user=olga, job=job)
    tasks.check_run(job.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID


def test_a_run_can_be_withdrawn_while_it_is_checked(campaign, pat, queued, monkeypatch):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one")
    job = Job.objects.about("check_run", run.pk)

    def check_run(*_, **__):
        services.withdraw_run(user=pat, run=Run.objects.get(pk=run.pk))
        return real(*_, **__)

    real = tasks.check.check_run
    monkeypatch.setattr(tasks.check, "check_run", check_run)
    tasks.check_run(job.pk)
    job.refresh_from_db()
    run.refresh_from_db()
    assert (run.state, run.report, run.columns.name) == ("withdrawn", None, "")
    assert (job.state, job.outcome) == ("failed", "Run one was withdrawn.")
    assert make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one").tag == "one"


def test_a_pool_whose_job_was_given_up_can_be_built_again(campaign, pat, olga, queued):
    pool = pooling.request_pool(
        user=olga,
        campaign=campaign,
        runs=[make.run(campaign, pat, {"1": "d1"}, "one")],
        depth=2,
    )
    job = Job.objects.about("build_pool", pool.pk)
    gives_up(job)
    pool.refresh_from_db()
    assert pool.state == Pool.State.FAILED
    services.retry_job(user=olga, job=job)
    build_pool(job.pk)
    pool.refresh_from_db()
    assert pool.state == Pool.State.BUILT
