"""The judgments kept with each version of the qrels that rests on them."""

import gzip
from collections.abc import Iterator

from django.db.models.fields.files import FieldFile

from accounts.models import User
from assess.services.judgment_files import note_download
from campaigns.acting import in_campaign
from qrels.access import check_has_judgments
from qrels.models import Qrels


def unpacked(file: FieldFile) -> Iterator[str]:
    """Yield the lines of kept judgments."""
    with file.open("rb") as packed, gzip.open(packed, "rt", encoding="utf-8", newline="") as lines:
        yield from lines


@in_campaign
def download_kept_judgments(*, user: User, qrels: Qrels) -> Iterator[str]:
    """Record the download, and return the judgments that a version rests on as lines of CSV."""
    note_download(user, qrels.campaign, f"the judgments of {qrels}")
    check_has_judgments(qrels)
    return unpacked(qrels.judgments)
