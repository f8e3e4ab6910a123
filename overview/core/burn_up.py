"""What the picture of judging shows, day by day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class BurnUp:
    """Documents with an official grade, by the days of the campaign's zone on which they got it.

    `qrels` are the day and the name of each version that was published from judgments.
    """

    n_judged_on: Mapping[date, int]
    n_documents: int
    today: date
    deadline: date | None = None
    qrels: Sequence[tuple[date, str]] = ()
