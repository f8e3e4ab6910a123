"""What this app tells the floors below it, and its own tabs and kinds of event."""

from accounts.from_above import DOES_JUDGE
from campaigns.events import CampaignEvent
from campaigns.from_above import TABS, Tab
from campaigns.models.people import Membership, Role
from campaigns.models.trail import EVENTS

assessors = Membership.objects.filter(role=Role.ASSESSOR)

EVENTS.append(CampaignEvent)
DOES_JUDGE.register(lambda user: assessors.filter(user=user).exists())
TABS += [
    Tab(230, "people", "campaigns:people", {Role.ORGANIZER}),
    Tab(610, "settings", "campaigns:settings", {Role.ORGANIZER}),
]
