"""Campaigns, their people, and who did what."""

# Django finds its models here.
from campaigns.models import campaign, people, releases, resets, rounds, trail  # noqa: F401
