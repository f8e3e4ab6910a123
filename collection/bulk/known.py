"""Which docnos have a document."""

from collections.abc import Sequence

from django.db import connection

from campaigns.models.campaign import Campaign

UNKNOWN = """
    SELECT docno FROM unnest(string_to_array(%s, E'\\n')) AS docno
    WHERE NOT EXISTS (
        SELECT FROM collection_document AS known
        WHERE known.campaign_id = %s AND known.docno = docno.docno
    )
"""


def unknown_docnos(campaign: Campaign, docnos: Sequence[str]) -> list[str]:
    """Return the docnos that no document of the campaign has. None may contain a line end."""
    with connection.cursor() as cursor:
        # One string: PostgreSQL parses each element of an array as a node of its own.
        cursor.execute(UNKNOWN, ["\n".join(docnos), campaign.pk])
        return [docno for (docno,) in cursor]
