"""Kills in the middle of work: no act is lost or doubled, and every job ends by itself."""

import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import Error, connection
from django.test import override_settings

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from config import alive
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

N_KILLS = int(os.environ.get("KILLS", "60"))
# The limits hold for an idle machine.
BACK_SECONDS, RESUMED_SECONDS, END_SECONDS = 10, 20, 120
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


def is_at_work() -> bool:
    running = Job.objects.filter(state=Job.State.RUNNING, is_divided=False)
    return once_database_answers(running.exists)


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

    def kill(self, target: str) -> None:
        """Kill in the middle of something: for the worker a job, otherwise whatever runs."""
        deadline = time.monotonic() + RESUMED_SECONDS
        while target.startswith("worker") and not is_at_work():
            assert time.monotonic() < deadline, "no job was at work"
            time.sleep(0.01)
        time.sleep(self.dice.uniform(0, 0.1))
        n_said, killed_at = len(self.assessor.said), time.monotonic()
        self.site.kill(target, self.dice)
        self._await(lambda: len(self.assessor.said) > n_said + 1, BACK_SECONDS, target)
        self.site.mend()  # until here they judged without Redis
        print(f"killed={target} back={time.monotonic() - killed_at:.1f} s")  # noqa: T201

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
        for name in ("worker", "beat"):
            self._await(lambda name=name: not alive.trouble(self.site.var, name), 60, name)
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
        now = Judgment.objects.values_list("item__key", "grade")
        assert dict(now) == self.assessor.given
        self.story.refresh_from_db()
        assert self.story.n_changes == len(stored)
        assert self.story.n_judged == len(self.assessor.given)


@pytest.fixture
def trial(story, redis, tmp_path):
    seed = int(os.environ.get("SEED", time.time_ns() % 1_000_000))
    site = Site(tmp_path, redis)
    try:
        site.wait(tmp_path)
        yield Trial(story, site, seed)
    finally:
        site.stop()


def test_many_kills_lose_nothing(trial):
    kinds = [*TARGETS, *POSTGRES]
    targets = kinds * (N_KILLS // len(kinds) + 1)
    trial.dice.shuffle(targets)
    for number, target in enumerate(targets[:N_KILLS]):
        if number % 6 == 0 and trial.assessor.said:
            trial.organizer.score()
        trial.kill(target)
    trial.organizer.score()
    trial.end()
    trial.check()
    assert Evaluation.objects.filter(finished_at__isnull=False).exists()
