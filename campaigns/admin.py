"""The admin pages of campaigns, jobs and the audit trail."""

from django.contrib import admin

from accounts.admin import ReadOnly
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent
from jobs.models import Job

admin.site.register([Campaign, Team, Membership], ReadOnly)


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ["kind", "campaign", "state", "attempts", "created_at", "outcome"]
    list_filter = ["kind", "state"]
    exclude = ["token"]


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly):
    list_display = ["at", "campaign", "actor", "kind", "subject"]
    list_filter = ["campaign", "kind"]
