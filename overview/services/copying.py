"""What a copy of a campaign takes along: settings at once, people and texts by a worker."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import DateTimeField, Model
from django.utils.text import get_text_list

from accounts.access import Refused
from accounts.models import User
from assess.models.controls import KnownGrade
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import establish
from collection.bulk import writing
from collection.models.texts import Document, Topic
from jobs import work
from jobs.models import Job
from practice.models import PracticeDocument, PracticeTopic
from trec.words import counted

# Settings that hold for one campaign only; dates are left out as well.
NOT_COPIED = {"name", "seed", "notice", "has_fixed_scale", "has_whole_collection"}
# Without it participants would see topics in the copy before they do in the source.
DATES_COPIED = {"topics_open_at"}
COPY = """
    INSERT INTO {table} ({columns}) SELECT {values} FROM {table} AS old {joins}
    WHERE {campaign} = %(source)s ORDER BY old.id ON CONFLICT DO NOTHING
"""
# A text starts again at version 1, and no import of the copy brought it.
ANEW = {"campaign_id": "%(copy)s", "version": "1", "last_version": "1", "imported_in_id": "NULL"}
SAME_TEAM = """
    LEFT JOIN campaigns_team was ON was.id = old.team_id
    LEFT JOIN campaigns_team team
    ON team.campaign_id = %(copy)s AND lower(team.name) = lower(was.name)
"""


class Rows(NamedTuple):
    """Rows to copy: SQL for the columns that become another, and the column of their campaign."""

    model: type[Model]
    values: Mapping[str, str]
    joins: str = ""
    campaign: str = "old.campaign_id"


class Part(NamedTuple):
    """A part that a tick copies: how it is counted, its rows, and the parts it needs."""

    noun: str
    rows: Sequence[Rows]
    needs: Collection[str] = ()


SAME_PRACTICE = """
    JOIN practice_practicetopic was ON was.id = old.practice_id
    JOIN practice_practicetopic practice ON practice.campaign_id = %(copy)s
    LEFT JOIN collection_document text
    ON text.campaign_id = was.campaign_id AND text.docno = old.docno
"""


# The present text is the copy's first version; an answer about an earlier one is to be confirmed.
VERSION = "CASE WHEN old.document_version = text.version THEN 1 ELSE 0 END"


OF_PRACTICE = {"practice_id": "practice.id", "document_version": VERSION}

SAME_TOPIC = """
    JOIN collection_topic was ON was.id = old.topic_id
    JOIN collection_topic topic ON topic.campaign_id = %(copy)s AND topic.number = was.number
    LEFT JOIN collection_document text ON text.campaign_id = was.campaign_id AND text.docno = old.docno
"""


VERSIONS = """
    CASE WHEN text.version = ANY(old.document_versions) THEN ARRAY[1] ELSE ARRAY[0] END
"""


OF_TOPIC = {"topic_id": "topic.id", "document_versions": VERSIONS}

# By the words of the form; the last rows of a part are the ones counted.
PARTS: dict[str, Part] = {
    "people": Part(
        "member",
        [
            Rows(Team, {"campaign_id": "%(copy)s", "submission_closes_at": "NULL"}),
            Rows(
                Membership,
                {"campaign_id": "%(copy)s", "team_id": "team.id", "joined_at": "now()"},
                SAME_TEAM,
            ),
        ],
    ),
    "topics": Part("topic", [Rows(Topic, ANEW)]),
    "documents": Part("document", [Rows(Document, ANEW)]),
    "known grades": Part(
        "known grade",
        [
            Rows(PracticeTopic, {"campaign_id": "%(copy)s"}),
            Rows(PracticeDocument, OF_PRACTICE, SAME_PRACTICE, "was.campaign_id"),
            Rows(KnownGrade, OF_TOPIC, SAME_TOPIC, "was.campaign_id"),
        ],
        needs=("topics", "documents"),
    ),
}


def settings_of(campaign: Campaign) -> dict[str, Any]:
    """Return the settings a copy begins with: not what belongs to one campaign, nor most dates."""
    fields = campaign._meta.concrete_fields
    names = {
        field.name
        for field in fields
        if not (field.unique or field.is_relation or isinstance(field, DateTimeField))
    }
    copied = (names - NOT_COPIED) | DATES_COPIED
    return {name: getattr(campaign, name) for name in copied}


def why_not_delete(campaign: Campaign) -> str:
    """Say that a campaign is being copied; "" if it is not."""
    about = Job.objects.filter(kind=copy_parts.name, subject_id=campaign.pk)
    if not about.unfinished().exists():
        return ""
    return f"{campaign} is being copied: delete it once that is done."


@work.kind("copy a campaign")
def copy_parts(job: Job) -> str:
    """Copy all parts that the job names, or nothing."""
    asked = job.about.split(", ")
    with work.writing(job):
        names = [name for name in PARTS if name in asked]
        copied = [counted(_copied(job, name), PARTS[name].noun) for name in names]
        # Still there, so it was for every statement above, without a lock that delays its deletion.
        source = _source(job)
        if "documents" in asked:
            copies = Campaign.objects.filter(pk=job.campaign_id)
            copies.update(has_whole_collection=source.has_whole_collection)
    writing.tidy(*(rows.model for name in names for rows in PARTS[name].rows))
    return f"{get_text_list(copied, 'and')} copied."


def _source(job: Job) -> Campaign:
    """Return the campaign to copy, if who asked still organizes it."""
    source = Campaign.objects.filter(pk=job.subject_id).first()
    if source is None:
        raise work.CannotFinish("The campaign that was to be copied has been deleted.")
    try:
        check_can_organize(job.created_by, source)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    return source


def _copied(job: Job, name: str) -> int:
    """Copy a part; return how many rows its last table got."""
    n = 0
    for each in PARTS[name].rows:
        fields = each.model._meta.concrete_fields
        stored = [one for one in fields if not one.primary_key and not one.generated]
        columns = [str(one.column) for one in stored]
        names = {
            "table": each.model._meta.db_table,
            "columns": ", ".join(f'"{one}"' for one in columns),
            "values": ", ".join(each.values.get(one, f'old."{one}"') for one in columns),
            "joins": each.joins,
            "campaign": each.campaign,
        }
        given = {"copy": job.campaign_id, "source": job.subject_id}
        with connection.cursor() as cursor:
            cursor.execute(COPY.format_map(names), given)
            n = cursor.rowcount
    return n


@in_campaign
def copy_campaign(
    *, user: User, campaign: Campaign, name: str, taking: Collection[str] = ()
) -> Campaign:
    """Make a campaign with the settings of another; a worker copies the `PARTS` taken."""
    source = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_can_organize(user, source)
    asked = [each for each in PARTS if each in taking]
    copy = Campaign(name=name, seed=secrets.randbits(62), **settings_of(source))
    establish(copy, user)
    detail = {"source": source.pk, "copy": copy.pk, "parts": asked}
    for each in (source, copy):
        AuditEvent.record(each, user, CampaignEvent.COPIED, f"{source} to {copy}", **detail)
    if asked:
        about = ", ".join(asked)
        work.request(campaign=copy, kind=copy_parts, subject_id=source.pk, user=user, about=about)
    return copy
