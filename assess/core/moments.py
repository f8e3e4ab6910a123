"""How long ago something was, in words. Both moments are in the reader's zone."""

from datetime import datetime, timedelta

from cleverdon.trec.words import counted

HOUR = timedelta(hours=1)


def ago(at: datetime, now: datetime) -> str:
    """Write how long ago something was, more exactly the more recent it is.

    >>> now = datetime(2026, 11, 22, 9, 30)
    >>> ago(datetime(2026, 11, 22, 9, 26), now), ago(datetime(2026, 11, 22, 8, 12), now)
    ('4 minutes ago', 'today, 08:12')
    >>> ago(datetime(2026, 11, 21, 8, 12), now), ago(datetime(2025, 11, 22, 8, 12), now)
    ('21 Nov', '22 Nov 2025')
    """
    if timedelta() <= now - at < HOUR:
        n = (now - at) // timedelta(minutes=1)
        return f"{counted(n, 'minute')} ago" if n else "just now"
    if at.date() == now.date():
        return f"today, {at:%H:%M}"
    return f"{at.day} {at:%b}" if at.year == now.year else f"{at.day} {at:%b %Y}"


def on_day(at: datetime, now: datetime) -> str:
    """Write on which day something was: "today at 03:48".

    >>> now = datetime(2026, 11, 22, 9, 30)
    >>> on_day(datetime(2026, 11, 21, 23, 5), now), on_day(datetime(2026, 11, 20, 12), now)
    ('yesterday at 23:05', 'on Friday 20 November')
    """
    days = (now.date() - at.date()).days
    if days in {0, 1}:
        return f"{('today', 'yesterday')[days]} at {at:%H:%M}"
    return f"on {at:%A} {at.day} {at:%B}"
