"""What a program sends is taken as a whole, or refused: nothing of it is passed over."""

import json
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile

from campaigns.models.campaign import Campaign
from campaigns.models.rounds import Round
from campaigns.models.trail import AuditEvent
from collection.models.texts import Topic
from qrels.services import publishing
from tests import make
from tests.api.addresses import kind, of, send
from tests.tokens import made, program

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("at", ["9999-12-31T23:30:00Z", "0001-01-01T00:30:00Z"])
def test_moments_that_no_page_can_show_are_refused(as_olga, campaign, at):
    for name in ("submission_opens_at", "submission_closes_at"):
        answer = send(as_olga, campaign, "rounds/", {name: at})
        assert answer.status_code == 422
        assert answer.json()["fields"] == {name: ["Choose a date from 1970 to 2199."]}
    late = {"what": "topics", "audience": "teams", "from_at": at}
    assert "from_at" in send(as_olga, campaign, "releases/", late).json()["fields"]
    assert Round.objects.count() <= 1


def test_a_token_for_one_campaign_makes_no_other(campaign, olga):
    own = program(made(olga, "organize", campaign=campaign))
    answer = send(own, campaign, "copy/", {"name": "Escaped"})
    assert (answer.status_code, kind(answer)) == (403, "not_yours")
    assert Campaign.objects.count() == 1
    everywhere = program(made(olga, "organize"))
    assert send(everywhere, campaign, "copy/", {"name": "Escaped"}).status_code == 201


def test_whoever_reads_judgments_is_on_record(as_olga, campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"}, "one")])
    given = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgments(given, {"d1": 1, "d2": 0})

    def n_events():
        return AuditEvent.objects.filter(kind__contains="downloaded").count()

    at = of(campaign, "judgments/")
    forged = as_olga.get(at, {"format": "csv", "cursor": "W251bGwsMF0"})
    assert (forged.status_code, list(forged.json()["fields"])) == (422, ["cursor"])
    assert n_events() == 0
    first = as_olga.get(at, {"per_page": 1})
    assert n_events() == 1
    following = first["Link"].partition("<")[2].partition(">")[0]
    assert as_olga.get(following).status_code == 200
    assert n_events() == 1
    elsewhere = following.replace("/judgments/", "/events/")
    assert as_olga.get(elsewhere).status_code == 422
    assert as_olga.get(f"{following}&format=csv").status_code == 422


@pytest.mark.parametrize("n", ["0", "1001", "00000000100000", "9" * 39, "-1", "٣"])
def test_a_page_has_at_most_a_thousand_rows(as_olga, campaign, n):
    answer = as_olga.get(of(campaign, "documents/"), {"per_page": n})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["per_page"])


def test_a_key_is_of_all_that_was_sent(as_olga, campaign):
    make.documents(campaign, ["d9"])
    columns = b"1 d1 3.5\n1 d9 2.5\n"
    given = {"tag": "three", "converts": "true"}
    key = {"Idempotency-Key": "columns"}
    answers = [
        as_olga.post(
            of(campaign, "runs/"), {**given, "file": ContentFile(columns, "three")}, headers=key
        )
        for _ in range(2)
    ]
    assert [each.status_code for each in answers] == [201, 201], answers[0].content
    for body in (["a"], [1], 1, "x", None):
        odd = as_olga.post(
            of(campaign, "teams/"),
            json.dumps(body),
            "application/json",
            headers={"Idempotency-Key": "odd"},
        )
        assert odd.status_code == 422, body


def test_values_of_one_name_are_all_of_a_key(as_olga, campaign):
    at, key = of(campaign, "rounds/"), {"Idempotency-Key": "rounds"}
    one = as_olga.post(at, {"topics": ["1", "2"]}, headers=key)
    assert one.status_code == 201, one.content
    assert as_olga.post(at, {"topics": ["2"]}, headers=key).status_code == 409


def test_one_value_is_not_a_list_nor_an_object(as_olga, campaign):
    for name in ({"a": 1}, ["q", "w"]):
        answer = send(as_olga, campaign, "copy/", {"name": name})
        assert answer.json()["fields"] == {"name": ["Send one value."]}
    answer = send(as_olga, campaign, "copy/", {"name": "x", "": 1})
    assert list(answer.json()["fields"]) == [""]
    half = send(as_olga, campaign, "copy/", {"name": "\ud800"})
    assert (half.status_code, list(half.json()["fields"])) == (422, ["name"])
    numbers = send(as_olga, campaign, "topics/hide/", {})
    assert list(numbers.json()["fields"]) == ["numbers"]


def test_a_campaign_is_deleted_by_its_name(as_olga, campaign):
    assert send(as_olga, campaign, "delete/").json()["fields"].keys() == {"name"}
    wrong = send(as_olga, campaign, "delete/", {"name": "Other"})
    assert (wrong.status_code, Campaign.objects.count()) == (422, 1)
    assert send(as_olga, campaign, "delete/", {"name": campaign.name}).status_code == 204


def test_addresses_name_nothing_that_no_text_holds(as_olga, campaign):
    for at in ("teams/%00/", "runs/%00/", "people/%00/"):
        assert as_olga.get(of(campaign, at)).status_code == 404


