"""What SQL does for many documents at once."""

import tracemalloc

from django.db import connection

from campaigns.bulk import unknown_docnos
from campaigns.models import Document
from tests import make


def collection(campaign, size: int) -> None:
    """Give a campaign documents doc-1, doc-2 … without a row of Python."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO campaigns_document (campaign_id, docno, title, text, url, language)
            SELECT %s, 'doc-' || n, '', '', '', '' FROM generate_series(1, %s) AS n
            """,
            [campaign.pk, size],
        )


def test_docnos_without_a_document_are_unknown(campaign, olga):
    other = make.campaign(olga, docnos=["elsewhere"])
    odd = ["é☃", "back\\slash", "quo'te\"d", "{brace,}", "%s", "NULL"]
    Document.objects.bulk_create(
        Document(campaign=campaign, docno=docno) for docno in odd
    )
    assert unknown_docnos(campaign, ["d1", *odd]) == []
    assert set(unknown_docnos(campaign, ["d1", "D1", "elsewhere", "\\", "É☃"])) == {
        *("D1", "elsewhere", "\\", "É☃")
    }
    assert unknown_docnos(other, ["elsewhere"]) == []
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
