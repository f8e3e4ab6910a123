"""Duplicates in the pool: what is compared, what is found, and how it is served."""

from collection.core.likeness import text_hash
from collection.models.likeness import likeness_text, text_hashes
from collection.models.texts import Document
from tests import make


def add(campaign, docno, text, title=""):
    return Document.objects.create(campaign=campaign, docno=docno, title=title, text=text)


def test_compared_is_what_readers_see_and_nothing_that_cannot_be_read(campaign):
    content = b'{"docno": "h", "title": "A", "text": "<p>One <b>two", "content_type": "text/html"}'
    make.imported(campaign, "documents", content)
    add(campaign, "p", "ONE\n two", title="a")
    add(campaign, "empty", " \u200b")
    add(campaign, "broken", "\ufffd\ufffd")
    found = text_hashes(campaign, ["h", "p", "empty", "broken", "missing"])
    assert found == {"h": text_hash("a one two"), "p": text_hash("a one two")}
    assert likeness_text(Document.objects.get(docno="broken")) == ""
