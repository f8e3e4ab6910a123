"""The addresses of topics, documents and their imports."""

import json
from collections.abc import Sequence
from typing import Any

from django.core.files import File

from accounts.access import Invalid
from accounts.models import User
from api.acting import Act, of_page, reads_as
from api.arguments import Numbers
from api.doors import doors
from api.files import Download, FileOf
from api.sent import as_words
from campaigns.models.campaign import Campaign
from collection.access import Documents, Imports, Topics
from collection.models.imports import Import
from collection.nouns import DOCUMENTS, IMPORTS, TOPICS
from collection.services import collection, imports
from collection.web.forms import DocumentsForm, HiddenForm, TopicsForm
from collection.web.topics import topic_lines

FEW = 50  # documents in memory, each of up to 16 MiB
LINES = "application/jsonl"


def import_topics(
    *, user: User, campaign: Campaign, file: File[bytes], is_short: bool, **_: Any
) -> Import:
    """Store a file of topics and have a worker read it; `confirm` then imports it."""
    kind = Import.Kind.TOPICS
    return imports.request_import(
        user=user, campaign=campaign, kind=kind, file=file, is_short=is_short
    )


def import_documents(
    *, user: User, campaign: Campaign, file: Sequence[File[bytes]], **how: Any
) -> Import:
    """Store a file of documents and have a worker read it; `confirm` then imports it."""
    if len(file) > 1:
        raise Invalid("file", "Send one file with each request.")
    kind = Import.Kind.DOCUMENTS
    return imports.request_import(user=user, campaign=campaign, kind=kind, file=file[0], **how)


def send_topics(user: User, campaign: Campaign) -> Download:
    return Download(topic_lines(user, campaign, "jsonl"), f"{campaign.slug}-topics.jsonl")


def send_documents(_: User, campaign: Campaign) -> Download:
    names = ("docno", "title", "url", "language", "text", "html")
    rows = campaign.document_set.order_by("docno").values(*names).iterator(FEW)
    return Download(map(_as_imported, rows), f"{campaign.slug}-documents.jsonl")


def _as_imported(row: dict[str, str]) -> str:
    """Return a document as a line that an import reads; of HTML it takes the text from that."""
    told = {name: its for name, its in row.items() if its and not (name == "text" and row["html"])}
    return f"{json.dumps(told, ensure_ascii=False)}\n"


@reads_as(HiddenForm)
def hidden_form(values: Any, files: Any, campaign: Campaign, sent: Any, **_: Any) -> HiddenForm:
    if sent.get("numbers") is None:
        raise Invalid("numbers", "Send the numbers of the hidden topics; empty for none.")
    as_words(values, "numbers")
    known = list(campaign.topic_set.values_list("number", flat=True))
    values["seen"] = "read"  # what a page showed; a program sends all of them anew
    return HiddenForm(values, files, known=known)


urlpatterns = [
    *doors(
        TOPICS,
        FileOf(TOPICS, "topics.jsonl", Topics.see, send_topics, kind=LINES, of_all=True),
        Act(TOPICS, "import", import_topics, Imports.upload, of_all=True, form=of_page(TopicsForm)),
        Act(
            TOPICS,
            "hide",
            collection.hide_topics,
            of_all=True,
            form=hidden_form,
            fields={"numbers": Numbers(help_text="Of the hidden topics; the others are public.")},
        ),
        Act(TOPICS, "delete-all", collection.delete_topics, Topics.delete_all, of_all=True),
        Act(TOPICS, "delete", collection.delete_topic, Topics.delete),
    ),
    *doors(
        DOCUMENTS,
        FileOf(
            DOCUMENTS, "documents.jsonl", Documents.see, send_documents, kind=LINES, of_all=True
        ),
        Act(
            DOCUMENTS,
            "import",
            import_documents,
            Imports.upload,
            of_all=True,
            form=of_page(DocumentsForm),
        ),
        Act(DOCUMENTS, "declare-whole", collection.declare_collection, of_all=True),
        Act(DOCUMENTS, "delete-all", collection.delete_documents, of_all=True),
        Act(DOCUMENTS, "delete", collection.delete_document, Documents.delete),
    ),
    *doors(
        IMPORTS,
        Act(IMPORTS, "confirm", imports.confirm_import),
        Act(IMPORTS, "discard", imports.discard_import),
        Act(IMPORTS, "undo", imports.undo_import, Imports.undo),
    ),
]
