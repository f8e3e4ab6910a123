"""Tags that draw figures of a pool."""

from django import template

from pooling.web.drawing import contribution_bar

register = template.Library()
register.simple_tag(contribution_bar)
