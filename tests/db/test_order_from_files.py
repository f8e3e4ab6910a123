"""The order in which documents are served, computed from downloads alone."""

import csv
import hashlib
import json
import math
from collections import defaultdict

import numpy as np
import pytest

from assess.models.assigning import Assignment
from assess.services.assigning import assign
from assess.services.distributing import distribute
from assess.services.sharing import share
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
    made.append(assign(user=olga, topic=topic, assessor=ben, kind=kinds.SECOND, share=share))

    get, base = sign_in(olga).get, f"/campaigns/{campaign.slug}"
    pooled = defaultdict(set)
    for row in csv.DictReader(text(get(f"{base}/pool/pool.tsv")), delimiter="\t"):
        pooled[row["topic"]].add(row["docno"])
    events = list(csv.DictReader(text(get(f"{base}/activity/events.csv"))))
    [seed] = [
        json.loads(each["detail"])["seed"] for each in events if each["event"] == "froze the pool"
    ]
    given = [json.loads(each["detail"]) for each in events if each["event"] == "assigned topic"]
    for detail, user, assignment in zip(given, ("ada", "ben"), made, strict=True):
        documents = pooled["301"]
        if "share" in detail:
            n = math.ceil(round(detail["share"] * len(documents), 9))
            documents = shuffled(documents, seed_of(seed, "301", "sample"))[:n]
        served = assignment.entries.order_by("position").values_list("docno", flat=True)
        assert list(served) == shuffled(documents, seed_of(seed, "301", user))
    assert ["share" in detail for detail in given] == [False, share < 1]


def test_so_do_the_orders_of_a_plan_and_of_a_shared_topic(olga, ada, ben, pat, sign_in):
    topics = ["301", "302", "303"]
    campaign = make.campaign(
        olga, assessors=[ada, ben], participants={"Aldgate": [pat]}, topics=topics
    )
    run = make.run(campaign, pat, dict.fromkeys(topics, DOCNOS))
    make.frozen_pool(campaign, [run], depth=99)
    shared = campaign.topic_set.get(number="303")
    [queue] = share(
        user=olga,
        campaign=campaign,
        topics=[shared],
        assessors=[ada, ben],
        n_wanted=1,
        lease_minutes=30,
    )
    asked = distribute(user=olga, campaign=campaign, second_share=0.5)
    make.worked("assign_topics", asked.subject_id)
    page = sign_in(olga).get(f"/campaigns/{campaign.slug}/activity/events.csv")
    details = {
        each["event"]: json.loads(each["detail"] or "{}") for each in csv.DictReader(text(page))
    }
    seed = details["froze the pool"]["seed"]
    given = details["had topics assigned by a plan:"]
    assert given["second_share"] == 0.5
    for topic, kind, assessor, n in given["plan"]:
        name, docnos = given["people"][str(assessor)], DOCNOS.split()
        if kind == "second":
            docnos = shuffled(docnos, seed_of(seed, topic, "sample"))[:n]
        found = Assignment.objects.get(topic__number=topic, assessor__username=name)
        served = found.entries.order_by("position").values_list("docno", flat=True)
        assert list(served) == shuffled(docnos, seed_of(seed, topic, name))
    assert {kind for _, kind, *_ in given["plan"]} == {"primary", "second"}
    lent = queue.documents.order_by("position").values_list("docno", flat=True)
    assert list(lent) == shuffled(DOCNOS.split(), seed_of(seed, "303", "shared"))
