"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        import_module("campaigns.hooks")  # once models are loaded
