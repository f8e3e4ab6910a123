"""Tags that draw figures of judging."""

from django import template

from assess.web.strips import strip_of
from desk.web import drawing

register = template.Library()
for drawn in (drawing.decided_bar, drawing.pace_bars, drawing.assignment_blocks, strip_of):
    register.simple_tag(drawn)
