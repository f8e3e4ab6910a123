"""Assignments, judgments and what is said beside them, as lists for organizers."""

from datetime import datetime
from typing import Any

from django import forms

from accounts.models import User
from assess.access.assigning import Assignments
from assess.access.judging import Judging
from assess.access.known_grades import KnownGrades
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.controls import KnownGrade
from assess.models.serving import as_served
from assess.models.sharing import SharedQueue
from assess.services.judgment_files import (
    EVENTS,
    JUDGMENTS,
    OFFICIAL,
    PASSAGES,
    RATINGS,
    JudgingFile,
    note_download,
)
from campaigns.converters import DOCNO
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Key, Noun, fields_of


class AssignmentFilter(forms.Form):
    topic = forms.CharField(required=False, max_length=100)
    assessor = forms.CharField(required=False, max_length=150)
    waiting = forms.BooleanField(required=False, label="waiting for a second person")


def _matching(rows: Any, topic: str = "", assessor: str = "", *, waiting: bool = False) -> Any:
    rows = rows.waiting() if waiting else rows
    rows = rows.filter(topic__number=topic) if topic else rows
    return rows.filter(assessor__username=assessor) if assessor else rows


KINDS = Assignment.Kind.values
ASSIGNMENTS = Noun(
    name="assignments",
    see=Assignments.see,
    rows=lambda _, campaign: Assignment.objects.in_campaign(campaign).on_record(),
    filters=AssignmentFilter,
    found=_matching,
    fields={
        "id": Field(str, lambda each: str(each.public_id)),
        "topic": Field(str, lambda each: each.topic.number),
        "assessor": Field(str, lambda each: each.assessor.username),
        "kind": Field(str, choices=KINDS),
        "documents": Field(int, lambda each: each.n_entries, "without controls"),
        "judged": Field(int, lambda each: each.n_judged),
        "cannot_judge": Field(int, lambda each: each.n_cannot_judge),
        "later": Field(int, lambda each: each.n_later, "put off or reopened"),
        "taken_back_at": Field(datetime | None),
        "given_up_at": Field(datetime | None, help="of a second one that nobody is to judge"),
        "given_up_why": Field(str),
    },
    model=Assignment,
    key=ID,
)


def work_of(user: User, campaign: Campaign) -> AssignmentQuerySet:
    """Return the topics that somebody has to judge."""
    own = Assignment.objects.in_campaign(campaign).live().filter(assessor=user)
    return own.select_related("topic__campaign", "assessor")


WORK = Noun(
    name="work",
    see=Judging.see_topics_to_judge,
    rows=work_of,
    tell=lambda _, rows: as_served(rows),  # with the counts that an assessor may know
    details={
        "guidelines": Field(str, lambda each: each.topic.campaign.guidelines),
        "criteria": Field(list, lambda each: each.topic.campaign.criteria),
        "title": Field(str, lambda each: each.topic.title, "of the topic"),
        "description": Field(str, lambda each: each.topic.description, "of the topic"),
        "narrative": Field(str, lambda each: each.topic.narrative, "of the topic"),
    },
    fields={
        "id": Field(str, lambda each: str(each.public_id)),
        "topic": Field(str, lambda each: each.topic.number),
        "kind": Field(str, help="of a shared topic, documents are lent", choices=KINDS),
        "documents": Field(int, lambda each: each.n_entries),
        "judged": Field(int, lambda each: each.n_judged),
        "cannot_judge": Field(int, lambda each: each.n_cannot_judge),
        "later": Field(int, lambda each: each.n_later),
        "topic_version": Field(int, lambda each: each.topic.version),
    },
    key=ID,
    help="The topics that you have to judge.",
)


SHARED = Noun(
    name="shared-topics",
    see=Assignments.see,
    rows=lambda _, campaign: (
        SharedQueue.objects.filter(topic__campaign=campaign)
        .select_related("topic")
        .order_by("topic__sort_key", "topic__number")
    ),
    fields={
        "topic": Field(str, lambda queue: queue.topic.number),
        "n_wanted": Field(int, help="judgments that each document is to have"),
        "lease_minutes": Field(int),
    },
    model=SharedQueue,
    key=Key("topic", "topic__number", DOCNO),
)


def noun_of_file(file: JudgingFile, name: str = "") -> Noun:
    """Return the table of a file as a noun: whoever reads it is recorded, as for the file."""

    def noted(user: User, campaign: Campaign) -> None:
        note_download(user, campaign, file.what)

    return Noun(
        name=name or file.name.removesuffix(".csv"),
        see=Judging.download,
        rows=lambda _, campaign: file.read(campaign),
        noted=noted,
        fields=fields_of(file.record),
        help=(file.record.__doc__ or "").strip().partition("\n")[0],
    )


OFFICIAL_GRADES = noun_of_file(OFFICIAL)
FILES = [noun_of_file(each) for each in (JUDGMENTS, EVENTS, RATINGS, PASSAGES)]


KNOWN = Noun(
    name="known-grades",
    see=KnownGrades.see,
    rows=lambda _, campaign: (
        KnownGrade.objects.controls_of(campaign)
        .select_related("item__topic")
        .order_by("item__topic__sort_key", "item__key")
    ),
    noted=lambda user, campaign: note_download(user, campaign, "the known grades"),
    fields={
        "topic": Field(str, lambda known: known.topic.number),
        "docno": Field(str, lambda known: known.docno),
        "grade": Field(int),
    },
    help="The grades that controls are known to have.",
)
