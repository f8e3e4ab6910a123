"""The app that ties the floors together: system checks and the commands of the whole."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        import config.checks  # noqa: F401, PLC0415 - registers the system checks
