"""The present text of a document, beside a known grade of one of its versions."""

from django.db.models import OuterRef, Subquery

from collection.models.texts import Document


def present_texts(campaign: str) -> dict[str, Subquery]:
    """Return the columns `title`, `fault` and `version` of the documents that rows name by `docno`, None where one is not there.

    `campaign` is the path from such a row to its campaign.
    """
    texts = Document.objects.filter(campaign=OuterRef(campaign), docno=OuterRef("docno"))
    return {name: Subquery(texts.values(name)[:1]) for name in ("title", "fault", "version")}
