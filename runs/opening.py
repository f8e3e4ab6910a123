"""Stored runs, opened."""

from collections.abc import Sequence

from jobs.storage import local_path
from runs.models import Run
from trec.runs.run import RankedRun
from trec.runs.stored import open_columns


def open_runs(runs: Sequence[Run]) -> dict[str, RankedRun]:
    """Return the stored runs by tag, memory-mapped."""
    return {run.tag: open_columns(local_path(run.columns)) for run in runs}
