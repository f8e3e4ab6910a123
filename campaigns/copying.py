"""What a copy of a campaign takes along: settings at once, people and texts by a worker."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import DateTimeField, Model
from django.utils.text import get_text_list

from accounts.access import Refused
from campaigns.access.roles import check_can_organize
from campaigns.bulk import writing
from campaigns.models.campaign import Campaign
from campaigns.models.collection import Document, Topic
from campaigns.models.people import Membership, Team
from jobs import work
from jobs.models import Job
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
ANEW = {
    "campaign_id": "%(copy)s",
    "version": "1",
    "last_version": "1",
    "imported_in_id": "NULL",
}
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


_parts: dict[str, Part] = {
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
}


def register_part(name: str, part: Part) -> None:
    """Register a part, from an app's `hooks`; its last rows are the ones counted."""
    _parts[name] = part


def register_rows(name: str, rows: Sequence[Rows]) -> None:
    """Add to a part what goes along with it, from a later app's `hooks`."""
    part = _parts[name]
    _parts[name] = part._replace(rows=[*rows, *part.rows])


def parts() -> Mapping[str, Part]:
    return _parts


def settings_of(campaign: Campaign) -> dict[str, Any]:
    """Return the settings a copy begins with: not what belongs to one campaign, nor most dates."""
    fields = campaign._meta.concrete_fields  # noqa: SLF001 - Django's public name
    names = {
        field.name
        for field in fields
        if not (field.unique or field.is_relation or isinstance(field, DateTimeField))
    }
    copied = (names - NOT_COPIED) | DATES_COPIED
    return {name: getattr(campaign, name) for name in copied}


def is_being_copied(campaign: Campaign) -> bool:
    about = Job.objects.filter(kind=copy_parts.name, subject_id=campaign.pk)
    return about.unfinished().exists()


@work.kind("copy a campaign")
def copy_parts(job: Job) -> str:
    """Copy all parts that the job names, or nothing."""
    asked = job.about.split(", ")
    with work.writing(job):
        names = [name for name in _parts if name in asked]
        copied = [counted(_copied(job, name), _parts[name].noun) for name in names]
        # Still there, so it was for every statement above, without a lock that delays its deletion.
        source = _source(job)
        if "documents" in asked:
            copies = Campaign.objects.filter(pk=job.campaign_id)
            copies.update(has_whole_collection=source.has_whole_collection)
    writing.tidy(*(rows.model for name in names for rows in _parts[name].rows))
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
    for each in _parts[name].rows:
        fields = each.model._meta.concrete_fields  # noqa: SLF001 - Django's public name
        stored = [one for one in fields if not one.primary_key and not one.generated]
        columns = [str(one.column) for one in stored]
        names = {
            "table": each.model._meta.db_table,  # noqa: SLF001
            "columns": ", ".join(f'"{one}"' for one in columns),
            "values": ", ".join(
                each.values.get(one, f'old."{one}"') for one in columns
            ),
            "joins": each.joins,
            "campaign": each.campaign,
        }
        given = {"copy": job.campaign_id, "source": job.subject_id}
        with connection.cursor() as cursor:
            cursor.execute(COPY.format_map(names), given)
            n = cursor.rowcount
    return n
