"""Copy a campaign: its settings at once, people and texts by a worker."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import DateTimeField, Model
from django.utils.text import get_text_list

from accounts.access import Refused, check
from accounts.models import User
from assess.models.controls import KnownGrade
from campaigns.access.roles import organizes
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import establish
from cleverdon.trec.words import counted
from collection.bulk import writing
from collection.models.items import Item
from collection.models.texts import Document, Topic
from jobs import work
from jobs.models import Job
from overview.access import WholeCampaigns
from practice.models import Practice

# Settings of one campaign only; dates are not copied either.
NOT_COPIED = {"name", "seed", "notice", "has_fixed_scale", "has_whole_collection", "round"}
# Otherwise participants could see topics in the copy before they do in the source.
DATES_COPIED = {"topics_open_at"}
COPY = """
    INSERT INTO {table} ({columns}) SELECT {values} FROM {table} AS old {joins}
    WHERE {campaign} = %(source)s ORDER BY old.id ON CONFLICT DO NOTHING
"""
# A text of the copy has version 1 and belongs to no import.
ANEW = {"campaign_id": "%(copy)s", "version": "1", "last_version": "1", "imported_in_id": "NULL"}
SAME_TEAM = """
    LEFT JOIN campaigns_team was ON was.id = old.team_id
    LEFT JOIN campaigns_team team
    ON team.campaign_id = %(copy)s AND lower(team.name) = lower(was.name)
"""


SAME_TOPIC = """
    JOIN collection_topic was ON was.id = old.topic_id
    JOIN collection_topic topic ON topic.campaign_id = %(copy)s AND topic.number = was.number
"""
KNOWN_ITEM = SAME_TOPIC + "JOIN assess_knowngrade known ON known.item_id = old.id"
SAME_ITEM = """
    JOIN collection_item had ON had.id = old.item_id
    JOIN collection_topic was ON was.id = had.topic_id
    JOIN collection_topic topic ON topic.campaign_id = %(copy)s AND topic.number = was.number
    JOIN collection_item item
    ON item.topic_id = topic.id AND item.kind = had.kind AND item.key = had.key
    LEFT JOIN collection_document text
    ON text.campaign_id = had.campaign_id AND text.docno = had.docno
"""
# Conditions on the campaign of topics: those of the campaign, and the one to practice on.
NUMBERED, PRACTICED = (
    "NOT old.is_practice AND old.campaign_id",
    "old.is_practice AND old.campaign_id",
)
# The current text is version 1 of the copy; a grade known of an earlier one is to be confirmed (0).
VERSIONS = "ARRAY[CASE WHEN text.version = ANY(old.document_versions) THEN 1 ELSE 0 END]"


class CopiedRows(NamedTuple):
    """Rows to copy, with SQL for the columns that change and for the rows' campaign."""

    model: type[Model]
    values: Mapping[str, str]
    joins: str = ""
    campaign: str = "old.campaign_id"


class CopiedPart(NamedTuple):
    """A part to tick; the last of its rows are counted."""

    noun: str
    rows: Sequence[CopiedRows]
    needs: Collection[str] = ()


TEAMS = CopiedRows(
    Team, {"campaign_id": "%(copy)s", "submission_closes_at": "NULL", "extended_round": "1"}
)
MEMBERS = CopiedRows(
    Membership, {"campaign_id": "%(copy)s", "team_id": "team.id", "joined_at": "now()"}, SAME_TEAM
)
PRACTICE = CopiedRows(
    Practice, {"campaign_id": "%(copy)s", "topic_id": "topic.id", "is_on": "false"}, SAME_TOPIC
)
ITEMS = CopiedRows(Item, {"campaign_id": "%(copy)s", "topic_id": "topic.id"}, KNOWN_ITEM)
KNOWN = CopiedRows(
    KnownGrade, {"item_id": "item.id", "document_versions": VERSIONS}, SAME_ITEM, "had.campaign_id"
)
PARTS = {  # by their names in the form
    "people": CopiedPart("member", [TEAMS, MEMBERS]),
    "topics": CopiedPart("topic", [CopiedRows(Topic, ANEW, campaign=NUMBERED)]),
    "documents": CopiedPart("document", [CopiedRows(Document, ANEW)]),
    "known grades": CopiedPart(
        "known grade",
        [CopiedRows(Topic, ANEW, campaign=PRACTICED), PRACTICE, ITEMS, KNOWN],
        needs=("topics", "documents"),
    ),
}


def settings_of(campaign: Campaign) -> dict[str, Any]:
    fields = campaign._meta.concrete_fields
    names = {
        field.name
        for field in fields
        if not (field.unique or field.is_relation or isinstance(field, DateTimeField))
    }
    copied = (names - NOT_COPIED) | DATES_COPIED
    return {name: getattr(campaign, name) for name in copied}


def why_not_delete(campaign: Campaign) -> str:
    """Return a sentence while the campaign is being copied, or ""."""
    jobs = Job.objects.filter(kind=copy_parts.name, subject_id=campaign.pk)
    is_copied = jobs.unfinished().exists()
    return f"{campaign} is being copied: delete it once that is done." if is_copied else ""


@work.kind("copy a campaign")
def copy_parts(job: Job) -> str:
    """Copy all parts that the job names, in one transaction."""
    asked = job.about.split(", ")
    with work.writing(job):
        # First, as by who imports known grades: each would wait for the other's items.
        Campaign.objects.select_for_update(no_key=True).get(pk=job.campaign_id)
        names = [name for name in PARTS if name in asked]
        copied = [counted(_copy(job, name), PARTS[name].noun) for name in names]
        # If it exists now, it did for every statement above; a lock would delay its deletion.
        source = _source(job)
        if "documents" in asked:
            copies = Campaign.objects.filter(pk=job.campaign_id)
            copies.update(has_whole_collection=source.has_whole_collection)
    writing.tidy(*(rows.model for name in names for rows in PARTS[name].rows))
    return f"{get_text_list(copied, 'and')} copied."


def _source(job: Job) -> Campaign:
    """Return the campaign to copy, if the person who asked still organizes it."""
    source = Campaign.objects.filter(pk=job.subject_id).first()
    if source is None:
        raise work.CannotFinish("The campaign that was to be copied has been deleted.")
    try:
        check(organizes, job.created_by, source)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    return source


def _copy(job: Job, name: str) -> int:
    """Copy a part; return the number of rows in its last table."""
    n = 0
    for rows in PARTS[name].rows:
        fields = rows.model._meta.concrete_fields
        columns = [str(each.column) for each in fields if not (each.primary_key or each.generated)]
        sql = COPY.format(
            table=rows.model._meta.db_table,
            columns=", ".join(f'"{each}"' for each in columns),
            values=", ".join(rows.values.get(each, f'old."{each}"') for each in columns),
            joins=rows.joins,
            campaign=rows.campaign,
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, {"copy": job.campaign_id, "source": job.subject_id})
            n = cursor.rowcount
    return n


@in_campaign
def copy_campaign(
    *, user: User, campaign: Campaign, name: str, taking: Collection[str] = ()
) -> Campaign:
    """Create a campaign with the settings of another; what is taken besides, a job of it copies."""
    source = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check(WholeCampaigns.copy, user, source)
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
