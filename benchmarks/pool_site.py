"""Jobs and pages of a large pool: `python -m benchmarks.pool_site [--runs 500] [--topics 1000]`.

Made runs of 100 documents a topic stand in a campaign on a private PostgreSQL and Redis, and seven
tenths of its pool are judged (`--judged 0.7`). Printed: how long the forecast, a batch of depth 10
and its freezing take, and each page that reads the pool or its judgments, in wall time and in
processor time of the web process and of the database's.
"""

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from benchmarks import site
from benchmarks.boards import median, worked
from benchmarks.pools import store_large

if TYPE_CHECKING:
    from pooling.models.batches import Batch

RUNS_OF_A_TEAM, DEPTH, POOL_DEPTH = 10, 100, 10
N_ASSESSORS = 20


def campaign_of(n_runs: int, n_topics: int) -> int:
    """Return a campaign with valid runs, as if they had been uploaded and checked."""
    from django.core.files import File

    from accounts.models import User
    from campaigns.models.people import Team
    from campaigns.services.campaign import create_campaign
    from collection.models.texts import Topic
    from runs.models import Run

    olga = User.objects.create(username="olga", is_active=True)
    campaign = create_campaign(user=olga, name="Large")
    Topic.objects.bulk_create(
        Topic(campaign=campaign, number=str(n), title=f"topic {n}") for n in range(n_topics)
    )
    with tempfile.TemporaryDirectory() as folder:
        store_large(Path(folder), n_runs, n_topics, DEPTH)
        for n, path in enumerate(sorted(Path(folder).glob("*.columns"))):
            name = f"Team {n // RUNS_OF_A_TEAM + 1}"
            team, _ = Team.objects.get_or_create(campaign=campaign, name=name)
            run = Run(campaign=campaign, team=team, submitted_by=olga, tag=path.stem, n_bytes=1)
            run.sha256 = hashlib.sha256(path.stem.encode()).hexdigest()
            run.state, run.priority = Run.State.VALID, n % RUNS_OF_A_TEAM + 1
            run.report = {"n_lines": n_topics * DEPTH, "n_topics": n_topics, "n_errors": 0}
            run.report["warnings"] = []
            with path.open("rb") as file:
                run.columns.save("columns", File(file), save=False)
            run.save()
            path.unlink()
    return campaign.pk


