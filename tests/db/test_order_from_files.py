"""The order in which documents are served, computed from downloads alone."""

import csv
import hashlib
import json
import math

import numpy as np

from assess.models.assigning import Assignment
from assess.services.distributing import distribute
from assess.services.sharing import share
from tests import make

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
    return list(found.entries.order_by("position").values_list("docno", flat=True))


def test_the_order_served_follows_from_the_files(olga, ada, ben, pat, sign_in):
    """Of a topic assigned by itself and in part, of a plan, and of a shared topic."""
    campaign = make.campaign(
        olga, assessors=[ada, ben], participants={"Aldgate": [pat]}, topics=TOPICS
    )
    run = make.run(campaign, pat, dict.fromkeys(TOPICS, DOCNOS))
    make.frozen_pool(campaign, [run], depth=99)
    alone, *_, last = campaign.topic_set.order_by("number")
    make.assignment(alone, ada)
    make.assignment(alone, ben, "second", share=0.5)
    [queue] = share(
        user=olga,
        campaign=campaign,
        topics=[last],
        assessors=[ada, ben],
        n_wanted=1,
        lease_minutes=30,
    )
    asked = distribute(user=olga, campaign=campaign, second_share=0.5)
    make.worked("assign_topics", asked.subject_id)

    get, base = sign_in(olga).get, f"/campaigns/{campaign.slug}"
    rows = rows_of(get(f"{base}/pool/pool.tsv"), "\t")
    pooled = [row["docno"] for row in rows if row["topic"] == "301"]
    events = rows_of(get(f"{base}/activity/events.csv"))
    details = [(each["event"], json.loads(each["detail"] or "{}")) for each in events]
    seed = dict(details)["froze the pool"]["seed"]

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
    lent = queue.documents.order_by("position").values_list("docno", flat=True)
    assert list(lent) == shuffled(DOCNOS.split(), seed, "304", "shared")
