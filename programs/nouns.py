"""Programs as assessors, their labels, and what they have not labelled, as lists."""

from datetime import date, datetime
from typing import Any

from accounts.models import User
from campaigns.access.roles import roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.noun import Field, Key, Noun
from programs.access import Programs
from programs.models import Label, Program


def _shown(user: User, campaign: Campaign) -> Any:
    """Return all to organizers, and to the account of a program that one."""
    rows = Program.objects.with_counts().filter(campaign=campaign)
    return rows if Role.ORGANIZER in roles(user, campaign) else rows.filter(account=user)


PROGRAMS = Noun(
    name="programs",
    see=Programs.see_list,
    rows=_shown,
    fields={
        "name": Field(str),
        "model": Field(str),
        "version": Field(str, help="of the model"),
        "parameters": Field(str),
        "labelled_on": Field(date, help="when it was run"),
        "team": Field(str | None, lambda each: each.team and each.team.name, "that made it"),
        "labels": Field(int, lambda each: each.n_labels),
        "unread": Field(int, lambda each: each.n_unread, "labels that are no grade of the scale"),
        "created_at": Field(datetime),
    },
    details={"prompt": Field(str)},
    model=Program,
    key=Key("name", "name"),
    help="Programs whose labels stand beside judgments, for organizers.",
)
LABELS = Noun(
    name="labels",
    see=Programs.see_labels,
    rows=lambda _, program: program.labels.in_order(),
    fields={
        "topic": Field(str, lambda label: label.item.topic.number),
        "docno": Field(str),
        "grade": Field(int | None, help="null of what is no grade of the scale"),
        "verdict": Field(str, help="as the program said it"),
        "confidence": Field(float | None),
        "document_version": Field(int, help="of the text when the label came, 0 without one"),
        "received_at": Field(datetime),
    },
    model=Label,
    help="What a program said of documents.",
)
UNLABELLED = Noun(
    name="unlabelled",
    see=Programs.see_list,
    rows=lambda _, program: program.unlabelled,
    fields={"topic": Field(str, lambda entry: entry.topic.number), "docno": Field(str)},
    help="The documents of the pool that a program has said nothing of yet.",
)
