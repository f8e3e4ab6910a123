"""The large example at a small size, and the past of an example that is stretched."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership
from campaigns.models.trail import AuditEvent
from cleverdon.client import nouns
from demo import large
from demo.core.collection import Docstring
from demo.core.large import ExampleSize
from demo.core.simulation import ERROR_RATES, PROGRAM_RATE
from demo.services import CONTENT
from demo.steps import stretch
from evaluation import tasks
from evaluation.models.scores import Evaluation
from jobs import work
from jobs.models import Job
from qrels.models import Qrels
from runs.models import Run
from tests.db.actions import doing
from tests.db.joining import link

SMALL = ExampleSize(n_runs=5, n_topics=10, n_assessors=4, n_teams=3, run_depth=8, pool_depth=2)
WORDS = (
    *("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india"),
    "juliet",
)


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
def filled(db, connected, monkeypatch):
    score = tasks.score_batch
    monkeypatch.setattr(score, "apply_async", lambda sent: score(*sent))

    def wait() -> None:
        while job := Job.objects.unfinished().order_by("pk").first():  # one may ask for another
            work.kinds[job.kind](job.pk)

    # Here whoever waits does the work, also a program that waits for its import.
    monkeypatch.setattr(nouns, "time", SimpleNamespace(sleep=lambda _: wait()))
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


def test_the_past_is_stretched_in_its_order_and_what_lies_ahead_stays(otto, olga, campaign):
    judgment = doing.judged(campaign).judgments.get()
    ahead = link(campaign, olga)
    other = Campaign.objects.exclude(pk=campaign.pk).get()
    events = AuditEvent.objects.filter(campaign=campaign).order_by("at", "pk")
    before = list(events.values_list("pk", flat=True))
    stretch(campaign, days=12)
    campaign.refresh_from_db()
    ago = timezone.now() - campaign.created_at
    assert timedelta(days=11.9) < ago < timedelta(days=12.1)
    assert list(events.values_list("pk", flat=True)) == before
    judgment.refresh_from_db()
    assert campaign.created_at < judgment.changed_at <= timezone.now()
    assert judgment.events.get().at == pytest.approx(judgment.changed_at, abs=timedelta(hours=6))
    assert Invitation.objects.get().expires_at == ahead.expires_at
    assert Campaign.objects.get(pk=other.pk).created_at == other.created_at


def test_the_example_says_how_often_its_assessors_err():
    names = {"ada": "Ada", "ben": "Ben"}
    rates = ", ".join(f"{name} {100 * ERROR_RATES[key]:.0f} %" for key, name in names.items())
    rates += f", the program {100 * PROGRAM_RATE:.0f} %"
    assert f"({rates})" in CONTENT["settings"]["notice"]
