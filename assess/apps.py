"""The Django application."""

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"

    def ready(self) -> None:
        from assess.events import AssessEvent  # noqa: PLC0415
        from campaigns.models import Role  # noqa: PLC0415 - models are loaded by now
        from campaigns.models.work import register_events  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415

        register_events(AssessEvent)
        register_tab(60, "judging", "assess:judging", Role.ORGANIZER, Role.ASSESSOR)
        register_tab(70, "agreement", "assess:agreement", Role.ORGANIZER)
        register_tab(80, "qrels", "assess:qrels", Role.ORGANIZER)
