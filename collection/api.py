"""The addresses of topics, documents and their imports."""

from collections.abc import Sequence
from typing import Any

from django.core.files import File

from accounts.access import Invalid
from accounts.models import User
from api.acting import Act, of_page, reads_as
from api.doors import doors
from campaigns.models.campaign import Campaign
from collection.access import Documents, Imports, Topics
from collection.models.imports import Import
from collection.nouns import DOCUMENTS, IMPORTS, TOPICS
from collection.services import collection, imports
from collection.web.forms import DocumentsForm, HiddenForm, TopicsForm


def import_topics(
    *, user: User, campaign: Campaign, file: File[bytes], is_short: bool, **_: Any
) -> Import:
    kind = Import.Kind.TOPICS
    return imports.request_import(
        user=user, campaign=campaign, kind=kind, file=file, is_short=is_short
    )


def import_documents(
    *, user: User, campaign: Campaign, file: Sequence[File[bytes]], **how: Any
) -> Import:
    if len(file) > 1:
        raise Invalid("file", "Send one file with each request.")
    kind = Import.Kind.DOCUMENTS
    return imports.request_import(user=user, campaign=campaign, kind=kind, file=file[0], **how)


@reads_as(HiddenForm)
def hidden_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> HiddenForm:
    known = list(campaign.topic_set.values_list("number", flat=True))
    values["seen"] = "read"  # what a page showed; a program says it by If-Match
    return HiddenForm(values, files, known=known)


urlpatterns = [
    *doors(
        TOPICS,
        Act(
            noun=TOPICS,
            name="import",
            of_all=True,
            service=import_topics,
            scope="organize",
            verb=Imports.upload,
            form=of_page(TopicsForm),
        ),
        Act(
            noun=TOPICS,
            name="hide",
            of_all=True,
            service=collection.hide_topics,
            scope="organize",
            form=hidden_form,
        ),
        Act(
            noun=TOPICS,
            name="delete-all",
            of_all=True,
            service=collection.delete_topics,
            scope="organize",
            verb=Topics.delete_all,
        ),
        Act(
            noun=TOPICS,
            name="delete",
            service=collection.delete_topic,
            scope="organize",
            verb=Topics.delete,
        ),
    ),
    *doors(
        DOCUMENTS,
        Act(
            noun=DOCUMENTS,
            name="import",
            of_all=True,
            service=import_documents,
            scope="organize",
            verb=Imports.upload,
            form=of_page(DocumentsForm),
        ),
        Act(
            noun=DOCUMENTS,
            name="declare-whole",
            of_all=True,
            service=collection.declare_collection,
            scope="organize",
        ),
        Act(
            noun=DOCUMENTS,
            name="delete-all",
            of_all=True,
            service=collection.delete_documents,
            scope="organize",
        ),
        Act(
            noun=DOCUMENTS,
            name="delete",
            service=collection.delete_document,
            scope="organize",
            verb=Documents.delete,
        ),
    ),
    *doors(
        IMPORTS,
        Act(noun=IMPORTS, name="confirm", service=imports.confirm_import, scope="organize"),
        Act(noun=IMPORTS, name="discard", service=imports.discard_import, scope="organize"),
        Act(
            noun=IMPORTS,
            name="undo",
            service=imports.undo_import,
            scope="organize",
            verb=Imports.undo,
        ),
    ),
]
