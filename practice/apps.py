"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "practice"

    def ready(self) -> None:
        import_module("practice.hooks")  # once models are loaded
