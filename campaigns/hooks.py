"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

from accounts.pages import register_judges
from campaigns.events import CampaignEvent
from campaigns.models.people import Membership, Role
from campaigns.models.trail import register_events
from campaigns.web.frame import register_tab

register_events(CampaignEvent)
assessors = Membership.objects.filter(role=Role.ASSESSOR)
register_judges(lambda user: assessors.filter(user=user).exists())
register_tab(230, "people", "campaigns:people", Role.ORGANIZER)
register_tab(610, "settings", "campaigns:settings", Role.ORGANIZER)
