"""Refused acts of members, for *Who did what*."""

from contextlib import suppress

from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.http import HttpRequest

from accounts.access import Refused
from campaigns.access.roles import memberships_of
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from jobs.storage import Full

# One refusal by a person and kind of address is kept in this time, so that nobody floods the trail.
SECONDS_APART = 60


def record_refusal(request: HttpRequest, refusal: Refused) -> None:
    """Record that a member sent something that was refused; strangers' guesses leave no trace."""
    asked, person = request.resolver_match, request.user
    if request.method != "POST" or not asked:
        return
    campaign = Campaign.objects.filter(slug=asked.kwargs.get("slug", "")).first()
    if campaign is None or not person.is_authenticated:
        return
    if not memberships_of(person, campaign).exists():
        return
    key = f"refused:{campaign.pk}:{person.pk}:{asked.view_name}"
    if cache.add(key, 1, SECONDS_APART):
        _, _, address = request.path_info.partition(f"/{campaign.slug}/")
        detail = {"outcome": str(refusal), "status": refusal.status}
        # The answer does not wait for a disk that is full or a database that is away.
        with suppress(Full, DatabaseError), transaction.atomic():
            AuditEvent.record(campaign, person, CampaignEvent.REFUSED, address, **detail)
