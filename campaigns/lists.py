"""The lists of a campaign as files: topics for the systems that make runs, runs, people and events for a spreadsheet."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from campaigns.models.collection import Topic
from campaigns.models.people import Membership
from campaigns.models.run import Run
from campaigns.models.trail import AuditEvent
from trec.cells import records_csv

TOPIC_FIELDS = ("number", "title", "description", "narrative")


class RunRecord(NamedTuple):
    """A run; the names are those of the columns. Counts are those of its last check, None before it."""

    run_id: int
    tag: str
    team: str
    state: str
    pooled: str
    late: str
    manual: str
    priority: int | None
    topics: int | None
    lines: int | None
    errors: int | None
    warnings: int | None
    submitted_by: str
    submitted_at: datetime
    file: str
    sha256: str
    out_at: datetime | None
    out_reason: str
    description: str


class ReleasedRunRecord(NamedTuple):
    """A run as others than its team and the organizers may know it."""

    run_id: int
    tag: str
    team: str
    manual: str
    file: str
    sha256: str
    description: str


class PersonRecord(NamedTuple):
    """A role that somebody has; whoever has several has a line for each."""

    user: str
    name: str
    role: str
    team: str
    since: datetime


class EventRecord(NamedTuple):
    """Who did what to what."""

    at: datetime
    by: str
    event: str
    subject: str
    detail: str


def topics_as_json_lines(topics: Iterable[Topic]) -> Iterator[str]:
    """Yield each topic as an object, with the fields in which it is imported."""
    for topic in topics:
        fields = {name: getattr(topic, name) for name in TOPIC_FIELDS}
        yield f"{json.dumps(fields, ensure_ascii=False)}\n"


def topics_as_tsv(topics: Iterable[Topic]) -> Iterator[str]:
    """Yield the number and the title of each topic, as most systems read them; white space in a title is a blank."""
    return (f"{topic.number}\t{' '.join(topic.title.split())}\n" for topic in topics)


TOPIC_FORMATS = {
    "jsonl": ("application/jsonl", topics_as_json_lines),
    "tsv": ("text/tab-separated-values", topics_as_tsv),
}


def runs_csv(runs: Iterable[Run]) -> Iterator[str]:
    """Yield a header and each run; of its report, which may name hundreds of faults, the counts."""
    return records_csv(RunRecord, map(_run, runs))


def _run(run: Run) -> RunRecord:
    report = run.report or {}
    n_warnings = len(report["warnings"]) if "warnings" in report else None
    return RunRecord(
        run_id=run.pk, tag=run.tag, team=run.team.name, state=run.state,
        pooled=_yes(run.is_pooled), late=_yes(run.is_late), manual=_yes(run.is_manual), priority=run.priority,
        topics=report.get("n_topics"), lines=report.get("n_lines"), errors=report.get("n_errors"), warnings=n_warnings,
        submitted_by=run.submitted_by.username, submitted_at=run.submitted_at, file=run.file_name, sha256=run.sha256,
        out_at=run.out_at, out_reason=run.out_reason, description=run.description,
    )  # fmt: skip


def released_runs_csv(runs: Iterable[Run]) -> Iterator[str]:
    return records_csv(
        ReleasedRunRecord,
        (
            ReleasedRunRecord(
                each.pk,
                each.tag,
                each.team.name,
                _yes(each.is_manual),
                each.file_name,
                each.sha256,
                each.description,
            )
            for each in runs
        ),
    )


def _yes(mark: bool) -> str:
    return "yes" if mark else ""


def people_csv(members: Iterable[Membership]) -> Iterator[str]:
    return records_csv(
        PersonRecord,
        (
            PersonRecord(
                each.user.username,
                each.user.get_full_name(),
                each.role,
                each.team.name if each.team else "",
                each.joined_at,
            )
            for each in members
        ),
    )


def events_csv(events: Iterable[AuditEvent]) -> Iterator[str]:
    """Yield a header and each event; what else is known of it is a JSON object."""
    return records_csv(
        EventRecord,
        (
            EventRecord(
                each.at,
                each.actor.username,
                each.get_kind_display(),
                each.subject,
                json.dumps(each.detail, ensure_ascii=False, sort_keys=True) if each.detail else "",
            )
            for each in events
        ),
    )  # fmt: skip
