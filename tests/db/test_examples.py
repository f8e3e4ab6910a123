"""The large example, filled at a small size by the services that fill it at its own."""

import pytest

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.people import Membership
from demo import large
from demo.core.collection import Docstring
from demo.core.large import ExampleSize
from evaluation import tasks
from evaluation.models.scores import Evaluation
from jobs import work
from jobs.models import Job
from qrels.models import Qrels
from runs.models import Run

SMALL = ExampleSize(n_runs=5, n_topics=10, n_assessors=4, n_teams=3, run_depth=8, pool_depth=2)
WORDS = [
    "alpha",
    "bravo",
    "charlie",
    "delta",
    "echo",
    "foxtrot",
    "golf",
    "hotel",
    "india",
    "juliet",
]


def documents() -> list[Docstring]:
    """Sixty documents, each with seven of the ten words, long enough to make a topic of."""
    return [
        Docstring(
            f"m.f{n}",
            f"f{n}",
            " ".join(WORDS[(n * step) % 10] for step in range(1, 8)) + " filler" * 40,
        )
        for n in range(60)
    ]


@pytest.fixture
def filled(db, monkeypatch):
    score = tasks.score_batch
    monkeypatch.setattr(score, "apply_async", lambda sent: score(*sent))

    def wait() -> None:
        for job in Job.objects.unfinished().order_by("pk"):
            work.kinds[job.kind](job.pk)

    return large.fill(lambda _: None, wait, SMALL, documents())


def test_the_large_example_has_its_size_and_is_judged_in_part(filled):
    members = Membership.objects.filter(campaign=filled)
    counts = {role: members.filter(role=role).count() for role in ("assessor", "participant")}
    assert counts == {"assessor": SMALL.n_assessors, "participant": SMALL.n_teams}
    states = Run.objects.filter(campaign=filled).values_list("state", flat=True)
    assert list(states) == ["valid"] * SMALL.n_runs
    assert not Job.objects.exclude(state="done").exists()
    primary = Assignment.objects.primary().filter(topic__campaign=filled)
    judged = [
        "all" if each.n_judged == each.n_entries else "some" if each.n_judged else "none"
        for each in primary.order_by("pk")
    ]
    assert judged == ["all"] * 7 + ["some"] * 2 + ["none"]
    qrels = Qrels.objects.get(campaign=filled)
    assert qrels.n_judgments == sum(each.n_judged for each in primary)
    assert Evaluation.objects.front_first(filled).first().scores.count() == SMALL.n_runs
    people = User.objects.filter(membership__campaign=filled).distinct()
    assert len({user.get_full_name() for user in people}) == len(people)
    assert all(user.check_password("cleverdon") for user in people)
