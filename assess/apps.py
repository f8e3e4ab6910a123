"""The Django application."""

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"
