"""Runs as files."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from runs.models import Run
from trec.cells import records_csv


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


def runs_csv(runs: Iterable[Run]) -> Iterator[str]:
    """Yield a header and each run; of its report, which may name hundreds of faults, the counts."""
    return records_csv(RunRecord, map(_run, runs))


def _run(run: Run) -> RunRecord:
    report = run.report or {}
    n_warnings = len(report["warnings"]) if "warnings" in report else None
    return RunRecord(
        run_id=run.pk,
        tag=run.tag,
        team=run.team.name,
        state=run.state,
        pooled=_yes(run.is_pooled),
        late=_yes(run.is_late),
        manual=_yes(run.is_manual),
        priority=run.priority,
        topics=report.get("n_topics"),
        lines=report.get("n_lines"),
        errors=report.get("n_errors"),
        warnings=n_warnings,
        submitted_by=run.submitted_by.username,
        submitted_at=run.submitted_at,
        file=run.file_name,
        sha256=run.sha256,
        out_at=run.out_at,
        out_reason=run.out_reason,
        description=run.description,
    )


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
