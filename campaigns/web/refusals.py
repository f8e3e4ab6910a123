"""Refused acts of members, for *Who did what*."""

from django.core.cache import cache
from django.http import HttpRequest

from accounts.access import Refused
from campaigns.access.roles import memberships_of
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent

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
        _, _, address = request.path.partition(f"/{campaign.slug}/")
        detail = {"outcome": str(refusal), "status": refusal.status}
        AuditEvent.record(campaign, person, CampaignEvent.REFUSED, address, **detail)
