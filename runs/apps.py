"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class RunsConfig(AppConfig):
    name = "runs"

    def ready(self) -> None:
        import_module("runs.hooks")  # once models are loaded
