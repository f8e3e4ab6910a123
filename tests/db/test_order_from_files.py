"""The order in which documents are served, computed from downloads alone, as docs/formats.md says."""

import csv
import hashlib
import json
import math
from collections import defaultdict

import numpy as np
import pytest

from assess.models import Assignment
from assess.services import assign
from tests import make

DOCNOS = " ".join(f"d{number}" for number in (1, 2, 10, 11, 20, 3, 7, 8, 9))


def text(response) -> list[str]:
    return b"".join(response.streaming_content).decode().splitlines()


def seed_of(*parts) -> int:
    digest = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).digest()
    return int.from_bytes(digest[:8], "big") // 2


def shuffled(docnos, seed: int) -> list[str]:
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(docnos))
    return [sorted(docnos)[index] for index in order]


@pytest.mark.parametrize("share", [1, 0.5])
def test_the_order_served_follows_from_the_files(olga, ada, ben, pat, sign_in, share):
    campaign = make.campaign(
        olga, assessors=[ada, ben], participants={"Aldgate": [pat]}, topics=["301"]
    )
    run = make.run(campaign, pat, {"301": DOCNOS})
    make.frozen_pool(campaign, [run], depth=99)
    topic, kinds = campaign.topic_set.get(), Assignment.Kind
    made = [assign(user=olga, topic=topic, assessor=ada, kind=kinds.PRIMARY)]
    made.append(
        assign(user=olga, topic=topic, assessor=ben, kind=kinds.SECOND, share=share)
    )

    get, base = sign_in(olga).get, f"/campaigns/{campaign.slug}"
    pooled = defaultdict(set)
    for row in csv.DictReader(text(get(f"{base}/pool/pool.tsv")), delimiter="\t"):
        pooled[row["topic"]].add(row["docno"])
    events = list(csv.DictReader(text(get(f"{base}/activity/events.csv"))))
    [seed] = [
        json.loads(each["detail"])["seed"]
        for each in events
        if each["event"] == "froze the pool"
    ]
    given = [
        json.loads(each["detail"])
        for each in events
        if each["event"] == "assigned topic"
    ]
    for detail, user, assignment in zip(given, ("ada", "ben"), made, strict=True):
        documents = pooled["301"]
        if "share" in detail:
            n = math.ceil(round(detail["share"] * len(documents), 9))
            documents = shuffled(documents, seed_of(seed, "301", "sample"))[:n]
        served = assignment.entries.order_by("position").values_list("docno", flat=True)
        assert list(served) == shuffled(documents, seed_of(seed, "301", user))
    assert ["share" in detail for detail in given] == [False, share < 1]
