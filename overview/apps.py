"""The Django application."""

from django.apps import AppConfig


class OverviewConfig(AppConfig):
    name = "overview"

    def ready(self) -> None:
        from campaigns.access import check_facts_shown  # noqa: PLC0415 - models are loaded by now
        from campaigns.models import Role  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415

        register_tab(110, "overview", "overview", check=check_facts_shown)
        register_tab(120, "collection", "collection", Role.ASSESSOR, Role.PARTICIPANT)
