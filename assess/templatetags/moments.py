"""Filters that say when something was, in the zone of the page, and how long it took."""

from datetime import datetime

from django import template
from django.utils.timezone import localtime

from assess.core import moments, pace

register = template.Library()


@register.filter
def ago(at: datetime) -> str:
    return moments.ago(localtime(at), localtime())


@register.filter
def on_day(at: datetime) -> str:
    return moments.on_day(localtime(at), localtime())


@register.filter
def taken(seconds: float) -> str:
    return pace.taken(seconds)
