"""Campaigns, topics, documents, runs, the jobs that work on them, and who did what."""

from campaigns.models.campaign import Campaign
from campaigns.models.collection import (
    Document,
    DocumentVersion,
    Topic,
    TopicVersion,
)
from campaigns.models.imports import Import
from campaigns.models.people import (
    Invitation,
    InvitationUse,
    Membership,
    Role,
    Team,
)
from campaigns.models.releases import Release  # noqa: F401 - Django finds its models here
from campaigns.models.resets import PasswordReset
from campaigns.models.run import Run
from campaigns.models.work import AuditEvent, Job

__all__ = [
    "AuditEvent",
    "Campaign",
    "Document",
    "DocumentVersion",
    "Import",
    "Invitation",
    "InvitationUse",
    "Job",
    "Membership",
    "PasswordReset",
    "Role",
    "Run",
    "Team",
    "Topic",
    "TopicVersion",
]
