"""The figures of versions of qrels: their grades, and what each changes."""

from collections.abc import Sequence
from typing import Any

from campaigns.core.grades import Scale
from qrels.core import QrelsChange, change
from qrels.models import Qrels

# Pairs of two versions that are compared while a page waits; a quarter of a second at most.
MOST_COMPARED = 200_000
MOST_DRAWN = 12  # grades in a row


def grades_drawn(scale: Scale, versions: Sequence[Qrels]) -> tuple[list[int], int]:
    """Return the highest grades of the scale and the versions, and the most judgments of one."""
    counts = [(grade, n) for each in versions for grade, n in each.grade_counts]
    every = {grade.value for grade in scale.grades} | {grade for grade, _ in counts}
    grades = sorted(every)[-MOST_DRAWN:]
    return grades, max((n for grade, n in counts if grade in grades), default=1)


def version_rows(versions: Sequence[Any]) -> list[tuple[Qrels, int | None, int | None]]:
    """Return each version, and how many more judgments and relevant ones it has than its partner.

    Both are None without a partner.
    """
    numbered = {each.number: each for each in versions}
    rows = []
    for each in versions:
        before = numbered.get(each.partner)
        more = each.n_judgments - before.n_judgments if before else None
        rows.append((each, more, each.n_relevant - before.n_relevant if before else None))
    return rows


def grade_rows(scale: Scale, counts: Sequence[tuple[int, int]]) -> list[tuple[int, str, int, int]]:
    """Return each grade, the highest first, its label, its judgments, and the most of a grade."""
    labels = {each.value: each.label for each in scale.grades}
    most = max((n for _, n in counts), default=1)
    return [(grade, labels.get(grade, ""), n, most) for grade, n in reversed(counts)]


def changed_since(qrels: Qrels, before: Qrels | None) -> QrelsChange | None:
    """Compare a version with another; None without one, or if they are too large for a page."""
    if before is None or qrels.n_judgments + before.n_judgments > MOST_COMPARED:
        return None
    return change(before.pairs(), qrels.pairs())
