"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        import_module("evaluation.hooks")  # once models are loaded
