"""Pictures of the figures of qrels."""

from pictures.bars import part_bar, small_bars
from pictures.markup import Drawn
from qrels.models import Qrels

ROW_HEIGHT, BAR_HEIGHT = 26, 12


def version_bars(qrels: Qrels, drawn: tuple[list[int], int]) -> Drawn:
    """Draw the judgments of a version by grade; all versions share grades and heights."""
    grades, most = drawn
    counts = dict(qrels.grade_counts)
    own = [counts.get(grade, 0) for grade in grades]
    texts = [f"grade {grade}: {n:,}" for grade, n in zip(grades, own, strict=True)]
    sentence = f"v{qrels.number}: {'; '.join(texts)}."
    return small_bars(own, sentence=sentence, most=most, titles=texts, height=ROW_HEIGHT)


def grade_bar(n: int, most: int) -> Drawn:
    return part_bar(n, most=most, sentence="", height=BAR_HEIGHT)
