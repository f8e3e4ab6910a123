"""The Django application."""

from django.apps import AppConfig


class PoolingConfig(AppConfig):
    name = "pooling"

    def ready(self) -> None:
        import pooling.tasks  # noqa: F401, PLC0415 - its kind of job is known from here on
        from campaigns.models import Role  # noqa: PLC0415 - models are loaded by now
        from campaigns.models.work import register_events  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415
        from pooling.events import PoolEvent  # noqa: PLC0415

        register_events(PoolEvent)
        register_tab(50, "pool", "pooling:pool", Role.ORGANIZER)
