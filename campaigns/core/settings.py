"""Rules about several settings of a campaign at once."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from zoneinfo import available_timezones


@cache
def time_zones() -> frozenset[str]:
    """Return the zones that are accepted: such a name is also the path of a system file."""
    return frozenset(available_timezones())


def setting_faults(settings: Mapping[str, Any], grades: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the settings that do not fit the others, each with a sentence.

    `grades` are those of the scale; settings that are not known yet are left out.
    """
    if settings.get("time_zone", "UTC") not in time_zones():
        yield "time_zone", "There is no such zone: Europe/Berlin is one."
    lowest = settings.get("evidence_from")
    if lowest is not None and grades and lowest not in grades:
        # It would hold always or never.
        listed = ", ".join(map(str, grades))
        yield "evidence_from", f"It is not a grade of the scale: {listed}."
    if lowest is not None and settings.get("takes_evidence") is False:
        yield "evidence_from", "Let assessors mark passages, or leave this empty."
    for act in ("submission", "judging"):
        opens, closes = settings.get(f"{act}_opens_at"), settings.get(f"{act}_closes_at")
        if opens and closes and closes <= opens:
            yield f"{act}_closes_at", f"It must be after {act} opens."