def test_scores_that_are_asked_for_are_answered_with_their_job(as_olga, campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"}, "one")])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    publishing.publish_qrels(user=make.organizer_of(campaign), campaign=campaign)
    answer = send(as_olga, campaign, "evaluations/")
    assert answer.status_code == 202, answer.content
    assert "/jobs/" in answer["Location"]
    assert as_olga.get(answer["Location"]).json() == answer.json()


def test_what_is_judged_by_and_what_is_shown_is_told_to_who_judges(client, campaign, pat, ada):
    Campaign.objects.update(guidelines="Read all of it.", known_percent=20)
    docs = " ".join(f"x{n}" for n in range(10))
    make.documents(campaign, docs.split())
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": docs}, "one")], depth=10)
    topic = campaign.topic_set.get(number="1")
    for docno in ("x1", "x2"):
        make.known_grade(topic, docno, 1)
    given = make.assignment(topic, ada)
    client.force_login(ada)
    at = of(campaign, f"work/{given.public_id}/")
    own = client.get(at).json()
    assert own["guidelines"] == "Read all of it."
    assert own["criteria"][0]["name"] == "relevance"
    texts = {name: own[name] for name in ("title", "description", "narrative")}
    assert texts == {name: getattr(topic, name) for name in texts}
    assert texts["title"]
    assert {each["docno"] for each in client.get(f"{at}served/").json()} == {None}
    docno = client.get(f"{at}served/1/").json()["docno"]
    said = [{"client_id": str(uuid4()), "docno": docno, "number": 1, "choice": 1}]
    [result] = send(client, campaign, f"work/{given.public_id}/judge/", said).json()["results"]
    assert (result["refused"], result["now"]["grade"]) == ("", 1)


def test_a_file_as_text_is_refused_with_how_it_is_sent(as_olga, campaign):
    for at in ("topics/import/", "runs/", "runs/archives/", "batches/import/", "known-grades/"):
        answer = send(as_olga, campaign, at, {"file": "1 Q0 d1 1 9.5 one\n"})
        assert answer.status_code == 422, at
        [sentence] = answer.json()["fields"]["file"]
        assert sentence.startswith("A file is not sent as text: send it in a form"), at
        assert sentence.endswith("or as `upload`."), at


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        (b'{"name": 1e999}', 400, "The number 1e999 is too large."),
        (b'{"name": "A1", "name": "A2"}', 400, "The name name is there twice."),
        (b'{"name": ' + b"9" * 5000 + b"}", 400, "is too long."),
        (b'{"name": "caf\xe9"}', 400, "It is not in UTF-8."),
        (b'{"name": "' + b"x" * 2_000_000 + b'"}', 413, "longer than 1,000,000 bytes."),
        (b"[]", 422, "Send an object with the names of what this act takes."),
        (b"null", 422, "Send an object with the names of what this act takes."),
    ],
)
def test_what_json_cannot_be_taken_is_refused_in_words(as_olga, campaign, sent, status, words):
    for key in ({}, {"Idempotency-Key": "k"}):
        answer = as_olga.post(of(campaign, "teams/"), sent, "application/json", headers=key)
        assert (answer.status_code, answer.json()["detail"].endswith(words)) == (status, True)
        kinds = {400: "unreadable", 413: "too_large", 422: "invalid"}
        assert kind(answer) == kinds[status]
    assert campaign.team_set.count() == 1


@pytest.mark.parametrize(
    ("at", "sent", "fields"),
    [
        ("rounds/", {"topics": 1}, {"topics": ["Send a list, or a text with spans."]}),
        ("rounds/", {"topics": "1-2 99"}, {"topics": ["There is no topic 99."]}),
        ("batches/", {"runs": [{"a": 1}]}, {"runs": ["Send a list of plain values."]}),
        ("batches/", {"topics": ["1", "99"]}, {"topics": ["There is no topic 99."]}),
        (
            "batches/",
            {"parameters": {"depth": "x"}},
            {"parameters.depth": ["Enter a whole number."]},
        ),
        (
            "batches/",
            {"order_rule": "x"},
            {"order_rule": ["Send one of: trec_eval-9, docno-ascending, file-rank."]},
        ),
        (
            "evaluations/",
            {"topic_set": "x"},
            {"topic_set": ["Send one of: judged, relevant, retrieved."]},
        ),
        (
            "invitations/",
            {"role": "king"},
            {"role": ["Send one of: organizer, assessor, participant."]},
        ),
    ],
)
def test_a_refusal_says_what_would_fit(as_olga, campaign, pat, at, sent, fields):
    make.run(campaign, pat, {"1": "d1"}, "a")
    answer = send(as_olga, campaign, at, sent)
    assert answer.status_code == 422
    assert answer.json()["fields"].items() >= fields.items()


def test_a_day_alone_is_no_moment(as_olga, campaign):
    for at in ("rounds/", "change/"):
        answer = send(as_olga, campaign, at, {"submission_closes_at": "2099-03-01"})
        assert list(answer.json()["fields"]) == ["submission_closes_at"], at
        assert "hh:mm" in answer.json()["detail"]


def test_topics_are_sent_as_a_list_too(as_olga, campaign, pat, queued):
    make.run(campaign, pat, {"1": "d1", "2": "d3"}, "a")
    formed = send(as_olga, campaign, "batches/", {"topics": ["1", "2"]})
    assert (formed.status_code, formed.json()["topics"]) == (201, ["1", "2"])
    for hidden in (["1"], []):
        assert send(as_olga, campaign, "topics/hide/", {"numbers": hidden}).status_code == 204
        assert Topic.objects.filter(campaign=campaign).numbers_in("hidden") == hidden
