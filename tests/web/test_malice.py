"""What is sent to fill the memory is refused by who asks, by its length or by what it holds."""

import json
import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from api import parsers
from assess.web.own import GONE
from desk.web.words import UNREADABLE
from jobs.storage import UploadHandler
from tests.api.addresses import judging
from tests.web.judging import address

# As JSON: values that take some thirty times the memory of their text.
MANY = b"[" + b"[]," * 2_600_000 + b"[]]"


@contextmanager
def takes_at_most(n_bytes: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < n_bytes


@pytest.fixture
def base(played, ada) -> str:
    return address(ada.assignment_set.get())


@pytest.fixture
def acts(played, ada) -> str:
    return judging(ada.assignment_set.get())


@pytest.mark.parametrize(
    ("person", "status", "said"),
    [
        ("sam", 404, GONE),
        ("otto", 404, GONE),
        ("pat", 404, GONE),
        ("ada", 400, "The JSON cannot be read."),
    ],
)
def test_a_page_of_acts_takes_no_memory_beyond_its_text(
    request, client, acts, person, status, said
):
    client.force_login(request.getfixturevalue(person))
    with takes_at_most(3 * len(MANY)):
        answer = client.post(acts, MANY, "application/json")
    assert answer.status_code == status
    assert said in answer.text


def test_much_of_a_stranger_is_not_read(client, acts, sam, ada, monkeypatch):
    def read(*_, **__):
        raise AssertionError

    monkeypatch.setattr(parsers, "read_json", read)
    client.force_login(sam)
    assert client.post(acts, MANY, "application/json").status_code == 404


def test_changes_of_words_are_few(client, base, ada):
    client.force_login(ada)
    sent = {"changes": MANY[:200_000].decode(), "reader": ada.pk}
    answer = client.post(f"{base}words/", sent)
    assert (answer.status_code, answer.json()["refused"]) == (409, UNREADABLE)


@pytest.mark.django_db
def test_of_nobody_no_more_is_read_than_a_form_may_be(client):
    sent = b"username=" + b"x" * 3_000_000
    with takes_at_most(3 * len(sent)):
        answer = client.post("/sign-in/", sent, "application/x-www-form-urlencoded")
    assert answer.status_code == 413
    assert len(answer.content) < 10_000


def test_of_a_file_of_nobody_nothing_is_written(rf, ada):
    sizes = []
    for person in (AnonymousUser(), ada):
        request = rf.post("/")
        request.user = person
        handler = UploadHandler(request)
        handler.new_file("file", "run.txt", "text/plain", None)
        handler.receive_data_chunk(b"1 Q0", 0)
        sizes.append(os.fstat(handler.file.fileno()).st_size)
        handler.upload_interrupted()
    assert sizes == [0, 4]


def test_acts_may_be_longer_than_a_form(acts, ada):
    """Also where the token of the page is checked, for which nothing of them is read."""
    act = {"client_id": str(uuid4()), "docno": "d1", "choice": "2"}
    client, token = Client(enforce_csrf_checks=True), "a" * 32
    client.force_login(ada)
    client.cookies["csrftoken"] = token
    sent, headers = b" " * 3_000_000 + json.dumps([act]).encode(), {"X-CSRFToken": token}
    answer = client.post(acts, sent, "application/json", headers=headers)
    assert answer.status_code == 200
    assert [each["refused"] for each in answer.json()["results"]] == [""]


def test_a_form_that_is_too_long_is_answered_with_a_sentence(client, played, olga):
    client.force_login(olga)
    sent = {"text": "1\tone\n" * 1_500_000}
    answer = client.post(
        f"/campaigns/{played.slug}/topics/",
        "text=" + sent["text"].replace("\t", "%09").replace("\n", "%0A"),
        "application/x-www-form-urlencoded",
    )
    assert answer.status_code == 413
    assert "Send long texts as a file" in answer.text
    sent = {"text": "1\tone\n" * 200_000}
    answer = client.post(f"/campaigns/{played.slug}/topics/", sent)
    assert answer.status_code == 422
    assert "Pasted topics have at most 1,000,000 characters. Send more as a file." in answer.text
