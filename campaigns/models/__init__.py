"""Campaigns, their people, and who did what."""

from campaigns.models import campaign, people, releases, resets, trail  # noqa: F401 - Django finds its models here
