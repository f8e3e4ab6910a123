"""What pages ask the database: nothing of it reads the rows of a larger campaign beside theirs."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.access import why_not
from assess.planning import n_without_primary
from assess.services.batches import check_nothing_is_judged
from campaigns.access.roles import roles
from collection.models.texts import Document, Topic
from collection.uses import why_not_delete_all
from pooling.models.pools import Pool
from tests import make

N_TOPICS, N_POOLED = 150, 4
WAYS = ("seqscan", "hashjoin", "mergejoin")


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for each in plan.get("Plans", ()):
        yield from nodes(each)


def rows_read(ask: Callable[[], object]) -> int:
    """The rows that all steps of the queries return, also those that are looked through.

    As in a large database, where rows count and pages do not: of small tables PostgreSQL would read
    everything, and join all of it. It learns of the rows here, as it forgets them whenever it looks
    at the tables by itself, where what a test has written is not yet to be seen.
    """
    with CaptureQueriesContext(connection) as captured:
        ask()
    n = 0
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SET LOCAL random_page_cost = 0; SET LOCAL seq_page_cost = 0")
        for way in WAYS:
            cursor.execute(f"SET LOCAL enable_{way} = off")
        for query in captured:
            if query["sql"].startswith(("SELECT", "(SELECT")):
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
                [[found]] = cursor.fetchall()
                plan = (found if isinstance(found, list) else json.loads(found))[0]["Plan"]
                for each in nodes(plan):
                    removed = each.get("Rows Removed by Filter", 0)
                    n += int((each["Actual Rows"] + removed) * each["Actual Loops"])
        for way in WAYS:
            cursor.execute(f"SET LOCAL enable_{way} = on")
    return n


@pytest.fixture
def beside(otto, ada, pat):
    """Makes a larger campaign of the same people, pooled; half of its topics are assigned."""

    def make_it() -> None:
        numbers, docnos = range(N_TOPICS), [f"b{n}" for n in range(N_POOLED)]
        large = make.campaign(
            otto,
            assessors=[ada],
            participants={"Bow": [pat]},
            docnos=docnos,
            topics=[str(n) for n in numbers],
        )
        ranked = {str(n): " ".join(docnos) for n in numbers}
        make.frozen_pool(large, [make.run(large, pat, ranked, "bow")], depth=N_POOLED)
        for topic in large.topic_set.all()[: N_TOPICS // 2]:
            make.assignment(topic, ada)

    return make_it


def test_what_a_campaign_is_asked_reads_no_row_of_a_larger_one(played, beside):
    pool = Pool.objects.get(campaign=played)
    questions = {
        "topics without an assessor": lambda: n_without_primary(pool),
        "whether a batch is judged": lambda: why_not(check_nothing_is_judged, pool.last_batch),
        "whether documents are in use": lambda: why_not_delete_all(played, Document),
        "whether topics are in use": lambda: why_not_delete_all(played, Topic),
    }
    before = {question: rows_read(ask) for question, ask in questions.items()}
    beside()
    after = {question: rows_read(ask) for question, ask in questions.items()}
    assert {each: n for each, n in after.items() if n > before[each] + N_TOPICS // 3} == {}


OWN = r'SELECT (DISTINCT )?"campaigns_membership"."(id|role)".* WHERE .*"user_id" = '
ROLE = re.compile(OWN, re.DOTALL)


def test_a_page_asks_for_the_roles_of_its_reader_once(client, played, olga, pat):
    run = played.run_set.get()
    for person in (olga, pat):
        client.force_login(person)
        for address in ("", "runs/", f"runs/{run.pk}/", "leaderboard/"):
            with CaptureQueriesContext(connection) as captured:
                assert client.get(f"/campaigns/{played.slug}/{address}").status_code == 200
            assert sum(bool(ROLE.match(query["sql"])) for query in captured) == 1, address


def test_an_act_asks_for_the_roles_as_they_are_now(played, pat):
    pat.memberships_known = None
    assert roles(pat, played) == {"participant"}
    played.membership_set.filter(user=pat).delete()
    assert roles(pat, played) == set()
    pat.memberships_known = {}  # as while a page is made
    assert roles(pat, played) == set()
    played.membership_set.create(user=pat, role="assessor")
    assert roles(pat, played) == set()
