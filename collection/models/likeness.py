"""The text by which documents are compared with each other."""

from collections.abc import Collection, Iterator

from campaigns.models.campaign import Campaign
from collection.core.likeness import text_hash
from collection.models.texts import Document

AT_ONCE = 200  # texts in memory


def likeness_text(document: Document) -> str:
    """Return what readers see of a document: title and text, of HTML what it says.

    Of one that is empty or unreadable nothing, so that it is like no other.
    """
    return "" if document.fault else f"{document.title}\n{document.text}"


def likeness_texts(campaign: Campaign, docnos: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield docno and `likeness_text` of these documents, by docno, those that have one."""
    rows = Document.objects.filter(campaign=campaign).readable(docnos)
    columns = rows.only("docno", "title", "text", "fault").order_by("docno")
    for document in columns.iterator(chunk_size=AT_ONCE):
        yield document.docno, likeness_text(document)


def text_hashes(campaign: Campaign, docnos: Collection[str]) -> dict[str, str]:
    """Return by docno the `text_hash` of these documents, of those that can be read."""
    return {docno: text_hash(text) for docno, text in likeness_texts(campaign, docnos)}
