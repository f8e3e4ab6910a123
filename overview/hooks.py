"""What this app tells the floors below it."""

from campaigns.access.campaign import Campaigns
from campaigns.from_above import TABS, WHY_KEEP, Tab
from campaigns.models.people import Role
from overview.services.copying import why_not_delete

WHY_KEEP.register(why_not_delete)
TABS += [
    Tab(110, "overview", "overview", verb=Campaigns.see),
    Tab(120, "collection", "collection", {Role.ASSESSOR, Role.PARTICIPANT}),
]
