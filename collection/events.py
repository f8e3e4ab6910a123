"""The kinds of audit event of topics and documents."""

from django.db.models import TextChoices


class CollectionEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    TOPICS_IMPORTED = "topics.imported", "imported topics"
    TOPICS_UPLOADED = "topics.uploaded", "uploaded topics"
    DOCUMENTS_UPLOADED = "documents.uploaded", "uploaded documents"
    DOCUMENTS_IMPORTED = "documents.imported", "imported documents"
    IMPORT_DISCARDED = "import.discarded", "discarded a file that was not imported"
    IMPORT_UNDONE = "import.undone", "undid an import"
    TOPICS_SPLIT = "topics.split", "chose the hidden topics:"
    TOPICS_DELETED = "topics.deleted", "deleted topics"
    DOCUMENTS_DELETED = "documents.deleted", "deleted documents"
    COLLECTION_DECLARED = "collection.declared", "said what the documents are"
