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


@register.filter
def in_words(seconds: int) -> str:
    """Write whole minutes; what is less than one is said to be.

    >>> in_words(0), in_words(20), in_words(7680)
    ('0 min', 'under 1 min', '2 h 8 min')
    """
    minutes = round(seconds / 60)
    return pace.in_words(minutes) if minutes or not seconds else "under 1 min"
