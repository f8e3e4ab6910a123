"""Being lent documents of a shared topic by the API, as the judging page is."""

import pytest
from django.utils.dateparse import parse_datetime

from assess.models.sharing import SharedQueue
from tests import make
from tests.api.addresses import judging
from tests.db.judging import answer
from tests.db.sharing import Clock, lent, of, shared
from tests.worlds import once


@pytest.fixture
@once
def queue(campaign, pat, ada, ben) -> SharedQueue:
    make.frozen_pool(
        campaign, [make.run(campaign, pat, {"1": " ".join(make.DOCNOS), "2": "d2"})], depth=6
    )
    return shared(campaign, [ada, ben], n_wanted=1)


def post(client, assignment) -> dict:
    response = client.post(judging(assignment, "lend"))
    assert response.status_code == 200
    return response.json()


def test_documents_are_lent_and_come_back_until_they_are_judged(client, queue, ada):
    its = of(queue, ada)
    client.force_login(ada)
    first = post(client, its)
    order = list(queue.documents.order_by("position").values_list("item__key", flat=True))
    assert [(each["number"], each["docno"]) for each in first["documents"]] == list(
        enumerate(order, 1)
    )
    until = {each["docno"]: parse_datetime(each["until"]) for each in first["documents"]}
    assert until == dict(its.entries.values_list("item__key", "leased_until"))
    assert post(client, its) == first
    answer(its, order[0], grade=1)
    answer(its, order[1], "later")
    again = post(client, its)
    assert [each["docno"] for each in again["documents"]] == order[1:]
    assert again["given_up"] == []


def test_what_others_have_judged_meanwhile_is_given_up(client, queue, ada, ben, monkeypatch):
    clock, its, others = Clock(monkeypatch), of(queue, ada), of(queue, ben)
    client.force_login(ada)
    docnos = [each["docno"] for each in post(client, its)["documents"]]
    clock.on(31)
    client.force_login(ada)
    for docno in lent(others)[:2]:
        answer(others, docno, grade=1)
    assert post(client, its) == {"documents": [], "given_up": docnos}
    assert post(client, its) == {"documents": [], "given_up": []}


def test_what_is_not_shared_is_not_lent(client, campaign, queue, ada):
    its = make.assignment(campaign.topic_set.get(number="2"), ada)
    client.force_login(ada)
    response = client.post(judging(its, "lend"))
    assert response.status_code == 409
    assert "Topic 2 is not shared" in response.json()["detail"]
    assert not its.entries.exclude(leased_until=None).exists()
