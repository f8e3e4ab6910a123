"""Judging over HTTP."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.people import Role
from tests import make
from tests.web.judging import by_form, closed, judge, undo


def test_a_judgment_answers_with_the_next_document(client, played, ada):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    response = judge(client, assignment, "d3", "2")
    html = response.content.decode()
    assert response.status_code == 200
    assert "d3: grade 2, relevant. Saved." in html
    assert "Every document of this topic is judged" in html


def test_cannot_judge_asks_for_a_reason(client, played, ada):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    response = judge(client, assignment, "d3", "cannot_judge")
    assert response.status_code == 422
    assert "Say why the document cannot be judged." in response.content.decode()
    assert judge(client, assignment, "d3", "cannot_judge", reason="missing").status_code == 200
    assert judge(client, assignment, "d3", "nonsense").status_code == 422


def test_judging_costs_the_same_number_of_queries_in_a_large_pool(client, olga, ada, pat):
    sizes = []
    for n in (10, 300):
        docnos = [f"d{number}" for number in range(n)]
        campaign = make.campaign(olga, assessors=[ada], participants={"T": [pat]}, docnos=docnos)
        make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=n)
        assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
        client.force_login(ada)
        first = assignment.entries.get(position=0).docno
        with CaptureQueriesContext(connection) as captured:
            assert judge(client, assignment, first).status_code == 200
        sizes.append(len(captured))
    assert sizes[0] == sizes[1]


def test_the_pages_are_closed_to_a_member_who_is_no_longer_an_assessor(client, assignment, ada):
    campaign = assignment.topic.campaign
    campaign.membership_set.filter(user=ada).update(role=Role.ORGANIZER)
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    responses = [
        client.get(address),
        client.get(f"{address}documents/"),
        judge(client, assignment, "d1"),
        undo(client, assignment),
    ]
    for response in responses:
        assert response.status_code == 403
        assert "You are no longer an assessor of" in response.content.decode()
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"choice": ""}, "Give a grade, put the document off, or say"),
        ({"choice": "nonsense"}, "Give a grade, put the document off, or say"),
        ({"choice": "cannot_judge"}, "Say why the document cannot be judged."),
        ({"choice": "9"}, "9 is not a grade of this campaign&#x27;s scale."),
        ({"choice": "1", "method": "voice"}, "A method is one of key, click, other."),
        ({"choice": "1", "active_ms": "-1"}, "Times are milliseconds, from 0"),
        ({"choice": "1", "comment": "a\0b"}, "Null characters are not allowed."),
        ({"choice": "1", "client_id": "x"}, "A client_id is a UUID."),
    ],
)
def test_the_page_says_the_sentence_of_the_service(client, assignment, data, sentence):
    response = judge(client, assignment, "d1", **data)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not Judgment.objects.exists()


def test_saying_cannot_judge_without_the_field_keeps_the_comment(client, assignment):
    judge(client, assignment, "d1", comment="a thought")
    judge(client, assignment, "d1", "cannot_judge", reason="other")
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.comment) == ("cannot_judge", "a thought")
    judge(client, assignment, "d1", comment="")
    judgment.refresh_from_db()
    assert judgment.comment == ""


def test_an_undo_shows_the_document_and_the_counts_as_they_are(client, assignment):
    judge(client, assignment, "d2")
    html = undo(client, assignment, method="key").content.decode()
    assert "d2 is open again." in html
    assert ">0</b> of 3" in html
    assert JudgmentEvent.objects.latest("pk").method == "key"


def test_an_undo_that_no_page_sends_undoes_nothing(client, assignment):
    judge(client, assignment, assignment.entries.first().docno, "1")
    refused = undo(client, assignment, client_id="x")
    assert (refused.status_code, JudgmentEvent.objects.count()) == (409, 1)
    assert "The page is out of date" in refused.content.decode()


def test_with_nothing_to_undo_the_document_stays_and_it_is_said(client, assignment):
    docno = assignment.entries.get(position=1).docno
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    data = {"client_id": str(uuid4()), "shown": 2}
    html = client.post(f"{address}undo/", data).content.decode()
    assert "There is nothing to undo." in html
    assert "Not saved" not in html
    assert f"<code>{docno}</code>" in html


REFUSED = {
    "a newer grade": (
        lambda assignment: make.judgment(assignment, "d1", 3),
        {"change": "0"},
        "elsewhere meanwhile: 3.",
    ),
    "no such grade": (lambda _: None, {"choice": "9"}, "9 is not a grade"),
    "closed": (closed, {}, "Judging closed on"),
    "a bad form": (lambda _: None, {"client_id": "x"}, "A client_id is a UUID."),
}


@pytest.mark.parametrize(("before", "data", "sentence"), REFUSED.values(), ids=REFUSED)
def test_without_script_a_refusal_keeps_document_and_comment(
    client, assignment, before, data, sentence
):
    before(assignment)
    response = by_form(client, assignment, comment="what I <wrote>", **data)
    html = response.content.decode()
    assert response.status_code == 422
    assert "<h1>" in html
    assert "Not saved. " in html
    assert sentence in html
    is_stale = "change" in data
    assert ("Give your answer again if it still holds." in html) == is_stale
    assert "<code>d1</code>" in html
    assert "what I &lt;wrote&gt;</textarea>" in html
