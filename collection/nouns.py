"""Topics, documents and their imports as lists."""

from datetime import datetime
from functools import partial

from django import forms
from django.db.models import Case, IntegerField, QuerySet, When

from campaigns.access.roles import Person, roles
from campaigns.access.topics import rounds_shown, topics_seen
from campaigns.converters import DOCNO
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Key, Noun, SearchForm
from campaigns.sorting import Column, Sorting
from collection.access import Documents, Imports, Topics
from collection.models.imports import Import
from collection.models.texts import Document, Topic


def _topics(user: Person, campaign: Campaign) -> QuerySet[Topic]:
    """Return the topics that somebody may see, each with the last `round` known to have it."""
    its = roles(user, campaign)
    rounds = [
        When(number__in=each.topics, then=each.number) for each in rounds_shown(its, campaign)
    ]
    only = None if campaign.has_rounds else campaign.round
    number = Case(*rounds, default=only, output_field=IntegerField())
    return topics_seen(its, campaign).annotate(round=number)


TOPICS = Noun(
    name="topics",
    see=Topics.see,
    rows=_topics,
    filters=partial(SearchForm, label="number or title"),
    found=lambda rows, q="": rows.matching(q),
    sorts=Sorting("topics", number=Column("sort_key", "number"), title=Column("title")),
    fields={
        "number": Field(str),
        "title": Field(str),
        "description": Field(str),
        "narrative": Field(str),
        "round": Field(int | None, help="the last one that has it"),
        "version": Field(int),
        "sha256": Field(str),
    },
    model=Topic,
    key=Key("number", "number", DOCNO),
)


# Of a document, in its record alone.
TEXTS = ("text", "html")


def _with_docno(rows: QuerySet[Document], docno: str = "") -> QuerySet[Document]:
    return rows.filter(docno__startswith=docno) if docno else rows


DOCUMENTS = Noun(
    name="documents",
    see=Documents.see,
    rows=lambda _, campaign: Document.objects.filter(campaign=campaign).order_by("docno"),
    filters=partial(SearchForm, label="docno begins with", name="docno"),
    found=lambda rows, docno="": _with_docno(rows, docno).defer(*TEXTS),
    sorts=Sorting(
        "documents", unasked="Docno", docno=Column("docno", is_indexed=True), title=Column("title")
    ),
    fields={
        "docno": Field(str),
        "title": Field(str),
        "url": Field(str),
        "language": Field(str),
        "version": Field(int),
        "sha256": Field(str),
    },
    details={name: Field(str) for name in TEXTS},
    model=Document,
    key=Key("docno", "docno", DOCNO),
    order="docno",
)


class ImportFilter(forms.Form):
    kind = forms.ChoiceField(required=False, choices=[("", "any"), *Import.Kind.choices])


IMPORTS = Noun(
    name="imports",
    see=Imports.see,
    rows=lambda _, campaign: (
        Import.objects.filter(campaign=campaign).select_related("created_by").order_by("-pk")
    ),
    filters=ImportFilter,
    found=lambda rows, kind="": rows.filter(kind=kind) if kind else rows,
    fields={
        "id": Field(str, lambda row: str(row.public_id)),
        "kind": Field(str, choices=Import.Kind.values),
        "state": Field(str, choices=Import.State.values),
        "file": Field(str, lambda row: row.file_name),
        "bytes": Field(int, lambda row: row.n_bytes),
        "sha256": Field(str),
        "is_html": Field(bool, help="texts that do not say what they are were read as HTML"),
        "outcome": Field(str, help="what came of it, or what is wrong with it"),
        "created_by": Field(str, lambda row: row.created_by.username),
        "created_at": Field(datetime),
        "imported_at": Field(datetime | None),
    },
    details={
        "preview": Field(
            dict, help="what it would do, as found when it was read; `name` is a number or a docno"
        )
    },
    model=Import,
    key=ID,
    help="Files of topics and documents: read, shown, and imported once somebody confirms it.",
)
