import tracemalloc
from uuid import uuid4

import pytest

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.people import Role
from tests import make
from tests.worlds import once


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def post(client, assignment, **data):
    address = f"/api/v1/assignments/{assignment.pk}/judgments/"
    return client.post(
        address, {"client_id": str(uuid4()), "docno": "d1", **data}, content_type="application/json"
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
        error = response.json()["error"]
        assert (error["code"], list(error["fields"])) == ("invalid", [field]), data
    assert not Judgment.objects.exists()
    said = post(client, assignment, state="cannot_judge").json()["error"]["fields"]
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
        response = client.post(
            f"/api/v1/assignments/{assignment.pk}/judgments/", body, content_type="application/json"
        )
        assert response.status_code in {400, 422}
        assert len(response.json()["error"]["message"]) > 10


def test_refusals_come_in_the_same_shape(client, assignment, ada, ben):
    client.force_login(ben)
    theirs = post(client, assignment, state="later")
    unknown = client.post("/api/v1/assignments/99999/judgments/", {}, "application/json")
    assert theirs.status_code == unknown.status_code == 404
    assert theirs.json() == unknown.json()
    assert unknown.json()["error"]["code"] == "not_found"
    client.force_login(ada)
    response = post(client, assignment, state="judged", grade=-9)
    assert response.status_code == 409
    assert response.json() == {
        "error": {
            "code": "refused",
            "message": "-9 is not a grade of this campaign's scale.",
            "fields": {},
        }
    }


@pytest.mark.parametrize("is_member", [False, True])
def test_who_is_no_longer_an_assessor_is_refused(client, campaign, assignment, ada, is_member):
    roles = campaign.membership_set.filter(user=ada)
    roles.update(role=Role.ORGANIZER) if is_member else roles.delete()
    client.force_login(ada)
    response = post(client, assignment, state="later")
    assert response.status_code == 403
    message = response.json()["error"]["message"]
    assert message == f"You are no longer an assessor of {campaign}."
    assert not Judgment.objects.exists()


def test_what_the_client_had_seen_is_compared_with_what_there_is(client, campaign, assignment, ada):
    client.force_login(ada)
    first = post(client, assignment, state="judged", grade=2, change=0).json()
    stale = post(client, assignment, state="judged", grade=3, change=0)
    assert stale.status_code == 409
    assert "You graded d1 elsewhere meanwhile: 2." in stale.json()["error"]["message"]
    change = {"state": "judged", "grade": 3, "change": first["change"]}
    assert post(client, assignment, **change).json()["change"] == 2
    campaign.document_set.filter(docno="d1").update(version=2, text="Other words.")
    unsaid = post(client, assignment, state="judged", grade=1)
    assert list(unsaid.json()["error"]["fields"]) == ["document_version"]
    for version, status in ((1, 409), (2, 200)):
        answer = post(client, assignment, state="judged", grade=1, document_version=version)
        assert answer.status_code == status
    assert answer.json()["document_version"] == 2


def test_whatever_is_sent_the_answer_is_json(client, assignment, ada, sam):
    base, many = f"/api/v1/assignments/{assignment.pk}/", b"[" + b"[]," * 6_000_000 + b"[]]"
    forms = "application/x-www-form-urlencoded"
    asked = [
        (f"{base}judgments/", b"[" * 5000, "application/json", 400, "parse_error"),
        (f"{base}judgments/", b"\xff", "application/json", 400, "parse_error"),
        (f"{base}judgments/", b'{"grade": NaN}', "application/json", 400, "parse_error"),
        (f"{base}judgments/", many, "application/json", 413, "too_large"),
        (f"{base}judgments/", many[:100_000], "application/json", 400, "parse_error"),
        (f"{base}judgments/", b"x" * 9_000_000, forms, 415, "unsupported_media_type"),
        ("/api/v1/nothing/", b"", "application/json", 404, "not_found"),
        ("/api/v1/assignments/987654/judgments/", many, "application/json", 404, "not_found"),
    ]
    client.force_login(ada)
    for address, sent, kind, status, code in asked:
        answer = client.post(address, sent, kind)
        found = (answer.status_code, answer.json()["error"]["code"])
        assert found == (status, code), (address, sent[:20])
    client.force_login(sam)
    tracemalloc.start()
    assert client.post(f"{base}judgments/", many, "application/json").status_code == 404
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * len(many)
