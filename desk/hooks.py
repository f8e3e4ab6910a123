"""What this app tells the floors below it."""

from campaigns.from_above import TABS, Tab
from campaigns.models.people import Role

TABS.append(Tab(410, "judging", "desk:judging", {Role.ORGANIZER, Role.ASSESSOR}))
