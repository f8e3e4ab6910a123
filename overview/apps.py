"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class OverviewConfig(AppConfig):
    name = "overview"

    def ready(self) -> None:
        import_module("overview.hooks")  # once models are loaded
