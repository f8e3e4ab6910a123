"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

from campaigns.access.roles import check_facts_shown
from campaigns.models.people import Role
from campaigns.pages import register_tab

register_tab(110, "overview", "overview", check=check_facts_shown)
register_tab(120, "collection", "collection", Role.ASSESSOR, Role.PARTICIPANT)
