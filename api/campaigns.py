"""The addresses of campaigns, and of what every one has: people, links, jobs, events."""

from dataclasses import replace
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from accounts.access import Invalid, can
from accounts.models import User
from api import tus
from api.acting import Act
from api.answers import address_of
from api.arguments import of_model
from api.criteria import CriteriaField
from api.doors import doors
from api.registry import noun_of
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role
from campaigns.noun import Field
from campaigns.nouns import CAMPAIGNS, EVENTS, INVITATIONS, JOBS, MEMBERS, SET, SETTINGS
from campaigns.services import campaign as campaigns
from campaigns.services import ending, people, resets
from jobs.models import job_subjects

MOST_DAYS = 366
PLAIN = [*CAMPAIGNS.fields, *SET]
FIXED = {"slug", "round", "created_at", "archived_at", "has_whole_collection"}
SETTABLE = [name for name in PLAIN if name not in FIXED]


def settings(*, is_new: bool) -> dict[str, Any]:
    """Return the settings that a program may send, of which only a new campaign's name must be."""
    fields = of_model(Campaign, *SETTABLE, **{name: {"required": False} for name in SETTABLE})
    if is_new:
        fields |= of_model(Campaign, "name")
    return {**fields, "criteria": CriteriaField(required=False)}


def invite(
    *,
    user: User,
    campaign: Campaign,
    role: str,
    team: str = "",
    name: str = "",
    max_uses: int = 1,
    days: int = people.INVITATION_DAYS,
) -> Invitation:
    """Make a link by which people join in a role; it is told this one time."""
    return people.invite(
        user=user,
        campaign=campaign,
        role=role,
        team_name=team,
        name=name,
        max_uses=max_uses,
        days=days,
    )


def link_of(invitation: Invitation) -> dict[str, str]:
    """Return the link, which is told this one time: whoever follows it joins."""
    return {"link": reverse("invitation", args=[invitation.token])}


def delete(*, user: User, campaign: Campaign, name: str) -> None:
    """Delete a campaign without judgments for good, by its name; that it was stays on record."""
    if name != campaign.name:
        raise Invalid("name", "This is not the name of the campaign.")
    ending.delete_campaign(user=user, campaign=campaign)


WHOLE = [
    Act(
        CAMPAIGNS,
        "",
        campaigns.create_campaign,
        Campaigns.create,
        fields=settings(is_new=True),
        is_of_nothing=True,
    ),
    Act(
        CAMPAIGNS,
        "change",
        campaigns.change_campaign,
        fields=settings(is_new=False),
        gathered="changes",
        tells=SETTINGS,
    ),
    Act(CAMPAIGNS, "archive", ending.archive_campaign, Campaigns.archive),
    Act(CAMPAIGNS, "restore", ending.restore_campaign, Campaigns.restore),
    Act(CAMPAIGNS, "delete", delete, Campaigns.delete),
]
ACTS_OF_PEOPLE = [
    Act(
        INVITATIONS,
        "",
        invite,
        People.invite,
        fields={
            "role": serializers.ChoiceField(Role.choices),
            "max_uses": serializers.IntegerField(
                min_value=1, max_value=Invitation.MOST_USES, default=1
            ),
            "days": serializers.IntegerField(
                min_value=1, max_value=MOST_DAYS, default=people.INVITATION_DAYS
            ),
            "name": serializers.CharField(max_length=60, allow_blank=True, default=""),
            "team": serializers.CharField(max_length=60, allow_blank=True, default=""),
        },
        once=link_of,
    ),
    Act(INVITATIONS, "withdraw", people.withdraw_invitation),
]


def reset_password(*, user: User, membership: Membership) -> dict[str, str]:
    """Make a link by which a member sets a new password; the link is told this one time."""
    person, campaign = membership.user, membership.campaign
    token = resets.make_reset(user=user, campaign=campaign, person=person)
    return {"link": reverse("reset", args=[token])}


def subject_of(job: Any) -> str | None:
    """Return the address of what a job works on, if its reader may see that."""
    model = job_subjects.get(job.kind)
    noun, reader = noun_of(model) if model else None, job.read_by
    if noun is None or not can(noun.see, reader, job.campaign):
        return None
    row = noun.rows(reader, job.campaign).filter(pk=job.subject_id).first()
    return row and address_of(noun, row, noun.record(row, [noun.key.field]))


JOBS_OF = replace(
    JOBS,
    details={
        "subject": Field(
            str | None,
            subject_of,
            "the address of what it works on, once "
            "that is there and you may see it; null for work on the campaign",
        )
    },
)
whole = doors(CAMPAIGNS, *WHOLE)
urlpatterns = [
    *doors(SETTINGS),
    *doors(
        MEMBERS,
        Act(
            MEMBERS,
            "reset-password",
            reset_password,
            People.see,
            is_remembered=False,
            once=lambda told: told,
        ),
    ),
    *doors(INVITATIONS, *ACTS_OF_PEOPLE),
    *doors(EVENTS),
    *doors(JOBS_OF, Act(JOBS_OF, "retry", campaigns.retry_job)),
    *tus.urlpatterns,
]
