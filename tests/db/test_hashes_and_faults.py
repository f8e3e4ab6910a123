"""What the database itself says of a text: its hash, and what keeps it from being read."""

import json

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collection.core.readability import fault_of
from collection.models.texts import Document, Topic
from tests import make
from tests.records import sha256_of

# No database holds NUL or a lone surrogate.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=9)
odd = st.sampled_from(["", "\\", "\\\\x41", "\\000", "'", "é\U0001f600", "a\r\nb"])


@settings(suppress_health_check=list(HealthCheck))
@given(values=st.lists(odd | texts, min_size=5, max_size=5))
def test_the_hash_is_that_of_the_texts_whatever_they_are(campaign, values):
    names = dict(zip(["title", "text", "url", "language", "html"], values, strict=True))
    title, text, url, *_ = values
    document = Document.objects.filter(campaign=campaign, docno="d1")
    document.update(**names)
    assert document.get().sha256 == sha256_of(*values)
    topic = Topic.objects.filter(campaign=campaign, number="1")
    topic.update(title=title, description=text, narrative=url)
    assert topic.get().sha256 == sha256_of(title, text, url)


# Each range of characters in `core.readability` begins, ends or is passed by one of these.
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
    first = Document.objects.filter(campaign=campaign, docno="f0")
    first.update(title="", text="\ufffd")
    assert first.get().fault == "unreadable"  # of the text that there is now


def test_an_import_counts_beforehand_what_the_campaign_will_have(campaign):
    Document.objects.filter(campaign=campaign).delete()
    texts = [{"text": text} for text in (" \u200b\n", "\ufffd\ufffdk", "Text.")]
    documents = [*texts, {"text": "", "title": "Only this"}, {"html": "<p hidden>x"}]
    lines = [json.dumps({"docno": f"x{n}", **each}) for n, each in enumerate(documents)]
    content = "\n".join(lines).encode()
    preview = make.uploaded(campaign, "documents", content).preview
    assert (preview["n_empty"], preview["n_unreadable"]) == (2, 1)
    make.imported(campaign, "documents", content)
    facts = Document.objects.filter(campaign=campaign).facts()
    assert (facts.n_empty, facts.n_unreadable, facts.n_only_title) == (2, 1, 1)
