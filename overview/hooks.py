"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

from campaigns.access.roles import check_facts_shown
from campaigns.models.people import Role
from campaigns.services.ending import WHY_NOT_DELETE
from campaigns.web.frame import register_tab
from overview.services.copying import why_not_delete

register_tab(110, "overview", "overview", check=check_facts_shown)
register_tab(120, "collection", "collection", Role.ASSESSOR, Role.PARTICIPANT)
WHY_NOT_DELETE.register(why_not_delete)
