"""The audit of a version: asked for by an organizer, computed by a worker, shown on its page."""

import pytest

from accounts.access import Refused
from cleverdon.trec.ranking import ORDER_RULES as ORDERS
from jobs.models import Job
from qrels.models import PoolAudit, Qrels
from qrels.services.publishing import request_audit
from runs.models import Run
from tests import make
from tests.web.heads import press_each
from tests.web.html import words
from tests.worlds import once

# In the default order d4 comes before d3, in the other d3; the rank column begins with d2.
ONE = "1 Q0 d3 2 5 one\n1 Q0 d4 3 5 one\n1 Q0 d2 1 1 one\n2 Q0 d1 1 3 one\n"
TWO = "1 Q0 d4 1 2 two\n1 Q0 d3 2 1 two\n"


def checked(campaign, pat, content: str, tag: str) -> Run:
    run = make.submitted(campaign, pat, content, tag)
    make.worked("check_run", run.pk)
    return run


@pytest.fixture
def runs(campaign, pat) -> list[Run]:
    return [checked(campaign, pat, text, tag) for text, tag in ((ONE, "one"), (TWO, "two"))]


@pytest.fixture
@once
def qrels(campaign, runs) -> Qrels:
    """With d4 of topic 1 judged, with which both runs begin in the default order alone."""
    return make.imported_qrels(campaign, b"1 0 d4 1\n2 0 d1 0\n")


def address(qrels: Qrels) -> str:
    return f"/campaigns/{qrels.campaign.slug}/qrels/{qrels.number}/audit/"


def audited(olga, qrels: Qrels) -> PoolAudit:
    request_audit(user=olga, qrels=qrels)
    make.worked("audit_pool", qrels.pk)
    return PoolAudit.objects.get()


def test_each_order_rule_has_its_depth_over_all_runs_and_of_each(olga, qrels, runs):
    found = audited(olga, qrels).found
    one, two = ({rule: each["by_rule"][rule]["depth"] for rule in ORDERS} for each in found["runs"])
    assert [each["run"] for each in found["runs"]] == [run.pk for run in runs]
    assert (one, two) == ({**dict.fromkeys(ORDERS, 0), "trec_eval-9": 1}, dict.fromkeys(ORDERS, 1))
    assert {rule: each["depth"] for rule, each in found["overall"].items()} == one
    named = [{"topic": "1", "docno": "d3"}]
    whole = {"depth": 1, "documents": 2, "unjudged_next": 1, "named": named}
    assert found["overall"]["trec_eval-9"] == whole
    assert found["overall"]["file-rank"]["named"] == [{"topic": "1", "docno": "d2"}]


def test_only_valid_runs_of_the_campaign_count_and_a_later_audit_replaces_the_earlier(
    olga, qrels, runs
):
    assert len(audited(olga, qrels).found["runs"]) == 2
    Run.objects.filter(tag="one").update(state="withdrawn")
    again = audited(olga, qrels).found
    assert [each["run"] for each in again["runs"]] == [runs[1].pk]
    Run.objects.update(state="withdrawn")
    with pytest.raises(Refused, match=r"^There is no valid run to audit\.$"):
        request_audit(user=olga, qrels=qrels)


def test_an_audit_is_made_once_at_a_time(olga, qrels):
    request_audit(user=olga, qrels=qrels)
    with pytest.raises(Refused, match=r"^The audit of qrels v1 is being made already\.$"):
        request_audit(user=olga, qrels=qrels)
    assert Job.objects.filter(kind="audit_pool").count() == 1


def test_the_page_asks_answers_and_tells_when_runs_have_changed(client, olga, pat, qrels):
    client.force_login(olga)
    version = client.get(f"/campaigns/{qrels.campaign.slug}/qrels/1/").content.decode()
    assert f'href="{address(qrels)}"' in version
    assert "The pool of qrels v1 has not been audited" in words(client.get(address(qrels)))
    waiting = words(client.post(address(qrels), follow=True))
    assert "Audit the pool waiting" in waiting
    assert "is being made already" in words(client.post(address(qrels), follow=True))
    make.worked("audit_pool", qrels.pk)
    page = words(client.get(address(qrels)))
    for expected in (
        "The runs are fully judged to depth 1",
        "2 documents of 2 runs on 2 topics, in the order “score descending, ties by docno",
        "descending”; at rank 2, 1 is not judged.",
        "The rank column of the file 0 0 1 1 d2",
        "one Aldgate 1 0 0 two Aldgate 1 1 1",
        "most likely formed in the order that is judged deepest",
    ):
        assert expected in page, page
    assert "came or went" not in page
    assert press_each(client, address(qrels)) == {"depths"}
    Run.objects.filter(tag="two").update(state="withdrawn")
    assert "1 run came or went since: audit the pool again" in words(client.get(address(qrels)))


@pytest.mark.parametrize(
    ("content", "heading"),
    [
        (ONE, "Every document of the runs is judged"),
        ("1 Q0 d9 1 1 one\n", "Not even the first documents of the runs are all judged"),
        ("2 Q0 d1 1 1 one\n", "No run has a topic of qrels v1"),
    ],
)
def test_a_depth_without_end_or_beginning_has_words_of_its_own(
    client, olga, pat, campaign, content, heading
):
    checked(campaign, pat, content.replace("2 Q0 d1 1 3 one\n", ""), "one")
    checked(campaign, pat, "2 Q0 d1 1 1 two\n", "two")
    qrels = make.imported_qrels(campaign, b"1 0 d2 1\n1 0 d3 1\n1 0 d4 1\n")
    audited(olga, qrels)
    client.force_login(olga)
    page = words(client.get(address(qrels)))
    assert heading in page
    assert "most likely formed" not in page, "all orders are judged as deep"
    assert "two Aldgate \N{EN DASH} \N{EN DASH} \N{EN DASH}" in page
