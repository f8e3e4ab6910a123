"""Campaigns, their people, and who did what."""

from campaigns.models import (  # noqa: F401 - Django finds its models here
    campaign,
    people,
    releases,
    resets,
    trail,
)
