"""Versions of the qrels, and files of qrels that are to be imported, as lists."""

from datetime import datetime
from typing import Any

from django.db.models import Value

from accounts.access import can
from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Key, Noun
from qrels.access import QrelsImports, QrelsVersions, estimated_shown, versions_shown
from qrels.models import Qrels, QrelsImport
from qrels.rows import QrelsQuerySet


def _versions(user: User, campaign: Campaign) -> QrelsQuerySet:
    rows = versions_shown(user, campaign).select_related("published_by", "campaign")
    names_are_seen = Value(can(QrelsVersions.see_assessors, user, campaign))
    return rows.annotate(names_are_seen=names_are_seen).order_by("-number")


def _estimated(qrels: Any) -> dict[str, Any] | None:
    return estimated_shown(qrels, with_names=qrels.names_are_seen)


QRELS = Noun(
    name="qrels",
    see=QrelsVersions.see_list,
    rows=_versions,
    fields={
        "number": Field(int),
        "level": Field(int, help="the lowest grade that counts as relevant"),
        "round": Field(int),
        "topics": Field(int, lambda qrels: qrels.n_topics),
        "judgments": Field(int, lambda qrels: qrels.n_judgments),
        "relevant": Field(int, lambda qrels: qrels.n_relevant),
        "by_grade": Field(dict),
        "marks": Field(
            list, help="preliminary, imported, withdrawn, sample, and grades but the official"
        ),
        "grades": Field(str, lambda qrels: qrels.basis, "official, or on another basis"),
        "rule": Field(str, help="how several judgments became one official grade"),
        "rule_in_words": Field(str, help="how its grades came about, whichever they are"),
        "adjudicated": Field(int, lambda qrels: qrels.n_adjudicated, "grades by adjudication"),
        "corrected": Field(int, lambda qrels: qrels.n_corrected, "grades by an organizer"),
        "source": Field(str, help="where imported ones are from"),
        "pool_version": Field(int),
        "sha256": Field(str),
        "published_at": Field(datetime),
        "withdrawn_at": Field(datetime | None),
        "why_withdrawn": Field(str),
    },
    details={"estimated": Field(dict | None, _estimated, "what was estimated beside other grades")},
    model=Qrels,
    key=Key("number", "number", "int"),
    order="number",
    help="The versions of the qrels that you may see.",
)
IMPORTS = Noun(
    name="qrels-imports",
    see=QrelsImports.see,
    rows=lambda _, campaign: QrelsImport.objects.filter(campaign=campaign).select_related(
        "qrels", "created_by"
    ),
    fields={
        "id": Field(str, lambda row: str(row.public_id)),
        "file": Field(str, lambda row: row.file_name),
        "source": Field(str),
        "state": Field(str, choices=QrelsImport.State.values),
        "fault": Field(str, help="why it cannot be imported"),
        "sha256": Field(str),
        "qrels": Field(int | None, lambda row: row.qrels and row.qrels.number),
        "created_by": Field(str, lambda row: row.created_by.username),
        "created_at": Field(datetime),
    },
    details={"report": Field(dict | None, help="what it holds")},
    model=QrelsImport,
    key=ID,
)
