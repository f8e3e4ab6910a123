"""The present text of a document, to compare with the text of a known grade."""

from django.db.models import OuterRef, Subquery

from collection.models.texts import Document


def present_texts(campaign: str) -> dict[str, Subquery]:
    """Return the columns `title`, `fault` and `version` of the documents named by `docno`.

    `campaign` is the path from a row to its campaign. Columns of a missing document are None.
    """
    texts = Document.objects.filter(campaign=OuterRef(campaign), docno=OuterRef("docno"))
    return {name: Subquery(texts.values(name)[:1]) for name in ("title", "fault", "version")}
