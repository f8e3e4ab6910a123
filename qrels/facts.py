"""What pools are told of qrels: the imported judgments that may count in them."""

from campaigns.models.campaign import Campaign
from pooling.from_above import Existing
from pooling.models.batches import Batch
from qrels.models import Qrels


def existing(campaign: Campaign) -> list[Existing]:
    """Return the imported versions in use, the newest first."""
    imported = Qrels.objects.standing().filter(campaign=campaign).exclude(source="")
    return [Existing(f"{each}: {each.source}", each.sha256, each.grades) for each in imported]


def why_kept_for_pool(qrels: Qrels) -> str:
    """Return why an imported version cannot be withdrawn: a frozen batch counts its judgments."""
    same = Qrels.objects.standing().filter(campaign=qrels.campaign, sha256=qrels.sha256)
    if not qrels.is_imported or same.exclude(source="").exclude(pk=qrels.pk).exists():
        return ""
    batch = Batch.objects.frozen_of(qrels.campaign).filter(existing_sha256=qrels.sha256).first()
    return f"Its judgments count in batch {batch.version} of the pool." if batch else ""
