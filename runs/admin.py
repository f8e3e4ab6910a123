"""The admin pages of runs."""

from django.contrib import admin

from runs.models import Run


@admin.register(Run)
class RunAdmin(admin.ModelAdmin[Run]):
    list_display = ["tag", "campaign", "team", "state", "submitted_at"]
    list_filter = ["campaign", "state"]
    readonly_fields = ["sha256", "columns", "report"]
