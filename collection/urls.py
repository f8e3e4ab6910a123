"""Addresses of topics and documents, below `/campaigns/<slug>/`."""

import re

from django.urls import path, register_converter
from django.urls.converters import PathConverter

from collection.web import documents, imports, topics, waiting


class DocnoConverter(PathConverter):
    """A docno may contain slashes, and anything else that PostgreSQL stores: all but NUL.

    Browsers go to other folders where one or two dots stand between slashes, so a tilde stands
    before them in addresses.
    """

    regex = r"[^\x00]+"

    def to_url(self, value: str) -> str:
        return re.sub(r"(?<![^/])(~*\.{1,2})(?![^/])", r"~\1", str(value))

    def to_python(self, value: str) -> str:
        return re.sub(r"(?<![^/])~(~*\.{1,2})(?![^/])", r"\1", value)


register_converter(DocnoConverter, "docno")

app_name = "collection"
urlpatterns = [
    path("topics/", topics.topics, name="topics"),
    path("topics/topics.<str:kind>", topics.topics_file, name="topics_file"),
    path("topics/delete/", topics.delete_topics, name="delete_topics"),
    path("topics/hidden/", topics.hide_topics, name="hide_topics"),
    path("topics/<int:pk>/", topics.topic, name="topic"),
    path("topics/<int:pk>/versions/", topics.topic_versions, name="topic_versions"),
    path("documents/", documents.documents, name="documents"),
    path("documents/<docno:docno>/", documents.document, name="document"),
    path("collection/", documents.declare, name="declare_collection"),
    path("collection/delete/", documents.delete_documents, name="delete_documents"),
    path(
        "collection/versions/<docno:docno>/", documents.document_versions, name="document_versions"
    ),
    path("imports/", waiting.imports, name="imports"),
    path("imports/<int:pk>/", imports.show, name="import"),
    path("imports/<int:pk>/discard/", imports.discard, name="discard_import"),
    path("imports/<int:pk>/undo/", imports.undo, name="undo_import"),
]
