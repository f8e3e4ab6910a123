"""The collection: what it is said to be, what may be deleted, and files that are not of it."""

import pytest

from accounts.access import Refused
from collection.models.texts import Document, DocumentQuerySet
from collection.services import collection
from jobs.models import Job
from tests import make
from tests.db.test_imports import frozen, line, written

__all__ = ["frozen"]


@pytest.mark.parametrize(
    ("kind", "content", "sentence"),
    [
        (
            "topics",
            b"1 Q0 d1 1 9 tag\n1 Q0 d2 2 8 tag\n",
            "This looks like a run. Runs are submitted on the page Runs.",
        ),
        ("topics", line("d1", "text"), "This looks like documents."),
        ("documents", b"<top>\n<num> 1\n<title> one\n</top>\n", "This looks like topics."),
        ("documents", line("x1") + b"{bad\n", "Line 2: It is not JSON"),
        ("topics", "1\tone".encode("utf-16"), "It is text in UTF-16"),
        ("topics", b"query-id\tcorpus-id\tscore\n1\td1\t1\n", "This looks like qrels."),
        ("documents", b"PAR1\x15\x04\xff" + bytes(99), "It is Parquet: write its rows as"),
        ("documents", b"\x1f\x9d\x90\xff" + bytes(99), "It is compressed with compress"),
        ("documents", b"1,a b\n2,c d\n3,e f\n", "Line 1: It has commas but no tabs."),
    ],
)
def test_a_file_in_the_wrong_place_is_told_where_it_belongs(campaign, kind, content, sentence):
    before = written()
    row = make.uploaded(campaign, kind, content)
    assert row.state == "unreadable"
    assert row.outcome.startswith(sentence)
    assert written() == before
    # It is the file that is wrong: no job has failed, none can be tried again for ever.
    assert [job.state for job in Job.objects.filter(kind="read_import")] == ["done"]


def test_documents_that_can_be_read_as_topics_are_recognized(campaign):
    row = make.uploaded(campaign, "topics", b'{"docno": "d1", "id": "1", "title": "one"}\n')
    assert row.state == "ready"
    assert row.preview["hint"].startswith("This looks like documents.")


SEGMENTS = (
    b'{"docid": "s0", "title": "Only a title"}\n'
    b'{"docid": "s1", "title": "Tolls", "segment": "One.\\nTwo.", "start_char": 9}\n'
    b'{"docid": "s2", "title": "", "segment": ""}\n'
)


def test_a_preview_shows_a_first_text_and_what_is_not_read_of_it(campaign):
    found = make.uploaded(campaign, "documents", SEGMENTS).preview
    assert (found["n_only_title"], found["n_empty"]) == (1, 1)
    assert (found["unread"], found["more_unread"]) == (["start_char"], False)
    assert (found["text"]["name"], found["text"]["text"]) == ("s1", "One.\nTwo.")
    topics = b"<top>\n<num> 7\n<title> tolls\n<desc>\nHow?\n<con> Concept(s):\n1. fee\n</top>\n"
    found = make.uploaded(campaign, "topics", topics).preview
    assert found["unread"] == ["con"]
    assert (found["text"]["name"], found["text"]["description"]) == ("7", "How?")


def test_a_first_line_that_looks_like_a_header_is_pointed_at(campaign):
    row = make.uploaded(campaign, "topics", b"ident\tphrase\n7\ttolls\n8\tferries\n")
    assert row.state == "ready"
    assert row.preview["hint"].startswith("The first line (ident, phrase) is read as a record")


def test_a_topic_may_have_the_long_number_of_a_section(campaign):
    number = "enwiki:Bridges%20of%20the%20World/" + "Tolls/" * 30
    make.imported(campaign, "topics", f"{number}\ttolls\n{'1a' * 127}\tb\n".encode())
    assert campaign.topic_set.filter(number__in=[number, "1a" * 127]).count() == 2


def test_the_collection_is_whole_once_an_import_has_ended(campaign, olga):
    def is_whole() -> bool:
        campaign.refresh_from_db()
        return campaign.has_whole_collection

    row = make.uploaded(campaign, "documents", line("x1"), completes_collection=True)
    assert not is_whole()
    row = make.confirmed(row)
    assert is_whole()
    make.imported(campaign, "documents", line("x2"))
    assert is_whole()
    make.undone(row)
    assert not is_whole()
    collection.declare_collection(user=olga, campaign=campaign, is_whole=True)
    assert is_whole()
    collection.delete_document(user=olga, document=Document.objects.get(docno="d1"))
    assert not is_whole()


