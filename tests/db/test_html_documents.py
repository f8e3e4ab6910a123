"""HTML documents: imported, versioned, hashed, downloaded and imported again."""

import hashlib
import json

import pytest

from collection.models.texts import Document
from tests import make

SOURCE = (
    '<title>A page</title><html lang=de><p onclick="x()">What it <b>says</b>.<script>x()</script>'
)
HTML = "<p>What it <b>says</b>.</p>"


def line(docno: str, **fields: str) -> bytes:
    return json.dumps({"docno": docno, **fields}).encode() + b"\n"


def document(docno: str = "x1") -> Document:
    return Document.objects.get(docno=docno)


def test_what_is_kept_of_a_page_is_sanitized_and_its_text_is_what_it_says(campaign):
    row = make.imported(campaign, "documents", line("x1", html=SOURCE, text="another text"))
    assert row.state == "imported", row.outcome
    found = document()
    assert (found.title, found.text, found.html, found.language, found.fault) == (
        "A page",
        "What it says.",
        HTML,
        "de",
        "",
    )
    told = (found.title, found.text, found.url, found.language, found.html)
    content = b"".join(each.encode() + b"\0" for each in told)
    assert found.sha256 == hashlib.sha256(content).hexdigest()


def test_what_the_collection_states_counts_before_what_a_page_says_of_itself(campaign):
    make.imported(campaign, "documents", line("x1", html=SOURCE, title="Stated", language="fr"))
    assert (document().title, document().language) == ("Stated", "fr")


@pytest.mark.parametrize(
    "content",
    [
        line("x1", text=SOURCE),
        f"x1\t{SOURCE}\n".encode(),
        f"<DOC>\n<DOCNO>x1</DOCNO>\n{SOURCE}\n</DOC>\n".encode(),
    ],
)
def test_texts_are_html_where_the_file_is_said_to_hold_html(campaign, content):
    make.imported(campaign, "documents", content, is_html=True)
    assert (document().html, document().text) == (HTML, "What it says.")


@pytest.mark.parametrize("source", ["<script>x</script>", "<p>&nbsp;<img src=x>"])
def test_a_page_that_says_nothing_is_empty(campaign, source):
    make.imported(campaign, "documents", line("x1", html=source))
    assert (document().html, document().fault) == ("", "empty")


def test_other_markup_of_the_same_words_is_a_new_version_and_is_undone(campaign):
    make.imported(campaign, "documents", line("x1", html=SOURCE))
    first = document()
    row = make.imported(
        campaign, "documents", line("x1", html=SOURCE.replace("<b>", "<i>").replace("</b>", "</i>"))
    )
    changed = document()
    assert (changed.version, changed.text) == (2, first.text)
    assert changed.sha256 != first.sha256
    assert first.sha256 == changed.earlier.get().sha256
    make.undone(row)
    assert (document().html, document().sha256) == (HTML, first.sha256)


def test_a_download_is_imported_unchanged(campaign, olga, client):
    make.imported(campaign, "documents", line("x1", html=SOURCE))
    client.force_login(olga)
    versions = client.get(f"/campaigns/{campaign.slug}/collection/versions/x1/").content
    row = make.uploaded(campaign, "documents", versions)
    counts = [row.preview[name] for name in ("n_new", "n_changed", "n_unchanged")]
    assert counts == [0, 0, 1]


def test_a_page_that_grows_too_long_is_named(campaign, monkeypatch):
    monkeypatch.setattr("collection.core.hypertext.page.MAX_BYTES", 100)
    row = make.uploaded(campaign, "documents", line("x1", html="<li>a" * 100))
    assert row.state == "unreadable"
    assert row.outcome.startswith("x1: Its HTML, taken apart, is longer than")
