"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class CollectionConfig(AppConfig):
    name = "collection"

    def ready(self) -> None:
        import_module("collection.hooks")  # once models are loaded
