"""The admin pages of runs."""

from django.contrib import admin

from accounts.admin import ReadOnly
from runs.models import Run


@admin.register(Run)
class RunAdmin(ReadOnly):
    list_display = ["tag", "campaign", "team", "state", "submitted_at"]
    list_filter = ["campaign", "state"]
