"""Notes on topics by a program, and what its list of work tells."""

import json

import pytest

from tests import make
from tests.api.addresses import judging, kind, of

pytestmark = pytest.mark.django_db


def test_a_note_that_was_changed_elsewhere_is_told(client, campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    its = make.assignment(campaign.topic_set.get(number="1"), ada)
    client.force_login(ada)

    def save(text, version):
        sent = json.dumps({"text": text, "note_version": version})
        return client.post(judging(its, "note"), sent, "application/json")

    record = client.get(of(campaign, f"work/{its.public_id}/")).json()
    said = {"text": "", "difficulty": "", "remark": "", "note_version": 0}
    assert (record["kind"], record["note"]) == ("primary", said)
    said |= {"text": "Bats count.", "note_version": 1}
    assert save("Bats count.", 0).json() == said
    refused = save("They do not.", 0)
    assert (refused.status_code, kind(refused), refused.json()["now"]) == (409, "refused", said)
    assert client.get(of(campaign, f"work/{its.public_id}/")).json()["note"] == said
