"""Campaigns, topics, documents, runs, the jobs that work on them, and who did what."""

from campaigns.models import (  # noqa: F401 - Django finds its models here
    campaign,
    collection,
    imports,
    people,
    releases,
    resets,
    run,
    trail,
)
