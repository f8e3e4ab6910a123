"""The link to help at the foot of every page."""

from django import template
from django.template.context import RequestContext

from config.handbook import help_on

register = template.Library()
ROLES = {"organizers": "is_organizer", "assessors": "is_assessor", "participants": "is_participant"}


@register.simple_tag(takes_context=True)
def help_address(context: RequestContext) -> str:
    """Return where help on this page stands, for the roles that somebody has in its campaign."""
    roles = [name for name, given in ROLES.items() if context.get(given)]
    return help_on(roles, str(context.get("tab") or ""))
