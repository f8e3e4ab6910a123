"""Olga with the files of a campaign, and the campaign that is made of them."""

import json

import pytest

from campaigns.models.campaign import Campaign
from tests import make
from tests.client.campaigns.files import CREATE, FILE


@pytest.fixture
def olgas(asking, olga):
    """Olga, in a folder with the files of a campaign."""
    olgas = asking(olga)
    olgas.file("campaign.toml", FILE)
    olgas.file("topics.txt", "1\tbats\tWhat of bats?\n2\tcats\tWhat of cats?\n")
    lines = (json.dumps({"docno": f"d{n}", "text": f"On {n}."}) + "\n" for n in range(6))
    olgas.file("documents.jsonl", "".join(lines))
    return olgas


@pytest.fixture
def made(olgas) -> Campaign:
    assert olgas(*CREATE).status == 0
    return Campaign.objects.get()


@pytest.fixture
def pooled(made, olga):
    make.frozen_pool(made, [make.run(made, olga, {"1": "d1 d2", "2": "d3"}, tag="alpha")])
    return made
