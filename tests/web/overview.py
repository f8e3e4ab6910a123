"""A campaign with something in every stage, and what home and overview say of it."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models.scores import Evaluation
from qrels.services.publishing import publish_qrels
from tests import make
from tests.web.judging import in_one_line
from tests.worlds import once

# Home for all campaigns together, the overview for everything that is told of one.
MOST_QUERIES, MOST_OF_ONE = 12, 26


def played(olga, ada, ben, pat, *, n_documents: int = 3):
    """A campaign with something in every stage; its last document is not judged."""
    return _played(olga=olga, ada=ada, ben=ben, pat=pat, n_documents=n_documents)


@once
def _played(olga, ada, ben, pat, n_documents: int):
    docnos = [f"d{number}" for number in range(n_documents)]
    campaign = make.campaign(olga, assessors=[ada, ben], participants={"T": [pat]}, docnos=docnos)
    run = make.run(campaign, pat, {"1": " ".join(docnos)})
    make.frozen_pool(campaign, [run], depth=n_documents)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgments(assignment, dict.fromkeys(docnos[:-1], 1))
    qrels = publish_qrels(user=olga, campaign=campaign)
    return campaign, qrels


def finished(qrels, olga) -> None:
    evaluation = Evaluation.objects.create(
        **make.scope(qrels), qrels=qrels, created_by=olga, finished_at=qrels.published_at
    )
    for run in qrels.campaign.run_set.all():
        evaluation.scores.create(run=run, aggregates=[0.5], content=b"", n_topics=1)


def text(client, user, address: str = "/") -> str:
    client.force_login(user)
    return in_one_line(client.get(address).text)


# Queries
def n_queries(client, user, address: str) -> int:
    client.force_login(user)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)
