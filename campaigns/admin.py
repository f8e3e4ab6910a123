"""The admin pages of campaigns, jobs and the audit trail."""

from django.contrib import admin

from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent
from jobs.models import Job

admin.site.register([Campaign, Team, Membership])


@admin.register(Job)
class JobAdmin(admin.ModelAdmin[Job]):
    list_display = ["kind", "campaign", "state", "attempts", "created_at", "outcome"]
    list_filter = ["kind", "state"]


@admin.register(AuditEvent)
class AuditEventAdmin(admin.ModelAdmin[AuditEvent]):
    list_display = ["at", "campaign", "actor", "kind", "subject"]
    list_filter = ["campaign", "kind"]
    readonly_fields = ["campaign", "actor", "kind", "subject", "detail", "at"]
