"""Versions of the qrels, and files of qrels that are to be imported, as lists."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import forms
from django.db.models import Value
from django.db.models.fields.files import FieldFile

from accounts.access import NotThere, can
from accounts.models import User
from assess.core.purposes import SHARED
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Key, Noun, fields_of
from qrels.access import QrelsImports, QrelsVersions, estimated_shown, versions_shown
from qrels.core import KINDS, Graded, Pair, QrelsDifference, differences, rules_of
from qrels.labels import fills
from qrels.models import Qrels, QrelsImport
from qrels.rows import QrelsQuerySet
from qrels.services.kept_judgments import unpacked


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


class DifferenceFilter(forms.Form):
    """Which two versions are compared, by number, and what of it is asked for.

    Usually the newest one with the one before it of its kind.
    """

    before = forms.IntegerField(required=False, min_value=1, label="from version")
    after = forms.IntegerField(required=False, min_value=1, label="to version")
    kind = forms.ChoiceField(
        required=False, label="what", choices=[("", "all"), *((each, each) for each in KINDS)]
    )
    topic = forms.CharField(required=False, max_length=100)


def compared(
    campaign: Campaign, before: int | None = None, after: int | None = None
) -> tuple[Qrels, Qrels] | None:
    """Return two versions by number, or the usual ones; None if there is no other to compare.

    Of the usual ones the first has the lower number. NotThere for a number that no version has.
    """
    versions = Qrels.objects.filter(campaign=campaign).select_related("campaign")
    numbered = {each.number: each for each in versions}
    if {before, after} - {None} - numbered.keys():
        raise NotThere
    newest = Qrels.objects.newest(campaign) or versions.first()
    later = numbered[after] if after else newest
    if later is None:
        return None
    kind = versions.standing_before(campaign, later.source, later.basis, later.number)
    others = [each for each in versions if each != later]  # the newest first
    older = [each for each in others if each.number < later.number]
    usual = kind.first() or next(iter([*older, *others]), None)
    earlier = numbered[before] if before else usual
    if earlier is None:
        return None
    is_turned = before is None and after is None and earlier.number > later.number
    return (later, earlier) if is_turned else (earlier, later)


@lru_cache(maxsize=4)  # a file never changes
def _rules(judgments: FieldFile, shared: str, other: str) -> dict[Pair, str]:
    return rules_of(unpacked(judgments), shared, other)


def graded(qrels: Qrels) -> Graded:
    """Return the grades of a version, with the rule by which each came about."""
    other = qrels.basis if qrels.is_other else ""
    if qrels.is_imported:
        return Graded(qrels.grades(), qrels.level, {}, "imported")
    if qrels.program:  # people's grades, if any, have their rule, and labels have none
        own = _rules(qrels.judgments, SHARED, "") if fills(other) else {}
        return Graded(qrels.grades(), qrels.level, own, other)
    return Graded(qrels.grades(), qrels.level, _rules(qrels.judgments, qrels.rule, other), other)


def _differences(
    campaign: Campaign,
    before: int | None = None,
    after: int | None = None,
    kind: str = "",
    topic: str = "",
) -> Iterator[QrelsDifference]:
    pair = compared(campaign, before, after)  # before anything is sent: there may be no such one
    if pair is None:
        return iter(())
    earlier, later = map(graded, pair)
    return (each for each in differences(earlier, later, topic) if each.is_of(kind))


DIFFERENCES = Noun(
    name="qrels-differences",
    see=QrelsVersions.compare,
    rows=lambda _, campaign: campaign,
    filters=DifferenceFilter,
    found=_differences,
    fields=fields_of(
        QrelsDifference,
        kind="added, removed, changed, or same where only the levels differ",
        rule_before="how the grade came about: primary, median, adjudication …",
        flipped="relevant by one version and not by the other",
    ),
    help="Two versions of the qrels document by document: where their grades or relevance differ.",
)
