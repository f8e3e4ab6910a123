"""What this app tells the floors below it."""

import qrels.tasks  # noqa: F401 - registers the kinds of job
from campaigns.from_above import TABS, WHY_KEEP, Tab
from campaigns.models.campaign import Campaign
from campaigns.models.trail import EVENTS
from pooling.from_above import CHECK_TAKING_BACK, EXISTING, Existing
from pooling.models.batches import Batch
from programs.from_above import WHY_KEEP as WHY_KEEP_PROGRAM
from programs.models import Program
from qrels.access import QrelsVersions, check_nothing_published_since, reason_to_keep
from qrels.events import QrelsEvent
from qrels.from_above import WHY_NOT_WITHDRAW
from qrels.labels import basis_keys
from qrels.models import Qrels


def _existing(campaign: Campaign) -> list[Existing]:
    """Return the imported versions in use, the newest first."""
    imported = Qrels.objects.standing().filter(campaign=campaign).exclude(source="")
    return [Existing(f"{each}: {each.source}", each.sha256, each.grades) for each in imported]


def _why_kept_for_pool(qrels: Qrels) -> str:
    """Return why an imported version cannot be withdrawn: a frozen batch counts its judgments."""
    same = Qrels.objects.standing().filter(campaign=qrels.campaign, sha256=qrels.sha256)
    if not qrels.is_imported or same.exclude(source="").exclude(pk=qrels.pk).exists():
        return ""
    batch = Batch.objects.frozen_of(qrels.campaign).filter(existing_sha256=qrels.sha256).first()
    return f"Its judgments count in batch {batch.version} of the pool." if batch else ""


def _why_program_is_kept(program: Program) -> str:
    """Return why a program cannot be removed: a version has its labels."""
    versions = Qrels.objects.filter(campaign=program.campaign, basis__in=basis_keys(program))
    version = versions.first()
    return f"{version} has its labels, so the program stays." if version else ""


EVENTS.append(QrelsEvent)
CHECK_TAKING_BACK.register(check_nothing_published_since)
EXISTING.register(_existing)
WHY_KEEP.register(reason_to_keep)
WHY_KEEP_PROGRAM.register(_why_program_is_kept)
WHY_NOT_WITHDRAW.register(_why_kept_for_pool)
TABS.append(Tab(510, "qrels", "qrels:qrels", verb=QrelsVersions.see_list))
