"""Work that fails, is taken over or is interrupted: given up once, and written once."""

import errno
import threading
import time
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models.functions import Now

from campaigns.services import campaign as campaign_services
from jobs import database, tasks
from jobs import work as jobs
from jobs.models import Job
from pooling import services as pooling
from pooling.models.batches import Batch
from pooling.tasks import build_batch
from runs import checking
from runs.models import Run
from runs.services import runs
from tests import make
from tests.db.workers import job_of, search, silence


@pytest.fixture
def given_up(monkeypatch):
    """A kind of job whose work is to be replaced, and the jobs of that kind that were given up."""
    subjects = []
    named = jobs.JobKind("a_test", lambda _: None, lambda job: subjects.append(job.pk), None)
    monkeypatch.setitem(jobs.kinds, named.name, named)
    return named, subjects


def crash(_):
    raise KeyError("x")


def no_fuel(_):
    raise jobs.CannotFinish("There is no fuel.")


def no_room(_):
    raise OSError(errno.ENOSPC, "No space left on device")


def too_slow(job):
    Job.objects.filter(pk=job.pk).update(attempts=tasks.MAX_ATTEMPTS)
    search(job)
    jobs.report(job, 1)


FAILURES = {
    crash: "An unexpected error ended the work (KeyError). It has been logged.",
    no_fuel: "There is no fuel.",
    no_room: "The disk of this server is full",
    too_slow: "The worker was lost 3 times",
}


@pytest.mark.parametrize("work", FAILURES)
def test_whatever_fails_a_job_says_so_and_its_subject_is_given_up_once(
    olga, campaign, given_up, work
):
    kind, subjects = given_up
    job = jobs.request(campaign=campaign, kind=kind, subject_id=1, user=olga)
    with suppress(KeyError, OSError):
        jobs.run(job.pk, work)
    search(job)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert job.outcome.startswith(FAILURES[work])
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
    [lambda job: jobs.report(job, 99), write, lambda _: "Done twice.", lambda _: None, no_fuel],
)
def test_a_worker_that_was_taken_for_dead_writes_nothing(olga, campaign, queued, act):
    job = job_of(campaign, olga)
    other = []

    def work(mine: Job):
        other.append(taken_over(mine))
        return act(mine)

    jobs.run(job.pk, work)
    [holder] = other
    names = ("state", "outcome", "progress", "total", "token", "is_divided")
    before = Job.objects.filter(pk=job.pk).values_list(*names).get()
    assert before == ("running", "", 0, 0, holder.token, False)
    jobs.part(job.pk, holder.token - 1, lambda _: pytest.fail("a part of the past"))
    jobs.report(holder, 5)
    assert Job.objects.get(pk=job.pk).progress == 5


def test_nobody_takes_a_job_whose_parts_are_in_the_queue(olga, campaign, monkeypatch):
    told = []
    monkeypatch.setattr(jobs, "enqueue", lambda job_id, _, **__: told.append(job_id))
    divided, waiting = job_of(campaign, olga), job_of(campaign, olga)
    jobs.run(divided.pk, lambda _: None)
    for is_empty in (False, True):
        monkeypatch.setattr(jobs.broker, "is_empty", lambda is_empty=is_empty: is_empty)
        assert told == []
        silence(waiting)
        search(divided)
    assert sorted(told) == sorted([divided.pk, waiting.pk])


def test_what_is_wrong_with_one_job_keeps_no_other_from_being_found(olga, campaign, queued, caplog):
    """As one of a kind that a newer release has no more, and whose worker was lost too often."""
    gone, lost = job_of(campaign, olga), job_of(campaign, olga)
    for job in (gone, lost):
        assert jobs.claim(job.pk)
    Job.objects.filter(pk=gone.pk).update(kind="gone", attempts=tasks.MAX_ATTEMPTS)
    silence(gone)
    search(lost)
    assert queued == [(lost.pk, "build_batch")]
    assert f"job={gone.pk} kind=gone not requeued" in caplog.text


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_clock_that_jumps_costs_no_running_job_an_attempt_and_hides_no_lost_one(
    olga, campaign, queued, jump
):
    """To the database, each heartbeat so far lies an hour back or ahead."""
    job, lost, unheard = (job_of(campaign, olga) for _ in range(3))
    running = jobs.claim(job.pk)
    jobs.claim(lost.pk)
    Job.objects.update(heartbeat_at=Now() - jump)
    for _ in range(tasks.SEARCHES):
        Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - jump)
        tasks.requeue_lost_jobs()
        jobs.report(running, 1)
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING
    assert sorted(pk for pk, _ in queued) == [lost.pk, unheard.pk]


