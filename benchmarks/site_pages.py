"""The pages of a large campaign, by who opens them. Import it once Django is set up."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.test import Client

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from config.garbage import look_rarely
from evaluation.models.scores import Evaluation
from pooling.models.batches import Batch
from runs.models import Run

TIMES, MOST = 3, 300  # milliseconds of processor


class Opened(NamedTuple):
    """What opening a page took: processor milliseconds, and bytes sent."""

    web: float
    database: float
    size: int
    status: int

    @property
    def whole(self) -> float:
        return self.web + self.database


def addresses(campaign: Campaign) -> dict[str, list[str]]:
    """Return the addresses below the campaign's, by who opens them."""
    batch = Batch.objects.frozen_of(campaign).earliest("pk")
    draft = Batch.objects.drafts_of(campaign).latest("pk")
    evaluation = Evaluation.objects.filter(campaign=campaign).latest("pk")
    runs = Run.objects.filter(campaign=campaign).order_by("pk")
    score, other = evaluation.scores.order_by("run_id")[:2]
    topic = campaign.topic_set.earliest("pk")
    given = Assignment.objects.filter(topic=topic).earliest("pk")
    document = f"documents/{given.entries.earliest('pk').docno}/"
    board = f"leaderboard/evaluations/{evaluation.pk}"
    of_scores = [
        "leaderboard/",
        f"leaderboard/?by={evaluation.measures[-1]}",
        f"{board}.csv",
        f"leaderboard/scores/{score.pk}/",
        f"leaderboard/scores/{score.pk}/compare/?with={other.pk}",
        f"leaderboard/scores/{score.pk}/topics/{topic.number}/",
        f"{board}/topics/{topic.number}/",
        f"leaderboard/runs/{score.run_id}.csv",
    ]
    of_all = ["", "topics/", f"topics/{topic.pk}/", "documents/", document, "qrels/", "qrels/1/"]
    return {
        "olga": [
            *of_all,
            "pace/",
            "runs/",
            "runs/?runs-page=2",
            f"runs/{runs[0].pk}/",
            "runs/runs.csv",
            f"teams/{runs[0].team_id}/",
            "pool/",
            "pool/extend/",
            f"pool/batches/{batch.pk}/",
            f"pool/batches/{draft.pk}/",
            f"pool/compare/?first={batch.pk}&second={draft.pk}",
            "pool/completeness/",
            "pool/duplicates/",
            "judging/",
            "judging/assessors.csv",
            f"judging/{given.pk}/assignment/",
            f"judging/{given.pk}/documents/",
            "judging/assign/",
            "judging/controls/",
            "judging/quality/",
            "judging/hours/",
            "judging/hours/?by=day",
            "judging/hours.csv?by=day",
            "judging/practice/",
            "judging/questions/",
            "agreement/",
            "agreement/documents/",
            *of_scores,
            f"{board}/pictures/",
            f"{board}/study/",
            f"{board}/reusability/",
            f"{board}/efficiency/",
            "leaderboard/preliminary/",
            "leaderboard/score/",
            "activity/",
            "people/",
            "settings/",
            "settings/releases/",
            "settings/rounds/",
            "report/",
            "copy/",
        ],
        given.assessor.username: [
            *of_all,
            "judging/",
            f"judging/{given.pk}/",
            f"judging/{given.pk}/queue/",
            f"judging/{given.pk}/documents/1/",
        ],
        "pat": [
            *(each for each in of_all if "documents" not in each),
            "runs/",
            f"runs/{runs[0].pk}/",
            "team/",
            *of_scores,
        ],
    }


def opened(client: Client, address: str) -> Opened:
    """Return the least of some times that a page took, after a first time."""
    size, status = _asked(client, address)
    least = [float("inf")] * 2
    for _ in range(TIMES):
        web, database = time.process_time(), database_time()
        size, status = _asked(client, address)
        took = time.process_time() - web, database_time() - database
        least = [min(pair) for pair in zip(least, took, strict=True)]
    return Opened(1000 * least[0], 1000 * least[1], size, status)


def _asked(client: Client, address: str) -> tuple[int, int]:
    answer = client.get(address)
    size = sum(map(len, answer)) if answer.streaming else len(answer.content)
    return size, answer.status_code


def print_pages(campaign: Campaign, only: str = "") -> None:
    settings.DEBUG = False  # which would note each query
    look_rarely()  # as processes of production do
    base = f"/campaigns/{campaign.slug}"
    for name, own in addresses(campaign).items():
        client = Client(headers={"host": "localhost"})
        client.force_login(User.objects.get(username=name))
        print(f"  {name}")
        for address in own:
            if only in f"{name} {address}":
                found = opened(client, f"{base}/{address}")
                mark = "!" if found.whole > MOST else " "
                both = f"web {found.web:5.0f} + database {found.database:5.0f} ms"
                print(
                    f"  {mark} {address or 'overview':52}{found.whole:6.0f} ms, {both}, "
                    f"{found.size / 1000:6.0f} kB ({found.status})",
                    flush=True,
                )
        client.logout()


def timed(what: str, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    act()
    print(f"  {what:54}{time.perf_counter() - start:8.1f} s", flush=True)


def database_time() -> float:
    """Return the processor seconds of the database's process for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    spent, *_ = Path(f"/proc/{pid}/schedstat").read_text().split()
    return int(spent) / 1e9
