"""Evaluations, their scores, and the preliminary board."""

from evaluation.models import measured, pairs, preliminary, reviews, scores  # noqa: F401 - for Django
