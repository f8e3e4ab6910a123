"""The link to help at the foot of every page, and beside the keys of the judging page."""

from django import template
from django.template.context import RequestContext

from config.handbook import help_on

register = template.Library()
ROLES = {"organizers": "is_organizer", "assessors": "is_assessor", "participants": "is_participant"}


@register.simple_tag(takes_context=True)
def help_address(context: RequestContext, role: str = "", tab: str = "") -> str:
    """Return where help on this page stands, for the roles that somebody has in its campaign.

    A page outside of the campaign's frame names the role and the tab that it belongs to.
    """
    roles = [role] if role else [name for name, given in ROLES.items() if context.get(given)]
    return help_on(roles, tab or str(context.get("tab") or ""))
