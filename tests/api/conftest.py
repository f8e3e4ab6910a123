import pytest


@pytest.fixture
def as_olga(client, olga):
    client.force_login(olga)
    return client
