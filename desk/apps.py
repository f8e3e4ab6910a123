"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "desk"

    def ready(self) -> None:
        import_module("desk.hooks")  # once models are loaded
