"""Kills in the middle of work: no act is lost or doubled, and every job ends by itself."""

import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import Error, connection
from django.test import override_settings

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from evaluation.models.scores import Evaluation
from jobs import database
from jobs.models import Job
from runs.models import Run
from tests import make
from tests.e2e import processes
from tests.recovery.people import Acting, Assessor, Organizer, Participant
from tests.recovery.site import POSTGRES, TARGETS, Site
from tests.redis_server import OwnRedis

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

N_DEEP = int(os.environ.get("KILLS", "60"))
IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
# The limits hold for an idle machine; other tests may keep this one busy.
BACK_SECONDS, RESUMED_SECONDS, END_SECONDS = (10, 20, 120) if IS_DEEP else (60, 60, 120)
N_TOPICS, N_RANKS = 40, 1000
TEXT = "".join(
    f"{topic} Q0 d{rank} {rank} {N_RANKS - rank} TAG\n"
    for topic in range(N_TOPICS)
    for rank in range(N_RANKS)
)


@pytest.fixture
def redis():
    """The queue of the site; the test itself queues nothing."""
    folder = Path(tempfile.mkdtemp(prefix="redis"))  # a socket's path must be short
    server = OwnRedis(folder, folder)
    server.start()
    try:
        with override_settings(REDIS_URL=server.url()):
            yield server
    finally:
        server.kill()
        shutil.rmtree(folder)


@pytest.fixture
def story(tmp_path, settings, queued):
    """A campaign being judged, with a run uploaded and a worker soon at work."""
    settings.MEDIA_ROOT = tmp_path / "media"
    olga, ada, pat = (make.user(name) for name in ("olga", "ada", "pat"))
    topics = [str(number) for number in range(N_TOPICS)]
    docnos = [f"d{number}" for number in range(60)]
    campaign = make.campaign(
        olga, assessors=[ada], participants={"A": [pat]}, topics=topics, docnos=docnos
    )
    first = make.run(campaign, pat, {"1": " ".join(docnos)}, "first")
    make.frozen_pool(campaign, [first], depth=60)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def running() -> dict[int, int]:
    """Return the tokens of the jobs at work, by key."""
    at_work = Job.objects.filter(state=Job.State.RUNNING, is_divided=False)
    return once_database_answers(lambda: dict(at_work.values_list("pk", "token")))


def once_database_answers(asked: Callable[[], Any]) -> Any:
    """Ask again until PostgreSQL, which may just have been killed, answers."""
    deadline = time.monotonic() + BACK_SECONDS
    while True:
        try:
            return asked()
        except Error as error:
            if not database.is_away(error):
                raise
            connection.close()
            assert time.monotonic() < deadline, "PostgreSQL is not back"
            time.sleep(0.1)


def database_time() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        return cursor.fetchone()[0]


class Kill(NamedTuple):
    """What was killed, the jobs at work then, and when: by the test and by the database."""

    target: str
    at_work: dict[int, int]
    at: float
    database_at: datetime

    def is_stuck(self) -> bool:
        """Whether a job that was at work is not over, and nobody works at it."""
        left = Job.objects.unfinished().filter(pk__in=self.at_work)
        return any(
            job.heartbeat_at <= self.database_at or job.state == Job.State.WAITING for job in left
        )


