"""The Django application."""

from django.apps import AppConfig


class OverviewConfig(AppConfig):
    name = "overview"

    def ready(self) -> None:
        from campaigns.access import check_facts_shown  # noqa: PLC0415 - models are loaded by now
        from campaigns.pages import register_tab  # noqa: PLC0415

        register_tab(110, "overview", "overview", check=check_facts_shown)
