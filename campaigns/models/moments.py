"""The one place that writes days and times: by the clock of a zone, never the server's."""

from datetime import date, datetime, tzinfo

from django.utils.formats import date_format  # noqa: TID251 - the one place

# The zone of many deadlines: a day has ended once it has ended everywhere.
ZONE_NAMES = {"Etc/GMT+12": "Anywhere on Earth, UTC-12"}
DAY, SHORT_DAY = "j F", "j M"
MINUTE, SHORT_MINUTE = "j F Y, H:i", "j M Y, H:i"


def dated(at: datetime | None, zone: tzinfo, form: str = MINUTE) -> str:
    return date_format(at.astimezone(zone), form) if at else ""


def named_day(day: date, form: str = DAY) -> str:
    """Write a day that is already in its zone."""
    return date_format(day, form)


def zone_name(zone: tzinfo) -> str:
    return ZONE_NAMES.get(str(zone), str(zone))
