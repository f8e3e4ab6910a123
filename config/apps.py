"""The app of the site as a whole: its system checks."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        import config.checks  # noqa: F401, PLC0415 - registers the system checks