class Trial:
    """One story with its kills, and what was acknowledged meanwhile."""

    def __init__(self, story: Assignment, site: Site, seed: int) -> None:
        print(f"seed={seed}")  # noqa: T201
        self.dice, self.site, self.story = random.Random(seed), site, story
        campaign, url = story.topic.campaign, site.url
        pat = campaign.membership_set.get(role="participant").user
        olga = campaign.membership_set.get(role="organizer").user
        self.organizer = Organizer(olga, campaign, url)
        self.assessor = Assessor(story, url, seed)
        self.participant = Participant(pat, campaign, url, TEXT)
        self.acting = [Acting(self.assessor.judge, 0.02), Acting(self.participant.upload, 1.5)]

    def kill(self, target: str) -> Kill:
        """Kill in the middle of something: for the worker a job, otherwise whatever runs."""
        deadline = time.monotonic() + RESUMED_SECONDS
        while target.startswith("worker") and not running():
            assert time.monotonic() < deadline, "no job was at work"
            time.sleep(0.01)
        time.sleep(self.dice.uniform(0, 0.1))
        at_work, n_said = running(), len(self.assessor.said)
        self.site.kill(target, self.dice)
        kill = Kill(target, at_work, time.monotonic(), once_database_answers(database_time))
        self._await(lambda: len(self.assessor.said) > n_said + 1, BACK_SECONDS, target)
        self.site.mend()  # until here they judged without Redis
        print(f"killed={target} back={time.monotonic() - kill.at:.1f} s")  # noqa: T201
        return kill

    def await_work(self, kill: Kill) -> None:
        """Wait until every job that was at work is over, or at work again."""
        left = kill.at + RESUMED_SECONDS - time.monotonic()
        self._await(lambda: not kill.is_stuck(), left, kill.target)
        seconds = time.monotonic() - kill.at
        n = len(kill.at_work)
        print(f"killed={kill.target} at work={n} seen again within {seconds:.1f} s")  # noqa: T201

    def _await(self, is_so: Callable[[], bool], seconds: float, what: str) -> None:
        deadline = time.monotonic() + seconds
        while not once_database_answers(is_so):
            errors = [acting.error for acting in self.acting if acting.error]
            assert not errors, errors
            assert time.monotonic() < deadline, f"{what}: {processes.evidence(self.site.var)}"
            time.sleep(0.02)

    def end(self) -> None:
        for acting in self.acting:
            acting.end()
        self._await(lambda: not Job.objects.unfinished().exists(), END_SECONDS, "end")

    def check(self) -> None:
        self._check_judgments()
        runs = {run.tag: run for run in Run.objects.exclude(tag="first")}
        assert set(runs) >= set(self.participant.uploaded)
        for job in Job.objects.filter(state=Job.State.FAILED):
            assert "The worker was lost 3 times" in job.outcome
        for tag, sha256 in self.participant.uploaded.items():
            run = runs[tag]
            assert run.state in {Run.State.VALID, Run.State.UNCHECKED}
            assert run.state == Run.State.UNCHECKED or run.sha256 == sha256
        for evaluation in Evaluation.objects.filter(finished_at__isnull=False):
            assert evaluation.scores.count() == evaluation.runs.count()

    def _check_judgments(self) -> None:
        events = JudgmentEvent.objects.order_by("pk")
        stored = {
            str(e.client_id): (e.judgment.docno, e.to_grade)
            for e in events.select_related("judgment")
        }
        assert stored == self.assessor.said
        now = Judgment.objects.values_list("docno", "grade")
        assert dict(now) == self.assessor.given
        self.story.refresh_from_db()
        assert self.story.n_changes == len(stored)
        assert self.story.n_judged == len(self.assessor.given)


@pytest.fixture
def trial(story, redis, tmp_path):
    seed = int(os.environ.get("SEED", time.time_ns() % 1_000_000))
    site = Site(tmp_path, redis, n_web=2 if IS_DEEP else 1)
    try:
        site.wait(tmp_path)
        yield Trial(story, site, seed)
    finally:
        site.stop()


def test_three_kills_lose_nothing(trial):
    kills = [trial.kill(target) for target in ("worker child", "web child", "redis")]
    for kill in kills:
        trial.await_work(kill)
    trial.organizer.score()
    trial.end()
    trial.check()
    assert Evaluation.objects.filter(finished_at__isnull=False).exists()


def test_many_kills_lose_nothing(trial):
    kinds = [*TARGETS, *POSTGRES]
    targets = kinds * (N_DEEP // len(kinds) + 1)
    trial.dice.shuffle(targets)
    for number, target in enumerate(targets[:N_DEEP]):
        if number % 6 == 0 and trial.assessor.said:
            trial.organizer.score()
        trial.await_work(trial.kill(target))
    trial.end()
    trial.check()
