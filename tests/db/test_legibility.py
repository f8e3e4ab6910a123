"""What keeps a document from being read is the same for Python and for the database."""

import json
from collections import Counter

import numpy as np

from collection.core.readability import fault_of
from collection.models.texts import Document
from tests import make

# Each range of characters in `core.legibility` begins, ends or is passed by one of these.
EDGES = (
    "\x01\x08\t\r\x0e\x1c\x1f "
    "!~\x7f\x84\x85\x86\x9f\xa0\xa1\xad\u167f\u1680\u1fff\u2000\u200f\u2010\u2028\u2029"
    "\u202a\u202f\u205f\u2060\u3000\ufeff\ufffd\ufffeaé\u05d0\U0001f600"
)


def test_the_database_finds_the_faults_that_python_finds(campaign):
    chance = np.random.default_rng(7)
    mixed = ["".join(chance.choice(list(EDGES), size)) for size in range(1, 60) for _ in range(4)]
    texts = ["", *EDGES, *mixed]
    rows = [
        Document(campaign=campaign, docno=f"f{n}", title=text[:2], text=text[2:])
        for n, text in enumerate(texts)
    ]
    Document.objects.bulk_create(rows)
    found = dict(Document.objects.values_list("docno", "fault"))
    assert [found[row.docno] for row in rows] == list(map(fault_of, texts))
    assert set(found.values()) == {"", "empty", "unreadable"}


def test_a_text_that_is_replaced_has_the_faults_of_the_new_one(campaign):
    document = Document.objects.filter(campaign=campaign, docno="d1")
    document.update(title="", text="\ufffd")
    assert document.get().fault == "unreadable"
    document.update(text="It can be read.")
    assert document.get().fault == ""


def test_the_facts_of_a_collection_count_what_cannot_be_read(campaign):
    Document.objects.filter(docno="d1").update(text="\ufffd" * 99)
    Document.objects.filter(docno="d2").update(title=" ", text="\u200b\n")
    Document.objects.filter(docno="d3").update(title="Only this", text="")
    facts = Document.objects.facts()
    assert (facts.n_empty, facts.n_unreadable, facts.n_only_title) == (1, 1, 1)
    found = Document.objects.filter(campaign=campaign).values_list("fault", flat=True)
    assert Counter(found)["empty"] == facts.n_empty


def test_an_import_counts_beforehand_what_the_campaign_will_have(campaign):
    Document.objects.filter(campaign=campaign).delete()
    documents = [
        ("", " "),
        ("Only this", ""),
        ("", "\ufffd\ufffdk"),
        ("", "Text."),
        ("", "<p hidden>x"),
    ]
    lines = [
        {
            "docno": f"x{n}",
            "title": title,
            "text": text,
            "content_type": "text/html" if "<" in text else "text/plain",
        }
        for n, (title, text) in enumerate(documents)
    ]
    content = "\n".join(map(json.dumps, lines)).encode()
    preview = make.uploaded(campaign, "documents", content).preview
    make.imported(campaign, "documents", content)
    facts = Document.objects.filter(campaign=campaign).facts()
    assert (
        (preview["n_empty"], preview["n_unreadable"])
        == (facts.n_empty, facts.n_unreadable)
        == (2, 1)
    )
    assert facts.n_only_title == 1