@pytest.mark.django_db(transaction=True)
def test_a_step_that_reports_nothing_keeps_its_heartbeat(olga, campaign, monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT_SECONDS", 0.01)
    job = job_of(campaign, olga)

    def work(_):
        Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - 2 * tasks.LOST_AFTER)
        wait_until(lambda: not Job.objects.silent(tasks.LOST_AFTER).exists())
        return "Alive."

    jobs.run(job.pk, work)
    assert Job.objects.get(pk=job.pk).outcome == "Alive."
    assert not [t for t in threading.enumerate() if t.name == f"heartbeat-{job.pk}"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("is_there", "silent_for", "state"),
    [
        (True, tasks.LOST_AFTER, "running"),
        (False, tasks.LOST_AFTER, "waiting"),
        (True, tasks.SILENT_AT_MOST, "waiting"),
    ],
)
def test_a_worker_that_is_silent_is_lost_once_it_is_gone_or_hangs(
    olga, campaign, queued, monkeypatch, is_there, silent_for, state
):
    """As when one step keeps all threads of its process from running: no heartbeat, but its session
    is there.
    """
    monkeypatch.setattr(jobs, "HEARTBEAT_SECONDS", 60)
    if not is_there:
        monkeypatch.setattr(database, "attend", lambda _: None)
    job = job_of(campaign, olga)
    seen = []

    def work(job):
        wait_until(lambda: Job.objects.get(pk=job.pk).heartbeat_at > job.heartbeat_at)
        Job.objects.update(heartbeat_at=Now() - 2 * silent_for)
        for _ in range(tasks.SEARCHES):
            tasks.requeue_lost_jobs()
        seen.append(Job.objects.get(pk=job.pk).state)
        return "Alive."

    jobs.run(job.pk, work)
    assert seen == [state]


def wait_until(is_so) -> None:
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_lock_is_let_go_of_before_the_work_is_over(db):
    for key in range(1, 41):
        with database.repeating(lambda key=key: database.attend(key) or True, 5, "attending"):
            assert database.is_attended(key)
        assert not database.is_attended(key)


@pytest.mark.parametrize("error", [OperationalError, InterfaceError, DatabaseError])
def test_a_connection_that_is_lost_fails_no_job(error, olga, campaign, queued):
    def work(_):
        raise error("server closed the connection unexpectedly")

    job = job_of(campaign, olga)
    with pytest.raises(error):
        jobs.run(job.pk, work)
    search(job)
    assert queued == [(job.pk, "build_batch")]
    jobs.run(job.pk, lambda _: "Done.")
    assert Job.objects.get(pk=job.pk).outcome == "Done."


def gives_up(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(attempts=tasks.MAX_ATTEMPTS - 1)
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
    campaign_services.retry_job(user=olga, job=job)
    checking.check_run(job.pk)
    job.refresh_from_db()
    assert "was given to another run" in job.outcome
    runs.withdraw_run(user=pat, run=again)
    campaign_services.retry_job(user=olga, job=job)
    checking.check_run(job.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID


def test_a_run_can_be_withdrawn_while_it_is_checked(campaign, pat, queued, monkeypatch):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one")
    job = Job.objects.about("check_run", run.pk)

    def check_run(*_, **__):
        runs.withdraw_run(user=pat, run=Run.objects.get(pk=run.pk))
        return real(*_, **__)

    real = checking.check.check_run
    monkeypatch.setattr(checking.check, "check_run", check_run)
    checking.check_run(job.pk)
    job.refresh_from_db()
    run.refresh_from_db()
    assert (run.state, run.report, run.columns.name) == ("withdrawn", None, "")
    assert (job.state, job.outcome) == ("failed", "Run one was withdrawn.")
    assert make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one").tag == "one"


def test_a_pool_whose_job_was_given_up_can_be_built_again(campaign, pat, olga, queued):
    draft = pooling.request_batch(
        user=olga,
        campaign=campaign,
        runs=[make.run(campaign, pat, {"1": "d1"}, "one")],
        strategy="depth",
        parameters={"depth": 2},
    )
    job = Job.objects.about("build_batch", draft.pk)
    gives_up(job)
    draft.refresh_from_db()
    assert draft.state == Batch.State.FAILED
    campaign_services.retry_job(user=olga, job=job)
    build_batch(job.pk)
    draft.refresh_from_db()
    assert draft.state == Batch.State.BUILT
