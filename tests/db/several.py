"""Five runs of three teams with random rankings, pooled and most of them judged."""

import numpy as np

from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from pooling.models.entries import PoolEntry
from tests import make

TOPICS = ("1", "2", "3", "4", "5", "6", "7")
DOCNOS = [f"d{n}" for n in range(12)]


def judge_several(campaign: Campaign, ada, pat, quinn) -> None:
    random = np.random.default_rng(5)
    for number in TOPICS[2:]:
        campaign.topic_set.create(number=number, title=f"topic {number}", description="It.")
    known = campaign.document_set.values_list("docno", flat=True)
    make.documents(campaign, set(DOCNOS) - set(known))
    rob, bow = make.user("rob"), Team.objects.create(campaign=campaign, name="Bow & Sons")
    campaign.membership_set.create(user=rob, role=Role.PARTICIPANT, team=bow)
    runs = [
        make.run(
            campaign,
            person,
            {t: " ".join(random.permutation(DOCNOS)[:9]) for t in random.permutation(TOPICS)[:6]},
            tag,
        )
        for tag, person in zip("abcde", (pat, pat, quinn, rob, rob), strict=True)
    ]
    make.frozen_pool(campaign, runs, depth=3)
    for topic in campaign.topic_set.order_by("-number"):
        assignment = make.assignment(topic, ada)
        entries = PoolEntry.objects.pooled().filter(topic=topic).order_by("pk")
        docnos = entries.values_list("item__key", flat=True)[:6]
        make.judgments(assignment, {docno: int(random.integers(0, 3)) for docno in docnos})


def judge_twice(campaign: Campaign, ben) -> None:
    """A second assessor judges what the first did on all topics but one, and often differs."""
    random = np.random.default_rng(7)
    for topic in campaign.topic_set.order_by("-number")[1:]:
        assignment = make.assignment(topic, ben, Assignment.Kind.SECOND)
        docnos = assignment.entries.order_by("pk").values_list("item__key", flat=True)
        make.judgments(assignment, {docno: int(random.integers(0, 3)) for docno in docnos})
