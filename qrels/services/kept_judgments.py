"""The judgments kept with each version of the qrels that rests on them."""

import gzip
from collections.abc import Iterator

from django.db.models.fields.files import FieldFile

from accounts.models import User
from assess.services.judgment_files import note_download
from campaigns.acting import act
from qrels.access import QrelsVersions
from qrels.models import Qrels


def unpacked(file: FieldFile) -> Iterator[str]:
    """Yield the lines of kept judgments."""
    with file.open("rb") as packed, gzip.open(packed, "rt", encoding="utf-8", newline="") as lines:
        yield from lines


@act(QrelsVersions.see_judgments)
def download_kept_judgments(*, user: User, qrels: Qrels) -> Iterator[str]:
    """Record the download, and return the judgments that a version rests on as lines of CSV."""
    note_download(user, qrels.campaign, f"the judgments of {qrels}")
    return unpacked(qrels.judgments)
