import pytest
from django.test import Client

from tests.tokens import made, program


@pytest.fixture
def as_olga(client, olga):
    client.force_login(olga)
    return client


@pytest.fixture
def pats(campaign, pat, queued) -> Client:
    return program(made(pat, "submit"))
