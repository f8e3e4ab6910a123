"""The rows of pages of qrels: versions and grades, drawn, and what a version changes."""

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
    """A version, its grades drawn, and how many more judgments it has than its partner."""

    qrels: Qrels
    picture: Drawn
    more: str
    more_relevant: str


def version_rows(campaign: Campaign, versions: Sequence[Any]) -> list[VersionRow]:
    """Return a row for each version; their pictures share grades and heights."""
    grades = _grades(campaign, versions)
    counts = {each.number: dict(each.grade_counts) for each in versions}
    drawn = (n for own in counts.values() for grade, n in own.items() if grade in grades)
    most = max(drawn, default=1)
    rows, numbered = [], {each.number: each for each in versions}
    for qrels in versions:
        own = [counts[qrels.number].get(grade, 0) for grade in grades]
        texts = [f"grade {grade}: {n:,}" for grade, n in zip(grades, own, strict=True)]
        sentence = f"v{qrels.number}: {'; '.join(texts)}."
        picture = small_bars(own, sentence=sentence, most=most, titles=texts, height=ROW_HEIGHT)
        more: tuple[int | None, int | None] = (None, None)
        if before := numbered.get(qrels.partner):
            more = qrels.n_judgments - before.n_judgments, qrels.n_relevant - before.n_relevant
        rows.append(VersionRow(qrels, picture.svg, *map(signed, more)))
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
    """Return the grades to draw: those of the scale and of the versions, at most the highest."""
    grades = {grade.value for grade in campaign.scale.grades}
    grades.update(grade for each in versions for grade, _ in each.grade_counts)
    return sorted(grades)[-MOST_DRAWN:]


class GradeRow(NamedTuple):
    """A grade with its label, if the scale has it, its bar, and its judgments."""

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
    """Compare a version with another; None without one, or if they are too large for a page."""
    if before is None or qrels.n_judgments + before.n_judgments > MOST_COMPARED:
        return None
    return change(before.pairs(), qrels.pairs())