def timed(what: str, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    act()
    print(f"  {what:36}{time.perf_counter() - start:8.1f} s", flush=True)


def print_jobs(campaign_id: int) -> "Batch":
    from campaigns.models.campaign import Campaign
    from pooling import services
    from pooling.models.forecasts import Forecast
    from runs.models import Run

    campaign = Campaign.objects.get(pk=campaign_id)
    olga = campaign.membership_set.get().user
    services.request_forecast(user=olga, campaign=campaign)
    forecast = Forecast.objects.get(campaign=campaign)
    timed("forecast", lambda: worked("forecast_pool", forecast.pk))
    runs = list(Run.objects.filter(campaign=campaign))
    how: dict[str, Any] = {"strategy": "depth", "parameters": {"depth": POOL_DEPTH}}
    batch = services.request_batch(user=olga, campaign=campaign, runs=runs, **how)
    timed(f"batch of depth {POOL_DEPTH}", lambda: worked("build_batch", batch.pk))
    batch.refresh_from_db()
    print(f"  {batch.n_entries:,} documents")
    draft = services.request_batch(user=olga, campaign=campaign, runs=runs[1:], **how)
    worked("build_batch", draft.pk)
    freezing: dict[str, Any] = {"user": olga, "batch": batch, "sha256": batch.sha256}
    timed("freezing", lambda: services.freeze_batch(**freezing))
    forecast.refresh_from_db()
    services.request_forecast(user=olga, campaign=campaign)
    worked("forecast_pool", forecast.pk)
    return batch


def judge(batch: "Batch", share: float) -> int:
    """Have each topic judged by one of N_ASSESSORS, so much of it, over days; return how much."""
    from django.db import connection
    from django.utils import timezone

    from accounts.models import User
    from assess.models.assigning import Assignment
    from assess.models.days import recount
    from assess.models.history import JudgmentEvent
    from assess.models.judging import Judgment
    from assess.models.serving import AssignmentEntry
    from campaigns.models.people import Role

    batch.refresh_from_db()  # it is frozen
    campaign, now = batch.campaign, timezone.now()
    people = [User.objects.create(username=f"assessor{n}") for n in range(N_ASSESSORS)]
    for each in people:
        campaign.membership_set.create(user=each, role=Role.ASSESSOR)
    n = 0
    for place, topic in enumerate(campaign.topic_set.order_by("pk")):
        entries = batch.entries.filter(topic=topic).order_by("position")
        items, assessor = list(entries.values_list("item", flat=True)), people[place % len(people)]
        done = items[: round(share * len(items))]
        given = Assignment.objects.create(
            topic=topic,
            pool=batch.pool,
            assessor=assessor,
            kind="primary",
            seed=1,
            created_by=campaign.membership_set.earliest("pk").user,
            n_entries=len(items),
            n_judged=len(done),
            n_changes=len(done),
        )
        answers = {"relevance": 1}
        same = {"topic": topic, "assessor": assessor, "assignment": given, "answers": answers}
        judgments = Judgment.with_controls.bulk_create(
            Judgment(item_id=item, change=change, state="judged", purpose="primary", **same)
            for change, item in enumerate(done, 1)
        )
        by_item = {each.item_id: each for each in judgments}
        AssignmentEntry.every.bulk_create(
            AssignmentEntry(
                assignment=given,
                position=at,
                item_id=item,
                purpose="primary",
                judgment=by_item.get(item),
            )
            for at, item in enumerate(items)
        )
        JudgmentEvent.objects.bulk_create(
            JudgmentEvent(
                judgment=each,
                assignment=given,
                client_id=uuid4(),
                change=each.change,
                from_state="",
                to_state="judged",
                to_answers=answers,
                active_ms=20_000,
                pressed_at=now - timedelta(days=each.change % 14),
                at=now,
            )
            for each in judgments
        )
        n += len(judgments)
    recount(campaign)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return n


def print_pages(batch: "Batch") -> None:
    from django.test import Client

    from accounts.models import User
    from pooling.models.batches import Batch

    client = Client(headers={"host": "localhost", "hx-request": "true"})
    client.force_login(User.objects.get(username="olga"))
    base = f"/campaigns/{batch.campaign.slug}"
    draft = Batch.objects.get(pool=None)
    keys = list(draft.contributors.values_list("run", flat=True))
    tick = {"runs": keys, "strategy": "depth", "depth-depth": POOL_DEPTH}
    pages: dict[str, Callable[[], object]] = {
        address: lambda address=address: client.get(f"{base}/{address}")  # type: ignore[misc]
        for address in (
            "",
            "runs/",
            "pool/",
            "pool/extend/",
            f"pool/batches/{batch.pk}/",
            f"pool/batches/{draft.pk}/",
            f"pool/compare/?first={batch.pk}&second={draft.pk}",
            "pool/completeness/",
            "pool/duplicates/",
            "judging/",
            "judging/assessors.csv",
            "documents/",
            "topics/",
            "qrels/",
        )
    }
    pages["a tick"] = lambda: client.post(f"{base}/pool/forecast/", tick)
    for name, ask in pages.items():
        status = getattr(ask(), "status_code", 0)
        whole, own = median(ask, time.perf_counter), median(ask, time.process_time)
        served = median(ask, database_time)
        both = f"web {own:.0f} + database {served:.0f} ms"
        print(f"  {name or 'overview':36}{whole:8.0f} ms, {both} ({status})", flush=True)


def database_time() -> float:
    """Return the processor seconds of the database's process for this connection."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    spent, *_ = Path(f"/proc/{pid}/schedstat").read_text().split()
    return int(spent) / 1e9


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=500)
    options.add_argument("--topics", type=int, default=1000)
    options.add_argument("--judged", type=float, default=0.7, help="share of the pool")
    chosen = options.parse_args()
    site.start()
    print(f"{chosen.runs} runs of {chosen.topics:,} topics x {DEPTH}")
    batch = print_jobs(campaign_of(chosen.runs, chosen.topics))
    print(f"  {judge(batch, chosen.judged):,} judgments")
    print_pages(batch)


if __name__ == "__main__":
    main()
