"""HTML documents: imported, versioned, downloaded and imported again."""

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
    content = line("x1", html=SOURCE, text="another text")
    content += line("x2", html=SOURCE, title="Stated", language="fr")
    content += line("x3", html="<p>&nbsp;<img src=x>")
    row = make.imported(campaign, "documents", content)
    assert row.state == "imported", row.outcome
    rows = Document.objects.filter(docno__startswith="x").order_by("docno")
    assert list(rows.values_list("title", "text", "html", "language", "fault")) == [
        ("A page", "What it says.", HTML, "de", ""),
        ("Stated", "What it says.", HTML, "fr", ""),
        ("", "", "", "", "empty"),
    ]


@pytest.mark.parametrize("content", [line("x1", text=SOURCE), f"x1\t{SOURCE}\n".encode()])
def test_texts_are_html_where_the_file_is_said_to_hold_html(campaign, content):
    make.imported(campaign, "documents", content, is_html=True)
    assert (document().html, document().text) == (HTML, "What it says.")


def test_other_markup_of_the_same_words_is_a_new_version_and_is_undone(campaign, olga, client):
    make.imported(campaign, "documents", line("x1", html=SOURCE))
    first = document()
    other = SOURCE.replace("<b>", "<i>").replace("</b>", "</i>")
    row = make.imported(campaign, "documents", line("x1", html=other))
    changed = document()
    assert (changed.version, changed.text) == (2, first.text)
    assert changed.sha256 != first.sha256
    assert first.sha256 == changed.earlier.get().sha256
    make.undone(row)
    assert (document().html, document().sha256) == (HTML, first.sha256)
    client.force_login(olga)
    versions = client.get(f"/campaigns/{campaign.slug}/collection/versions/x1/").content
    preview = make.uploaded(campaign, "documents", versions).preview
    counts = [preview[name] for name in ("n_new", "n_changed", "n_unchanged")]
    assert counts == [0, 0, 1], "a download is imported unchanged"


def test_a_title_taken_from_a_page_has_an_end(campaign):
    make.confirmed(
        make.uploaded(campaign, "documents", line("x1", html=f"<title>{'x' * 100_001}</title><p>a"))
    )
    assert len(document().title) == 100_000


def test_a_page_that_grows_too_long_is_named(campaign, monkeypatch):
    monkeypatch.setattr("collection.core.hypertext.page.MAX_BYTES", 100)
    row = make.uploaded(campaign, "documents", line("x1", html="<li>a" * 100))
    assert row.state == "unreadable"
    assert row.outcome.startswith("x1: Its HTML, taken apart, is longer than")
