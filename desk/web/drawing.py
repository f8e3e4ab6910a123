"""Pictures of the figures of judging."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from assess.core.pace import DAY, SHOWN, Pace
from assess.models.assigning import Assignment
from campaigns.core.grades import Scale
from cleverdon.pictures.bars import bars, part_bar, small_bars
from cleverdon.pictures.dates import day_and_month
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.picture import Picture
from cleverdon.pictures.strips import IMPOSSIBLE, LATER, Mark, grade_blocks
from cleverdon.trec.words import counted
from desk.web.workload import AssessorWork


def decided_bar(person: AssessorWork) -> Drawn:
    """Draw how much somebody has decided, and how much of that earlier assessors had."""
    n, decided, n_before = (person.total[name] for name in ("n_documents", "decided", "n_before"))
    text = f"{person.user}: {decided:,} of {counted(n, 'document')} decided"
    if n_before:
        text += f", {n_before:,} of them by others before"
    return part_bar(decided - n_before, decided, most=n, sentence=text, track=True, height=8)


def pace_bars(person: AssessorWork, most: int) -> Drawn:
    """Draw somebody's judgments of each of the last days, on the scale of all assessors."""
    days = person.pace.days
    text = f"{person.user}: {counted(sum(days), 'judgment')} in the last {len(days)} days"
    return small_bars(days, sentence=text, most=most)


def assignment_blocks(assignment: Assignment, by_grade: Mapping[int, int], scale: Scale) -> Drawn:
    grades = [grade.value for grade in reversed(scale.grades)]
    counts: list[tuple[Mark, int]] = [(grade, by_grade.get(grade, 0)) for grade in grades]
    parts = [f"{n:,} with grade {grade}" for grade, n in counts if n]
    rest = assignment.n_open - assignment.n_later
    for mark, n, name in (
        (IMPOSSIBLE, assignment.n_cannot_judge, "cannot be judged"),
        (LATER, assignment.n_later, "for later"),
        (None, rest, "open"),
    ):
        counts.append((mark, n))
        parts += [f"{n:,} {name}"] if n else []
    sentence = f"{counted(assignment.n_entries, 'document')}: {', '.join(parts)}."
    return grade_blocks(counts, highest=grades[0], lowest=grades[-1], sentence=sentence)


def own_days(pace: Pace, now: datetime) -> Picture:
    """Draw the reader's judgments of each of the last days."""
    first = now - timedelta(days=SHOWN - 1)
    names = [day_and_month((first + n * DAY).date().toordinal()) for n in range(SHOWN - 1)]
    judged = f"You judged {sum(pace.days):,} documents in the last {SHOWN} days"
    return bars(
        pace.days,
        [*names, "today"],
        sentence=f"{judged}, at most {max(pace.days):,} on one day.",
        heads=("Day", "Judgments"),
        highest_first=False,
        height=120,
    )
