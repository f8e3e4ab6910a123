"""The Django application."""

from importlib import import_module

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    name = "questions"

    def ready(self) -> None:
        import_module("questions.hooks")  # once models are loaded
