"""Evaluations, their scores, and the preliminary board."""

from evaluation.models import measured, preliminary, reviews, scores  # noqa: F401 - for Django
