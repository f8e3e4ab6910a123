"""What organizers see of everybody's work, as a list and a file."""

from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from campaigns.web.lists import NounList, csv_of
from desk.web.workload import AssessorWork, everybodys_work


class AssessorRecord(NamedTuple):
    """What somebody has to judge and has judged; the names are those of the columns."""

    user: str
    name: str
    topics: int
    documents: int
    judged: int
    cannot_judge: int
    by_others_before: int
    later: int
    reopened: int
    timed: int
    median_seconds: float | None
    per_hour: int | None
    last_two_weeks: int
    last_judged_at: datetime | None
    done_by: str


def _record(person: AssessorWork) -> AssessorRecord:
    total, pace = person.total, person.pace
    dwell = pace.dwell
    return AssessorRecord(
        user=person.user.username,
        name=person.user.get_full_name(),
        topics=total["n_topics"],
        documents=total["n_documents"],
        judged=total["judged"],
        cannot_judge=total["impossible"],
        by_others_before=total["n_before"],
        later=total["n_put_off"],
        reopened=total["n_reopened"],
        timed=dwell.n,
        median_seconds=round(dwell.seconds, 1) if dwell.is_known else None,
        per_hour=dwell.an_hour,
        last_two_weeks=sum(pace.days),
        last_judged_at=pace.last_at,
        done_by=person.likely.done.isoformat() if person.likely and person.n_left else "",
    )


ASSESSORS = NounList(
    name="assessors",
    rows=lambda _, campaign: everybodys_work(campaign, timezone.now()).people,
    columns=AssessorRecord,
    record=_record,
)
assessors = csv_of(ASSESSORS)
