"""The card of what was estimated beside the grades of a version."""

from typing import Any, NamedTuple

from accounts.access import can
from campaigns.access.roles import Person
from qrels.access import QrelsVersions, estimated_shown
from qrels.models import Qrels


class Assessor(NamedTuple):
    """How often somebody errs: of each grade, in percent, which grades they give instead."""

    name: str
    n: int
    right: int
    rows: list[tuple[str, list[int] | None]]


def estimates(user: Person, qrels: Qrels) -> dict[str, Any] | None:
    """Return what the card says; None of a version whose assessors' errors were not estimated."""
    with_names = can(QrelsVersions.see_assessors, user, qrels.campaign)
    found = estimated_shown(qrels, with_names=with_names)
    if not found or "assessors" not in found:
        return None
    labels = qrels.campaign.scale.fixed
    grades = [f"{grade} {labels.get(grade, '')}".strip() for grade in found["grades"]]
    return {
        **found,
        "heads": found["grades"],
        "prior": [*zip(grades, map(_percent, found["prior"]), strict=True)],
        "assessors": [
            Assessor(
                each["assessor"] or f"Assessor {n}",
                each["judgments"],
                _percent(each["right"]),
                [
                    (grade, row and [_percent(share) for share in row])
                    for grade, row in zip(grades, each["errors"], strict=True)
                ],
            )
            for n, each in enumerate(found["assessors"], 1)
        ],
        "is_odd": 2 * found["by_majority"] < found["judged_twice"],
    }


def _percent(share: float) -> int:
    return round(100 * share)
