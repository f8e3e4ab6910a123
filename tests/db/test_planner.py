"""PostgreSQL's planner knows what a worker has just written, before a page asks for it."""

import pytest
from django.db import connection

from assess.models.serving import AssignmentEntry
from assess.services import assigning
from collection.models.texts import Document, Topic
from overview.services import copying
from pooling.models.entries import PoolEntry
from tests import make


def known(model) -> int:
    """The planner's estimate of the table's rows; -1 if it was never analyzed."""
    with connection.cursor() as cursor:
        sql = "SELECT reltuples FROM pg_class WHERE oid = %s::regclass"
        cursor.execute(sql, [model._meta.db_table])
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_what_a_worker_has_written_is_known_to_the_planner(campaign, olga, ada, pat):
    documents = "".join(f"d{n}\t\tA text.\n" for n in range(100, 300)).encode()
    make.imported(campaign, "documents", documents)
    topics = "".join(f"{n}\ta topic\n" for n in range(100, 130)).encode()
    make.imported(campaign, "topics", topics)
    n = {model: model.objects.count() for model in (Document, Topic)}
    assert {model: known(model) for model in n} == n

    run = make.run(campaign, pat, {"100": "d100 d101", "101": "d102"}, "one")
    make.frozen_pool(campaign, [run])
    assert known(PoolEntry) == PoolEntry.objects.count() > 0

    asked = assigning.distribute(user=olga, campaign=campaign)
    make.worked("assign_topics", asked.subject_id)
    assert known(AssignmentEntry) == AssignmentEntry.objects.count() > 0

    copying.copy_campaign(
        user=olga, campaign=campaign, name="Next year", taking=["topics", "documents"]
    )
    make.worked("copy_parts", campaign.pk)
    assert {model: known(model) for model in n} == {model: 2 * n[model] for model in n}
