"""Ask at an address, look at the page that answers, and undo what was done."""

from contextlib import nullcontext

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.web.html import check_whole


def answer(client: Client, method: str, address: str, data: dict) -> int:
    return ask(client, method, address, data).status_code


def ask(
    client: Client, method: str, address: str, data: dict, committing=nullcontext
) -> HttpResponse:
    """The answer, after a look at its page; what was done is undone."""
    files = {
        name: SimpleUploadedFile("file.txt", value)
        for name, value in data.items()
        if isinstance(value, bytes)
    }
    mark = transaction.savepoint()
    with committing():
        if method == "POST":
            response = client.post(address, {**data, **files})
        else:
            response = client.generic(method, address)
    if method == "HEAD":
        assert not b"".join(response)
    elif response.streaming:
        assert b"".join(response.streaming_content)
    elif "html" in response["Content-Type"]:
        check_whole(address, response.content.decode())
    assert "default-src 'self'" in response["Content-Security-Policy"]
    transaction.savepoint_rollback(mark)
    return response
