"""Campaigns, topics, documents, runs, the jobs that work on them, and who did what."""

from campaigns.models.campaign import Campaign, Document, Topic
from campaigns.models.people import Invitation, Membership, Role, Team
from campaigns.models.run import Run
from campaigns.models.work import AuditEvent, Job

__all__ = [
    "AuditEvent",
    "Campaign",
    "Document",
    "Invitation",
    "Job",
    "Membership",
    "Role",
    "Run",
    "Team",
    "Topic",
]
