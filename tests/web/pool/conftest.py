"""Two runs, and an organizer at the address of their pool."""

import pytest

from tests import make
from tests.web.pool.pages import ONE, TWO
from tests.worlds import once


@pytest.fixture
@once
def runs(campaign, pat):
    return [make.run(campaign, pat, ONE, "one"), make.run(campaign, pat, TWO, "two")]


@pytest.fixture
def base(campaign, client, olga):
    client.force_login(olga)
    return f"/campaigns/{campaign.slug}/pool/"
