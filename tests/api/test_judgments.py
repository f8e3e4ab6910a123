import tracemalloc
from uuid import uuid4

import pytest

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.people import Role
from desk import nouns
from tests import make
from tests.api.addresses import judging, kind
from tests.worlds import once


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def post(client, assignment, **data):
    return client.post(
        judging(assignment),
        {"client_id": str(uuid4()), "docno": "d1", **data},
        content_type="application/json",
    )


def test_a_judgment_is_recorded_once(client, assignment, ada):
    client.force_login(ada)
    client_id = str(uuid4())
    for _ in range(2):
        response = post(client, assignment, state="judged", grade=2, client_id=client_id)
        versions = {"document_version": 1, "topic_version": 1, "change": 1}
        expected = {"docno": "d1", "state": "judged", "grade": 2, **versions}
        assert (response.status_code, response.json()) == (200, expected)
    assert JudgmentEvent.objects.count() == 1


FAULTS = (
    ({"state": "judged"}, "grade"),
    ({"state": "judged", "grade": "two"}, "grade"),
    ({"state": "cannot_judge"}, "reason"),
    ({"state": "\ud800"}, "state"),
    ({}, "state"),
    ({"state": "later", "docno": "d" * 300}, "docno"),
    ({"state": "later", "docno": None}, "docno"),
    ({"state": "later", "client_id": "no"}, "client_id"),
    ({"state": "later", "client_id": None}, "client_id"),
    ({"state": "later", "comment": "x" * 10_001}, "comment"),
    ({"state": "later", "comment": "a\0b"}, "comment"),
    ({"state": "later", "method": "voice"}, "method"),
    ({"state": "later", "document_version": "new"}, "document_version"),
    ({"state": "later", "change": "last"}, "change"),
)


def test_what_does_not_fit_is_named_by_field(client, assignment, ada):
    client.force_login(ada)
    for data, field in FAULTS:
        response = post(client, assignment, **data)
        assert response.status_code == 422, data
        found = kind(response), list(response.json()["fields"])
        assert found == ("invalid", [field]), data
    assert not Judgment.objects.exists()
    said = post(client, assignment, state="cannot_judge").json()["fields"]
    assert said == {"reason": ["Say why the document cannot be judged."]}


def test_what_is_no_json_is_refused(client, assignment, ada):
    client.force_login(ada)
    for body in (
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"docno": "\\ud800"}',
        b"\xff",
        b"NaN",
        b"",
        b'{"grade": ' + b"9" * 5000 + b"}",
    ):
        response = client.post(judging(assignment), body, content_type="application/json")
        assert response.status_code in {400, 422}
        assert len(response.json()["detail"]) > 10


def test_refusals_come_in_the_same_shape(client, assignment, ada, ben):
    client.force_login(ben)
    theirs = post(client, assignment, state="later")
    unknown = client.post(
        judging(assignment).replace(str(assignment.public_id), str(uuid4())), {}, "application/json"
    )
    assert theirs.status_code == unknown.status_code == 404
    assert theirs.json() == unknown.json()
    assert kind(unknown) == "not_found"
    client.force_login(ada)
    response = post(client, assignment, state="judged", grade=-9)
    assert response.status_code == 409
    assert response["Content-Type"] == "application/problem+json"
    assert response.json() == {
        "type": "/help/api/#refused",
        "title": "Refused as things stand",
        "status": 409,
        "detail": "-9 is not a grade of this campaign's scale.",
        "remedy": "Read `detail`: it says what would have to be otherwise.",
    }


@pytest.mark.parametrize("is_member", [False, True])
def test_who_is_no_longer_an_assessor_is_refused(client, campaign, assignment, ada, is_member):
    roles = campaign.membership_set.filter(user=ada)
    roles.update(role=Role.ORGANIZER) if is_member else roles.delete()
    client.force_login(ada)
    response = post(client, assignment, state="later")
    said = {403: f"You are no longer an assessor of {campaign}.", 404: "There is nothing here."}
    assert response.status_code == (403 if is_member else 404)
    assert response.json()["detail"] == said[response.status_code]
    assert not Judgment.objects.exists()


def test_what_the_client_had_seen_is_compared_with_what_there_is(client, campaign, assignment, ada):
    client.force_login(ada)
    first = post(client, assignment, state="judged", grade=2, change=0).json()
    stale = post(client, assignment, state="judged", grade=3, change=0)
    assert stale.status_code == 409
    assert "You graded d1 elsewhere meanwhile: 2." in stale.json()["detail"]
    change = {"state": "judged", "grade": 3, "change": first["change"]}
    assert post(client, assignment, **change).json()["change"] == 2
    campaign.document_set.filter(docno="d1").update(version=2, text="Other words.")
    unsaid = post(client, assignment, state="judged", grade=1)
    assert list(unsaid.json()["fields"]) == ["document_version"]
    for version, status in ((1, 409), (2, 200)):
        answer = post(client, assignment, state="judged", grade=1, document_version=version)
        assert answer.status_code == status
    assert answer.json()["document_version"] == 2


def test_whatever_is_sent_the_answer_is_json(client, assignment, ada, sam):
    base, many = judging(assignment), b"[" + b"[]," * 6_000_000 + b"[]]"
    forms = "application/x-www-form-urlencoded"
    elsewhere = base.replace(str(assignment.public_id), str(uuid4()))
    asked = [
        (base, b"[" * 5000, "application/json", 400, "unreadable"),
        (base, b"\xff", "application/json", 400, "unreadable"),
        (base, b'{"grade": NaN}', "application/json", 400, "unreadable"),
        (base, b"[1]", "application/json", 422, "invalid"),
        (base, many, "application/json", 413, "too_large"),
        (base, many[:400_000], "application/json", 400, "unreadable"),
        (base, b"x" * 9_000_000, forms, 415, "unreadable"),
        ("/api/v1/nothing/", b"", "application/json", 404, "not_found"),
        (elsewhere, many, "application/json", 404, "not_found"),
    ]
    client.force_login(ada)
    for address, sent, content, status, code in asked:
        answer = client.post(address, sent, content)
        assert (answer.status_code, kind(answer)) == (status, code), (address, sent[:20])
    client.force_login(sam)
    tracemalloc.start()
    assert client.post(base, many, "application/json").status_code == 404
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * len(many)


def test_a_document_is_read_without_those_before_it(client, assignment, ada, monkeypatch):
    made = []

    class Counted(nouns.Served):
        def __init__(self, row, of):
            made.append(row["number"])
            super().__init__(row, of)

    monkeypatch.setattr(nouns, "Served", Counted)
    client.force_login(ada)
    assert client.get(judging(assignment, "served/2")).json()["number"] == 2
    assert made == [2]
    for number in (0, 3, 2**31, 10**30):
        assert client.get(judging(assignment, f"served/{number}")).status_code == 404
