"""Stored files as local paths, so that their arrays can be memory-mapped."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.db.models.fields.files import FieldFile

from campaigns.models import Run
from trec.runs.run import RankedRun
from trec.runs.stored import open_columns


def open_runs(runs: Sequence[Run]) -> dict[str, RankedRun]:
    """Return the stored runs by tag, memory-mapped."""
    return {run.tag: open_columns(local_path(run.columns)) for run in runs}


def local_path(file: FieldFile) -> Path:
    """Return the path of the file on this machine, downloading it once if the storage is remote."""
    try:
        return Path(file.path)
    except NotImplementedError:
        return _downloaded(file)


def _downloaded(file: FieldFile) -> Path:
    path = Path(settings.VAR_DIR) / "cache" / str(file.name)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # Another process may download the same file: each writes its own, and the last to rename wins.
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as target, file.open("rb") as source:
            shutil.copyfileobj(source, target)
        Path(temporary).replace(path)
    return path
