"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"

    def ready(self) -> None:
        import_module("assess.hooks")  # once models are loaded
