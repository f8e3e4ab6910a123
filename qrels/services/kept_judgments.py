"""The judgments kept with each version of the qrels that rests on them."""

import gzip
import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, NamedTuple

from django.db.models.fields.files import FieldFile

from accounts.models import User
from assess.core.records import Basis, JudgmentRecord
from assess.core.rules import CARRIED, QRELS_RULES, OfficialGrade, by_topic
from assess.models.records import carried_records, judgment_records
from assess.services.judgment_files import note_download
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from qrels.access import check_has_judgments
from qrels.models import Qrels
from trec.cells import in_blocks, records_csv

# A larger file is written to disk.
IN_MEMORY = 1 << 22


class KeptJudgments(NamedTuple):
    """All judgments in a gzip file, the hash of its content, and the grades by a rule."""

    file: IO[bytes]
    sha256: str
    official: list[OfficialGrade]
    n_carried: int
    n_impossible: int
    n_earlier: int


@contextmanager
def kept(campaign: Campaign, rule: str) -> Iterator[KeptJudgments]:
    """Write all judgments to a file, and decide the official grades from the rows written."""
    kinds, decide = QRELS_RULES[rule]
    basis = Basis(kinds)

    def records() -> Iterator[JudgmentRecord]:
        yield from judgment_records(campaign)
        given = by_topic(decide(basis.rows))
        yield from carried_records(campaign.pool, given)

    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        sha256 = _pack(records_csv(JudgmentRecord, basis.through(records())), file)
        official = decide(basis.rows)
        n_carried = sum(kind in CARRIED for _, _, kind, *_ in basis.rows)
        n_impossible, n_earlier = basis.n_impossible(official), basis.n_earlier(official)
        yield KeptJudgments(file, sha256, official, n_carried, n_impossible, n_earlier)


def _pack(lines: Iterable[str], file: IO[bytes]) -> str:
    """Write lines as gzip without name or time, and return their SHA-256."""
    digest = hashlib.sha256()
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        for block in in_blocks(lines):
            content = block.encode()
            digest.update(content)
            packed.write(content)
    return digest.hexdigest()


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
