"""A version of the qrels is made: its official grades, and the judgments kept with it."""

import gzip
import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

import numpy as np
from django.core.files.base import ContentFile, File

from accounts.access import check, check_accepted, check_seen
from accounts.models import User
from assess.core.records import Basis, JudgmentRecord
from assess.models.records import records_of
from assess.models.sharing import SharedQueue
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.cells import in_blocks, records_csv
from cleverdon.trec.qrels import JudgedPairs, write_qrels
from cleverdon.trec.versions import version
from pooling.models.pools import Pool
from pooling.models.populations import n_undrawn
from qrels.access import QrelsVersions, check_is_new, check_level
from qrels.bases import basis_of
from qrels.core import QrelsFacts, loss
from qrels.events import QrelsEvent
from qrels.from_above import Estimate, VersionBasis
from qrels.models import Qrels
from qrels.rows import OFFICIAL

# A larger file is written to disk.
IN_MEMORY = 1 << 22


class KeptJudgments(NamedTuple):
    """All judgments in a gzip file, the hash of its content, and the grades made of them.

    `grades` are topic, docno and grade, in byte order; `counts` are columns of the version.
    """

    file: IO[bytes]
    sha256: str
    grades: list[tuple[str, str, int]]
    counts: dict[str, int]
    estimated: Mapping[str, Any] | None


@contextmanager
def kept(campaign: Campaign, basis: VersionBasis) -> Iterator[KeptJudgments]:
    """Write all judgments to a file, and make grades of them as they are in it."""
    judged = Basis(keeps_given=basis.key != OFFICIAL)
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        sha256 = _pack(records_csv(JudgmentRecord, records_of(campaign, judged)), file)
        made = basis.grades(campaign, judged)
        yield KeptJudgments(file, sha256, _sorted(made), _counts(made, judged), made.found)


def _sorted(made: Estimate) -> list[tuple[str, str, int]]:
    its = made.grades
    return [
        (topic, docno, its[topic][docno]) for topic in sorted(its) for docno in sorted(its[topic])
    ]


def _counts(made: Estimate, judged: Basis) -> dict[str, int]:
    """Return how many grades nobody gave here, and how many documents could not be judged."""
    its: Mapping[str, Mapping[str, int]] = made.grades
    n_carried = sum(docno in its.get(topic, ()) for topic, docno in judged.carried)
    impossible = sum(docno not in its.get(topic, ()) for topic, docno in judged.impossible)
    return {**made.counts, "n_carried": n_carried, "n_cannot_judge": impossible}


def _pack(lines: Iterable[str], file: IO[bytes]) -> str:
    """Write lines as gzip without name or time, and return their SHA-256."""
    digest = hashlib.sha256()
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        for block in in_blocks(lines):
            content = block.encode()
            digest.update(content)
            packed.write(content)
    return digest.hexdigest()


def build(
    user: User,
    campaign: Campaign,
    *,
    level: int | None,
    seen: str | None,
    accepts: str | None,
    grades: str = OFFICIAL,
) -> Qrels:
    """Make the next version of these grades, as they are with the judgments kept beside.

    As `publish_qrels` says. The campaign is locked until the transaction ends.
    """
    basis = basis_of(campaign, grades)
    number = next_number(campaign, seen)
    # From here on the judgments cannot be thrown away.
    check(QrelsVersions.publish, user, campaign)
    level = campaign.level if level is None else level
    check_level(level, max(grade.value for grade in campaign.scale.grades))
    with kept(campaign, basis) as judgments:
        content = b"".join(write_qrels(judgments.grades))
        sha256 = hashlib.sha256(content).hexdigest()
        check_is_new(campaign, grades, sha256=sha256, level=level, **judgments.counts)
        check_accepted(_loss(campaign, judgments, grades), accepts)
        qrels = Qrels.objects.create(
            campaign=campaign,
            number=number,
            round=campaign.round,
            level=level,
            file=ContentFile(content, name="qrels.txt"),
            basis=grades,
            rule=_rule(campaign) if grades == OFFICIAL else "",
            basis_words=basis.words,
            estimated=judgments.estimated,
            sha256=sha256,
            published_by=user,
            **judgments.counts,
            **_facts(judgments, campaign, level),
        )
    hashes = {"sha256": sha256, "judgments_sha256": judgments.sha256}
    of_basis = {"grades": grades} if qrels.is_other else {}
    facts = {"level": level, **of_basis, **hashes}
    AuditEvent.record(campaign, user, QrelsEvent.PUBLISHED, qrels, **facts)
    return qrels


def _rule(campaign: Campaign) -> str:
    is_shared = SharedQueue.objects.filter(topic__campaign=campaign).exists()
    return campaign.shared_rule if is_shared else Qrels.GradeRule.PRIMARY


def _loss(campaign: Campaign, judgments: KeptJudgments, basis: str) -> str:
    """Say which grades of the last version of its kind would be gone; "" for none."""
    before = Qrels.objects.standing_before(campaign, basis=basis).first()
    if before is None:
        return ""
    now = JudgedPairs.from_rows(judgments.grades)
    return loss(before.pairs(), now, f"v{before.number}")


def _facts(judgments: KeptJudgments, campaign: Campaign, level: int) -> dict[str, Any]:
    """Return the pool and the judgments that a version is from, and how many of each grade."""
    pool = Pool.objects.get(campaign=campaign)
    grades = np.array([grade for *_, grade in judgments.grades], dtype=np.int64)
    facts = QrelsFacts.of(len({topic for topic, *_ in judgments.grades}), grades)
    return {
        "pool": pool,
        "pool_version": pool.version,
        "judgments": File(judgments.file, name="judgments.csv.gz"),
        "judgments_sha256": judgments.sha256,
        "n_undrawn": n_undrawn(pool.batches.all()),
        "n_unjudged": pool.n_entries - (len(judgments.grades) - judgments.counts["n_carried"]),
        "n_relevant": facts.n_from(level),
        **facts.to_json(),
    }


def next_number(campaign: Campaign, seen: str | None) -> int:
    """Return the number of the next version, which is nobody else's until the transaction ends.

    Its round is that of the campaign, which is read anew.
    """
    # The lock gives two organizers who publish at once different numbers.
    campaign.round = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk).round
    last = Qrels.objects.last_number(campaign)
    check_seen(seen, version(last), f"The list of versions, now {last},")
    return last + 1
