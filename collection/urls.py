"""Addresses of topics and documents, below `/campaigns/<slug>/`."""

from django.urls import path

from campaigns.converters import DOCNO
from collection.web import documents, imports, topics, waiting

app_name = "collection"
urlpatterns = [
    path("topics/", topics.topics, name="topics"),
    path("topics/topics.<str:kind>", topics.topics_file, name="topics_file"),
    path("topics/delete/", topics.delete_topics, name="delete_topics"),
    path("topics/hidden/", topics.hide_topics, name="hide_topics"),
    path("topics/<int:pk>/", topics.topic, name="topic"),
    path("topics/<int:pk>/versions/", topics.topic_versions, name="topic_versions"),
    path("documents/", documents.documents, name="documents"),
    path(f"documents/<{DOCNO}:docno>/", documents.document, name="document"),
    path("collection/", documents.declare, name="declare_collection"),
    path("collection/delete/", documents.delete_documents, name="delete_documents"),
    path(
        f"collection/versions/<{DOCNO}:docno>/",
        documents.document_versions,
        name="document_versions",
    ),
    path("imports/", waiting.imports, name="imports"),
    path("imports/<int:pk>/", imports.show, name="import"),
    path("imports/<int:pk>/discard/", imports.discard, name="discard_import"),
    path("imports/<int:pk>/undo/", imports.undo, name="undo_import"),
]
