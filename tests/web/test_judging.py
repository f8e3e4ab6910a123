"""Judging over HTTP."""

import pytest

from assess.models.judging import Judgment
from campaigns.models.people import Role
from tests.web.judging import judge, refused


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
