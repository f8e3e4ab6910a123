"""What SQL does for many documents at once."""

import tracemalloc

import pytest
from django.db import connection, transaction

from cleverdon.trec.documents import DocumentRecord
from collection.bulk import tables
from collection.bulk.comparing import unknown_docnos
from collection.bulk.tables import DOCUMENTS, batches
from collection.bulk.writing import change_texts
from collection.models.imports import Import
from collection.models.texts import Document
from tests import make


def collection(campaign, size: int) -> None:
    """Give a campaign documents doc-1, doc-2 … without a row of Python."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO collection_document (campaign_id, docno, title, text, url, language, html)
            SELECT %s, 'doc-' || n, '', '', '', '', '' FROM generate_series(1, %s) AS n
            """,
            [campaign.pk, size],
        )


FIELDS = ("docno", "title", "text", "url", "language", "html")
AWKWARD = (
    *("", " ", '"', '""', "'", ",", "\\", "\\.", "\\N", "NULL", "\t", "\n", "\r", "\r\n", "\\n"),
    *("\n\\.\n", "\r\\.\r", '\n"\\."\n', 'a,"b"\n', "é ☃ \U0001f600", "\x01\x1f\x7f\x85\u2028"),
    "x" * 100_000,
)


def rows(campaign):
    found = Document.objects.filter(campaign=campaign).order_by("docno")
    return [DocumentRecord(*row) for row in found.values_list(*FIELDS)]


def write(campaign, records, user, table=DOCUMENTS) -> None:
    by = {"created_by": user, "confirmed_by": user, "campaign": campaign}
    row = Import.objects.create(**by, kind="documents", file_name="x", n_bytes=0)
    with transaction.atomic():
        change_texts(row, table, records, lambda _: None)


@pytest.mark.parametrize("n", [1, len(AWKWARD)])
def test_whatever_a_field_holds_is_written_as_it_is(olga, n):
    campaign = make.campaign(olga, docnos=[])
    written = [
        DocumentRecord(f"d{i:02}", title=text, text=text + text, url=text, html=text)
        for i, text in enumerate(AWKWARD)
    ]
    numbered = list(enumerate(written))
    for i in range(0, len(written), n):
        write(campaign, numbered[i : i + n], olga)
    assert rows(campaign) == written


def test_a_docno_may_look_like_what_copy_knows(olga):
    campaign = make.campaign(olga, docnos=[])
    odd = sorted(["\\.", "\\N", "NULL", '"', "é,☃", "back\\slash", "quo'te\"d", "{brace,}", "%s"])
    for docno in odd:
        write(campaign, [(0, DocumentRecord(docno))], olga)
    assert {each.docno for each in rows(campaign)} == set(odd)
    assert unknown_docnos(campaign, odd) == []


def test_a_known_document_is_replaced_and_others_are_left_alone(olga):
    campaign = make.campaign(olga, docnos=[])
    other = make.campaign(olga, docnos=["a"])
    first = [DocumentRecord("a", "two"), DocumentRecord("b")]
    write(campaign, enumerate(first), olga)
    again = [DocumentRecord("a", "three", language="x" * 35), DocumentRecord("c")]
    write(campaign, enumerate(again), olga)
    assert rows(campaign) == [again[0], first[1], again[1]]
    assert [record.docno for record in rows(other)] == ["a"]
    write(campaign, [], olga)
    assert rows(campaign) == [again[0], first[1], again[1]]


def test_a_batch_has_a_number_of_documents_and_of_characters(monkeypatch):
    monkeypatch.setattr(tables, "BATCH", 3)
    monkeypatch.setattr(tables, "BATCH_CHARACTERS", 100)
    sizes = [1, 1, 1, 1, 98, 200, 50, 50, 1]
    records = [DocumentRecord("d", text="x" * (size - 1)) for size in sizes]
    found = [[len(record.text) + 1 for _, record in batch] for batch in batches(records)]
    assert found == [[1, 1, 1], [1, 98, 200], [50, 50], [1]]
    assert list(batches([])) == []


def test_docnos_without_a_document_are_unknown(campaign, olga):
    make.campaign(olga, docnos=["elsewhere"])
    unknown = {"D1", "elsewhere", "\\", "É☃"}
    assert set(unknown_docnos(campaign, ["d1", *unknown])) == unknown
    assert unknown_docnos(campaign, []) == []


def test_nothing_of_the_collection_is_held(campaign, django_assert_num_queries):
    collection(campaign, 20_000)
    docnos = ["doc-1", "doc-20000", "doc-0"]
    tracemalloc.start()
    with django_assert_num_queries(1):
        assert unknown_docnos(campaign, docnos) == ["doc-0"]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000
