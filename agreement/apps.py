"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"

    def ready(self) -> None:
        import_module("agreement.hooks")  # once models are loaded
