"""What pages of qrels show: each version with its grades drawn, and what it has that another has not."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from campaigns.models.campaign import Campaign
from pictures.bars import small_bars
from pictures.markup import Drawn
from pictures.parts import part_bar
from qrels.core import QrelsChange, change
from qrels.models import Qrels

# Pairs of two versions that are compared while a page waits; a quarter of a second at most.
MOST_COMPARED = 200_000
MOST_DRAWN = 12  # grades in a row
ROW_HEIGHT, BAR_HEIGHT = 26, 12
MINUS, NOTHING = "\N{MINUS SIGN}", "\N{EN DASH}"


class VersionRow(NamedTuple):
    """A version in a list: its grades, and how many judgments and relevant ones it has more than the one it is compared with."""

    qrels: Qrels
    picture: Drawn
    more: str
    more_relevant: str


def version_rows(campaign: Campaign, versions: Sequence[Any]) -> list[VersionRow]:
    """Return a row for each version, newest first and with its partner; their pictures share their grades and their heights."""
    grades = _grades(campaign, versions)
    most = max(
        (n for each in versions for grade, n in each.grade_counts if grade in grades), default=1
    )
    rows, numbered = [], {each.number: each for each in versions}
    for qrels in versions:
        before = numbered.get(qrels.partner)
        counts = dict(qrels.grade_counts)
        texts = [f"grade {grade}: {counts.get(grade, 0):,}" for grade in grades]
        picture = small_bars(
            [counts.get(grade, 0) for grade in grades],
            sentence=f"v{qrels.number}: {'; '.join(texts)}.",
            most=most,
            titles=texts,
            height=ROW_HEIGHT,
        )
        more = (
            (qrels.n_judgments - before.n_judgments, qrels.n_relevant - before.n_relevant)
            if before
            else None
        )
        rows.append(VersionRow(qrels, picture.svg, *map(signed, more or (None, None))))
    return rows


def signed(n: int | None) -> str:
    """Write a difference of counts.

    >>> (signed(1200), signed(-3), signed(0), signed(None)) == ('+1,200', MINUS + '3', '0', NOTHING)
    True
    """
    if n is None:
        return NOTHING
    return f"{'+' if n > 0 else MINUS if n else ''}{abs(n):,}"


def _grades(campaign: Campaign, versions: Sequence[Qrels]) -> list[int]:
    """Return the grades to draw: those of the scale and any others there are, the highest where these are many."""
    found = {grade.value for grade in campaign.scale.grades}
    found.update(grade for each in versions for grade, _ in each.grade_counts)
    return sorted(found)[-MOST_DRAWN:]


class GradeRow(NamedTuple):
    """A grade with its label, if the scale has it, its bar, and how many judgments have it."""

    grade: int
    label: str
    picture: Drawn
    n: int


def grade_rows(campaign: Campaign, counts: Sequence[tuple[int, int]]) -> list[GradeRow]:
    """Return how many judgments each grade has, the highest first."""
    labels = {each.value: each.label for each in campaign.scale.grades}
    most = max((n for _, n in counts), default=1)
    return [
        GradeRow(
            grade,
            labels.get(grade, ""),
            part_bar(n, most=most, sentence="", height=BAR_HEIGHT).svg,
            n,
        )
        for grade, n in reversed(counts)
    ]


def changed_since(qrels: Qrels, before: Qrels | None) -> QrelsChange | None:
    """Compare a version with another; None if there is none, or together they are too large for a page."""
    if before is None or qrels.n_judgments + before.n_judgments > MOST_COMPARED:
        return None
    return change(before.pairs(), qrels.pairs())
