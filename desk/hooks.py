"""What this app tells the floors below it: its tab."""

from campaigns.models.people import Role
from campaigns.web.frame import register_tab

register_tab(410, "judging", "desk:judging", Role.ORGANIZER, Role.ASSESSOR)
