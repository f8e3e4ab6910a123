"""What came last is known by its number, not by a clock; orders served follow from downloads."""

import csv
import hashlib
import json
import math
from datetime import timedelta
from itertools import accumulate, permutations

import numpy as np
import pytest
from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from assess.services.assigning import distribute
from assess.services.sharing import share
from campaigns.models.trail import AuditEvent
from jobs.models import Job
from runs.models import Run
from tests import make
from tests.db.judging import answer
from tests.db.workers import job_of
from tests.worlds import once

HOUR = timedelta(hours=1)
JUMPS = sorted(set(permutations([HOUR, -HOUR, -2 * HOUR, timedelta(0)])))[::11]


@pytest.fixture(params=JUMPS, ids=str)
def jumping(request, monkeypatch):
    """Let the clock jump each time that it is read."""
    begun = timezone.now()
    readings = accumulate(request.param * 100, initial=begun)
    monkeypatch.setattr(timezone, "now", lambda: next(readings))


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    run = make.run(campaign, pat, {"1": "d1 d2 d3 d4 d5 d6"})
    make.frozen_pool(campaign, [run], depth=6)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def test_what_was_put_off_first_comes_first(assignment, jumping):
    docnos = [entry.docno for entry in assignment.entries.order_by("-position")]
    for docno in docnos:
        answer(assignment, docno, "later")
    for docno in docnos:
        assert assignment.entries.next_open().docno == docno
        make.judgment(assignment, docno, 0)


def test_lists_are_in_the_order_of_events(olga, pat, campaign, jumping, queued):
    tags = ["c", "a", "d", "b"]
    for tag in tags:
        make.submitted(campaign, pat, "1 Q0 d1 1 1 x", tag)
    made = [job_of(campaign, olga).pk for _ in range(4)]
    events = AuditEvent.objects.filter(kind="run.submitted")
    assert [event.subject for event in events] == tags[::-1]
    assert [run.tag for run in Run.objects.all()] == tags[::-1]
    recent = Job.objects.recent(campaign).filter(kind="build_batch")
    assert [job.pk for job in recent] == made[::-1]


TOPICS = ["301", "302", "303", "304"]
DOCNOS = " ".join(f"d{number}" for number in (1, 2, 10, 11, 20, 3, 7, 8, 9))


def rows_of(response, delimiter: str = ",") -> list[dict[str, str]]:
    lines = b"".join(response.streaming_content).decode().splitlines()
    return list(csv.DictReader(lines, delimiter=delimiter))


def seed_of(*parts) -> int:
    digest = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).digest()
    return int.from_bytes(digest[:8], "big") // 2


def shuffled(docnos, *parts) -> list[str]:
    order = np.random.Generator(np.random.PCG64(seed_of(*parts))).permutation(len(docnos))
    return [sorted(docnos)[index] for index in order]


def served(topic: str, username: str) -> list[str]:
    found = Assignment.objects.get(topic__number=topic, assessor__username=username)
    return list(found.entries.order_by("position").values_list("item__key", flat=True))


@pytest.fixture
@once
def dealt_out(olga, ada, ben, pat) -> SharedQueue:
    """Topic 301 assigned by itself, to Ben in part, 304 shared, and the others by a plan."""
    campaign = make.campaign(
        olga, assessors=[ada, ben], participants={"Aldgate": [pat]}, topics=TOPICS
    )
    run = make.run(campaign, pat, dict.fromkeys(TOPICS, DOCNOS))
    make.frozen_pool(campaign, [run], depth=99)
    alone, *_, last = campaign.topic_set.order_by("number")
    make.assignment(alone, ada)
    make.assignment(alone, ben, "second", share=0.5)
    terms = {"assessors": [ada, ben], "n_wanted": 1, "lease_minutes": 30}
    [queue] = share(user=olga, campaign=campaign, topics=[last], **terms)
    asked = distribute(user=olga, campaign=campaign, second_share=0.5)
    make.worked("assign_topics", asked.subject_id)
    return queue


def test_the_order_served_follows_from_the_files(dealt_out, olga, sign_in):
    campaign = dealt_out.topic.campaign
    get, base = sign_in(olga).get, f"/campaigns/{campaign.slug}"
    rows = rows_of(get(f"{base}/pool/pool.tsv"), "\t")
    pooled = [row["docno"] for row in rows if row["topic"] == "301"]
    events = rows_of(get(f"{base}/activity/events.csv"))
    details = [(each["event"], json.loads(each["detail"] or "{}")) for each in events]
    seed = dict(details)["froze a batch of the pool"]["seed"]

    given = [detail for event, detail in details if event == "assigned topic"]
    assert ["share" in detail for detail in given] == [False, True]
    n = math.ceil(round(given[1]["share"] * len(pooled), 9))
    sample = shuffled(pooled, seed, "301", "sample")[:n]
    assert served("301", "ada") == shuffled(pooled, seed, "301", "ada")
    assert served("301", "ben") == shuffled(sample, seed, "301", "ben")

    planned = dict(details)["had topics assigned by a plan:"]
    assert planned["second_share"] == 0.5
    for topic, kind, assessor, n in planned["plan"]:
        name, docnos = planned["people"][str(assessor)], DOCNOS.split()
        if kind == "second":
            docnos = shuffled(docnos, seed, topic, "sample")[:n]
        assert served(topic, name) == shuffled(docnos, seed, topic, name)
    assert {kind for _, kind, *_ in planned["plan"]} == {"primary", "second"}
    lent = dealt_out.documents.order_by("position").values_list("item__key", flat=True)
    assert list(lent) == shuffled(DOCNOS.split(), seed, "304", "shared")
