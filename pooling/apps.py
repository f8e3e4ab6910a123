"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class PoolingConfig(AppConfig):
    name = "pooling"

    def ready(self) -> None:
        import_module("pooling.hooks")  # once models are loaded
