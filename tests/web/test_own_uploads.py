"""The page of one's own files on the way."""

import pytest

from api import uploads
from api.models import Upload
from tests.web.html import words_of_main as text

PAGE = "/account/uploads/"


@pytest.fixture
def begun(campaign, pat) -> Upload:
    upload = uploads.begin_upload(user=pat, campaign=campaign, n_bytes=2048, file_name="<bm25>")
    uploads.receive(upload, 0, [[b"a" * 1024]])
    return upload


def test_a_person_finds_their_files_and_deletes_one(client, campaign, pat, begun):
    client.force_login(pat)
    assert PAGE in client.get("/account/").text
    shown = client.get(PAGE)
    assert f"<bm25> {campaign} 1.0 KB 2.0 KB" in text(shown)
    assert "<bm25>" not in shown.text
    [at] = [line.split('"')[3] for line in shown.text.split("\n") if "/delete/" in line]
    assert "is deleted." in text(client.post(at, follow=True))
    assert not Upload.objects.exists()
    assert "No file of yours is on the way." in text(client.get(PAGE))
    assert client.post(at).status_code == 404


def test_nobody_else_sees_or_deletes_them(client, campaign, olga, begun):
    client.force_login(olga)
    assert "bm25" not in client.get(PAGE).text
    assert client.post(f"{PAGE}{begun.pk}/delete/").status_code == 404
    assert Upload.objects.exists()
