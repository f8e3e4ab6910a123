"""Judging over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.models.judging import Judgment
from campaigns.models.people import Role
from tests import make
from tests.web.judging import judge, refused


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
            assert not refused(judge(client, assignment, first))
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
        ({"choice": "9"}, "9 is not a grade of this campaign's scale."),
        ({"choice": "1", "method": "voice"}, "A method is one of key, click, other."),
        ({"choice": "1", "active_ms": "-1"}, "Times are milliseconds, from 0"),
        ({"choice": "1", "comment": "a\0b"}, "Null characters are not allowed."),
        ({"choice": "1", "client_id": "x"}, "A client_id is a UUID."),
    ],
)
def test_an_act_is_refused_with_the_sentence_of_the_service(client, assignment, data, sentence):
    assert sentence in refused(judge(client, assignment, "d1", **data))
    assert not Judgment.objects.exists()


def test_saying_cannot_judge_without_the_field_keeps_the_comment(client, assignment):
    judge(client, assignment, "d1", comment="a thought")
    judge(client, assignment, "d1", "cannot_judge", reason="other")
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.comment) == ("cannot_judge", "a thought")
    judge(client, assignment, "d1", comment="")
    judgment.refresh_from_db()
    assert judgment.comment == ""
