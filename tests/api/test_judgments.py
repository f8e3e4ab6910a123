import tracemalloc
from uuid import uuid4

import pytest

from assess.access.answers import NO_ANSWER
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.web.judging_forms import NOT_ACTS
from campaigns.models.people import Role
from desk import nouns
from tests import make
from tests.api.addresses import judging, kind
from tests.web.judging import closed
from tests.worlds import once


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def post(client, assignment, choice=None, **data):
    act = {"client_id": str(uuid4()), "docno": "d1", "choice": choice, **data}
    return client.post(judging(assignment), [act], content_type="application/json")


def told(answer) -> tuple[str, dict]:
    """Why an act was refused, and how its document stands."""
    assert answer.status_code == 200
    [result] = answer.json()["results"]
    return result["refused"], result["now"]


def test_a_judgment_is_recorded_once(client, assignment, ada):
    client.force_login(ada)
    client_id = str(uuid4())
    for _ in range(2):
        refused, now = told(post(client, assignment, 2, client_id=client_id))
        assert not refused
        names = ("state", "grade", "judged_version", "judged_topic", "change")
        assert [now[name] for name in names] == ["judged", 2, 1, 1, 1]
    assert JudgmentEvent.objects.count() == 1


FAULTS = (
    ({"choice": "two"}, "Give a grade, put the document off"),
    ({"choice": 2.5}, "Give a grade, put the document off"),
    ({"choice": 1.0}, NO_ANSWER),
    ({}, "Give a grade, put the document off"),
    ({"choice": 1, "number": 99}, "d1 is not document 99 that you were given"),
    (
        {"choice": 1, "document_version": 9},
        "The text of d1 is not the one that was read: read it again.",
    ),
    ({"choice": "cannot_judge"}, "Say why the document cannot be judged."),
    ({"choice": "\ud800"}, "Give a grade, put the document off"),
    ({"choice": "later", "docno": "d" * 300}, f"{'d' * 300} is not a document you were given"),
    ({"choice": "later", "docno": None}, "The answer does not say which document"),
    ({"choice": "later", "client_id": "no"}, "A client_id is a UUID."),
    ({"choice": "later", "client_id": None}, "The answer has no client_id"),
    ({"choice": "later", "comment": "x" * 10_001}, "A comment has at most"),
    ({"choice": "later", "comment": "a\0b"}, "comment: Null characters are not allowed."),
    ({"choice": "later", "method": "voice"}, "A method is one of key, click, other."),
    (
        {"choice": "later", "document_version": "new"},
        "document_version: Versions are whole numbers.",
    ),
    ({"choice": "later", "change": "last"}, "change: Versions are whole numbers."),
    ({"choice": 1, "coment": "typo"}, "An act has no coment. It has: client_id, method, "),
)


@pytest.mark.parametrize(("data", "sentence"), FAULTS)
def test_what_does_not_fit_is_said_of_each_act(client, assignment, ada, data, sentence):
    client.force_login(ada)
    refused, _ = told(post(client, assignment, **data))
    assert refused.startswith(sentence)
    assert not Judgment.objects.exists()


def test_what_is_no_json_is_refused(client, assignment, ada):
    client.force_login(ada)
    for body in (
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xff",
        b"NaN",
        b" ",
        b'{"grade": ' + b"9" * 5000 + b"}",
    ):
        response = client.post(judging(assignment), body, content_type="application/json")
        assert (response.status_code, kind(response)) == (400, "unreadable")
    response = client.post(judging(assignment), b'{"docno": "\\ud800"}', "application/json")
    assert (response.status_code, response.json()["detail"]) == (422, NOT_ACTS)


def test_refusals_come_in_the_same_shape(client, assignment, ada, ben):
    client.force_login(ben)
    theirs = post(client, assignment, "later")
    elsewhere = judging(assignment).replace(str(assignment.public_id), str(uuid4()))
    unknown = client.post(elsewhere, [], "application/json")
    assert theirs.status_code == unknown.status_code == 404
    assert theirs.json() == unknown.json()
    assert kind(unknown) == "not_found"
    client.force_login(ada)
    closed(assignment)
    response = post(client, assignment, 1)
    assert response.status_code == 409
    assert response["Content-Type"] == "application/problem+json"
    assert response.json() == {
        "type": "/help/api/#refused",
        "title": "Refused as things stand",
        "status": 409,
        "detail": response.json()["detail"],
        "remedy": "Read `detail`: it says what would have to be otherwise.",
        "saved": [],
    }


@pytest.mark.parametrize("is_member", [False, True])
def test_who_is_no_longer_an_assessor_is_refused(client, campaign, assignment, ada, is_member):
    roles = campaign.membership_set.filter(user=ada)
    roles.update(role=Role.ORGANIZER) if is_member else roles.delete()
    client.force_login(ada)
    response = post(client, assignment, "later")
    assert response.status_code == 403
    assert response.json()["detail"] == f"You are no longer an assessor of {campaign}."
    assert not Judgment.objects.exists()


def test_what_the_client_had_seen_is_compared_with_what_there_is(client, campaign, assignment, ada):
    client.force_login(ada)
    _, first = told(post(client, assignment, 2, change=0))
    stale, now = told(post(client, assignment, 3, change=0))
    assert "You graded d1 elsewhere meanwhile: 2." in stale
    assert now == first
    _, third = told(post(client, assignment, 3, change=first["change"]))
    assert third["change"] == 2
    campaign.document_set.filter(docno="d1").update(version=2, text="Other words.")
    assert told(post(client, assignment, 1))[0]
    assert told(post(client, assignment, 1, document_version=1))[0]
    refused, now = told(post(client, assignment, 1, document_version=2))
    assert (refused, now["judged_version"]) == ("", 2)


def test_whatever_is_sent_the_answer_is_json(client, assignment, ada, sam):
    base, many = judging(assignment), b"[" + b"[]," * 6_000_000 + b"[]]"
    forms = "application/x-www-form-urlencoded"
    elsewhere = base.replace(str(assignment.public_id), str(uuid4()))
    note = judging(assignment, "note")
    asked = [
        (base, b"[" * 5000, "application/json", 400, "unreadable"),
        (base, b"{}", "application/json", 422, "invalid"),
        (base, many, "application/json", 413, "too_large"),
        (base, many[:400_000], "application/json", 400, "unreadable"),
        (base, b"[]", forms, 415, "unreadable"),
        (base, b"x" * 9_000_000, forms, 413, "too_large"),
        (note, b"[" * 5000, "application/json", 400, "unreadable"),
        (note, b"\xff", "application/json", 400, "unreadable"),
        (note, b'{"text": NaN}', "application/json", 400, "unreadable"),
        (note, b"[1]", "application/json", 422, "invalid"),
        (note, many, "application/json", 413, "too_large"),
        (note, many[:400_000], "application/json", 400, "unreadable"),
        (note, b"x" * 9_000_000, forms, 415, "unreadable"),
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