def test_what_is_in_use_is_not_deleted(frozen, olga):
    topics, documents = frozen.topic_set, frozen.document_set
    with pytest.raises(Refused, match="Topics 1 and 2 cannot be deleted: they are in a"):
        collection.delete_topics(user=olga, campaign=frozen)
    with pytest.raises(Refused, match="Topic 1 cannot be deleted: it is in a pool"):
        collection.delete_topic(user=olga, topic=topics.get(number="1"))
    with pytest.raises(Refused, match="Documents d1, d2 and d3 cannot be deleted"):
        collection.delete_documents(user=olga, campaign=frozen)
    with pytest.raises(Refused, match="Document d1 cannot be deleted: it is in the"):
        collection.delete_document(user=olga, document=documents.get(docno="d1"))
    collection.delete_document(user=olga, document=documents.get(docno="d6"))
    assert documents.count() == 5


def test_all_are_deleted_with_their_earlier_texts(campaign, olga):
    make.imported(campaign, "documents", line("d1", "other"))
    make.imported(campaign, "topics", b"1\tother")
    collection.delete_topics(user=olga, campaign=campaign)
    collection.delete_documents(user=olga, campaign=campaign)
    assert campaign.document_set.count() == 6
    job = make.worked("delete_documents", campaign.pk)
    assert job.outcome == "6 documents deleted."
    found = written()
    assert found.pop("Campaign")
    assert not any(found.values())
    with pytest.raises(Refused, match="There are no topics"):
        collection.delete_topics(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="There are no documents yet"):
        collection.declare_collection(user=olga, campaign=campaign, is_whole=True)


def test_a_text_is_deleted_once(campaign, olga):
    for kind, rows, delete in (
        ("topic", campaign.topic_set, collection.delete_topic),
        ("document", campaign.document_set, collection.delete_document),
    ):
        row, stale = rows.first(), rows.first()
        delete(user=olga, **{kind: row})
        with pytest.raises(Refused, match="is no longer there: it has been deleted"):
            delete(user=olga, **{kind: stale})


def test_documents_pooled_after_the_request_are_not_deleted(campaign, olga, pat):
    collection.delete_documents(user=olga, campaign=campaign)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    job = make.worked("delete_documents", campaign.pk)
    assert (job.state, campaign.document_set.count()) == ("failed", 6)
    assert job.outcome == "Document d1 cannot be deleted: it is in the frozen pool."


def test_the_runs_are_checked_again_when_the_collection_has_changed(campaign, olga, pat):
    make.run(campaign, pat, {"1": "d1 x1"})
    acts = [
        lambda: make.imported(campaign, "documents", line("x1")),
        lambda: make.undone(campaign.import_set.get()),
        lambda: collection.declare_collection(user=olga, campaign=campaign, is_whole=True),
        lambda: collection.delete_document(
            user=olga, document=campaign.document_set.get(docno="d6")
        ),
        lambda: (
            collection.delete_documents(user=olga, campaign=campaign),
            make.worked("delete_documents", campaign.pk),
        ),
    ]
    for act in acts:
        again = Job.objects.filter(kind="recheck_runs")
        again.delete()
        act()
        assert again.get().state == "waiting", acts.index(act)


def test_the_documents_are_told_by_number_length_and_language(campaign, monkeypatch):
    Document.objects.filter(campaign=campaign).delete()
    texts = {"a": ("é", "fr"), "b": ("two", "en"), "c": ("", "en")}
    for docno, (text, language) in texts.items():
        Document.objects.create(campaign=campaign, docno=docno, text=text, language=language)
    documents = Document.objects.filter(campaign=campaign)
    assert documents.facts() == (3, 5, 1, (("en", 2), ("fr", 1)), 0, 0, 0)
    monkeypatch.setattr(DocumentQuerySet, "LANGUAGES", 1)
    assert documents.facts() == (3, 5, 1, (("en", 2),), 1, 0, 0)
    monkeypatch.setattr(DocumentQuerySet, "MOST_LOOKED_AT", 2)
    assert documents.facts() == (3, 0, 0, (), 0, 0, 0)
    documents.delete()
    assert documents.facts().n == 0
