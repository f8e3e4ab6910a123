"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class QrelsConfig(AppConfig):
    name = "qrels"

    def ready(self) -> None:
        import_module("qrels.hooks")  # once models are loaded
