"""The large example, filled at a small size by the services that fill it at its own."""

import pytest

from accounts.models import User
from assess.models import Assignment, Qrels
from campaigns import jobs
from campaigns.models import Job, Membership, Run
from demo import large
from demo.core.collection import Document
from demo.core.large import Size
from evaluation.models import Evaluation
from tests.db.scoring import at_once

SMALL = Size(n_runs=5, n_topics=10, n_assessors=4, n_teams=3, run_depth=8, pool_depth=2)
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()


def documents() -> list[Document]:
    """Sixty documents, each with seven of the ten words, and long enough to be the source of a topic."""
    return [
        Document(
            f"m.f{n}",
            f"f{n}",
            " ".join(WORDS[(n * step) % 10] for step in range(1, 8)) + " filler" * 40,
        )
        for n in range(60)
    ]


@pytest.fixture
def filled(db, queued, monkeypatch):
    at_once(monkeypatch)

    def wait() -> None:
        while queued:
            job_id, kind = queued.pop(0)
            jobs.kinds[kind](job_id)

    return large.fill(lambda _: None, wait, SMALL, documents())


def test_the_large_example_has_the_size_it_is_given(filled):
    members = Membership.objects.filter(campaign=filled)
    counts = {role: members.filter(role=role).count() for role in ("assessor", "participant")}  # fmt: skip
    assert counts == {"assessor": SMALL.n_assessors, "participant": SMALL.n_teams}
    runs = Run.objects.filter(campaign=filled)
    assert {run.state for run in runs} == {"valid"}
    assert len(runs) == SMALL.n_runs
    assert filled.topic_set.count() == SMALL.n_topics
    assert not Job.objects.exclude(state="done").exists()


def test_some_of_its_topics_are_judged_some_begun_some_not(filled):
    primary = Assignment.objects.primary().filter(topic__campaign=filled)
    states = [
        "all" if each.n_judged == each.n_entries else "some" if each.n_judged else "none"
        for each in primary.order_by("pk")
    ]  # fmt: skip
    assert states == ["all"] * 7 + ["some"] * 2 + ["none"]
    judged = sum(each.n_judged for each in primary)
    assert Qrels.objects.get(campaign=filled).n_judgments == judged
    assert Evaluation.objects.latest_of(filled).scores.count() == SMALL.n_runs


def test_everybody_in_it_can_sign_in_and_has_a_name(filled):
    people = User.objects.filter(membership__campaign=filled).distinct()
    assert len({user.get_full_name() for user in people}) == len(people)
    assert all(user.check_password("cleverdon") for user in people)
