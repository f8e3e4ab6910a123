"""The command in a process of its own, against a real server; jobs are done as they are queued."""

from urllib.parse import urlsplit

import pytest

from api.models import Scope
from evaluation.tasks import score_batch
from jobs import work
from tests import make, tokens
from tests.browser.conftest import live_server  # noqa: F401 - one server for all modules
from tests.client.asking import Asking
from tests.client.cutting import Cutting


@pytest.fixture
def site(transactional_db, live_server, monkeypatch):  # noqa: F811
    """The address of a site whose work is done within the request that asks for it."""
    monkeypatch.setattr(work, "enqueue", lambda job_id, kind, **_: work.kinds[kind](job_id))
    monkeypatch.setattr(score_batch, "apply_async", lambda sent: score_batch(*sent))
    return live_server.url


@pytest.fixture
def campaign(transactional_db, olga, ada, ben, pat):
    return make.campaign(olga, assessors=[ada, ben], participants={"Aldgate": [pat]})


@pytest.fixture
def asking(site, tmp_path):
    """Make somebody who asks the site by commands and from Python, with a token of theirs."""

    def made(user, campaign=None, scopes=tuple(Scope.values), url=site):
        token = tokens.made(user, *scopes)
        return Asking(url, token, campaign and campaign.slug, tmp_path)

    return made


@pytest.fixture
def cutting(site):
    """A line to the site that breaks."""
    proxy = Cutting(urlsplit(site).port)
    yield proxy
    proxy.close()


@pytest.fixture
def pats(asking, pat, campaign):
    return asking(pat, campaign)


@pytest.fixture
def olgas(asking, olga, campaign):
    return asking(olga, campaign)
