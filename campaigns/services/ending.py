"""Archive a campaign and take it back; delete one that was never judged."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.apps import apps
from django.core.files.storage import Storage
from django.db import transaction
from django.db.models import CASCADE, FileField, ForeignKey, Model, QuerySet
from django.utils import timezone
from django.utils.text import get_text_list

from accounts.access import NotThere, check, check_seen
from accounts.append_only import erasing
from accounts.models import User
from campaigns.access.campaign import Campaigns
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.from_above import DELETED
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted

Paths = dict[type[Model], str]


@in_campaign
def archive_campaign(*, user: User, campaign: Campaign) -> None:
    """Make a campaign read-only, until it is restored."""
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check(Campaigns.archive, user, locked)
    locked.archived_at = timezone.now()
    locked.save(update_fields=["archived_at"])
    AuditEvent.record(locked, user, CampaignEvent.ARCHIVED, locked)


@in_campaign
def restore_campaign(*, user: User, campaign: Campaign) -> None:
    """Let an archived campaign be changed again."""
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check(Campaigns.restore, user, locked)
    locked.archived_at = None
    locked.save(update_fields=["archived_at"])
    AuditEvent.record(locked, user, CampaignEvent.RESTORED, locked)


def describe_contents(campaign: Campaign) -> str:
    """Return what goes with a campaign: "2 topics, 30 documents, 1 run and 4 members"."""
    counts = [
        counted(campaign.topic_set.count(), "topic"),
        counted(campaign.document_set.count(), "document"),
        counted(campaign.run_set.count(), "run"),
        counted(campaign.membership_set.count(), "member"),
    ]
    return get_text_list(counts, "and")


@transaction.atomic
def delete_campaign(*, user: User, campaign: Campaign, seen: str | None = None) -> None:
    """Delete a campaign without judgments for good; that it was deleted stays on record.

    `seen` is the version of what `describe_contents` says: nothing else goes unseen.
    """
    # Waits until nobody acts in the campaign: every act has it stay.
    locked = Campaign.objects.select_for_update().filter(pk=campaign.pk).first()
    if locked is None:
        raise NotThere
    check(Campaigns.delete, user, locked)
    now = describe_contents(locked)
    check_seen(seen, version(now), f"The campaign, now with {now},")
    DELETED(locked)
    erase(Campaign.objects.filter(pk=locked.pk))
    AuditEvent.record(None, user, CampaignEvent.DELETED, campaign)


@transaction.atomic
def erase(roots: QuerySet[Any]) -> None:
    """Delete rows with all rows and files that depend on them, even where PROTECT would refuse."""
    with erasing():
        for model, path in paths(roots.model).items():
            rows = model._base_manager.filter(**{f"{path}__in": roots})
            for storage, name in _files(rows):
                transaction.on_commit(partial(storage.delete, name))
            # Not `delete`: it refuses rows that others refer to, though these go too.
            rows._raw_delete(rows.db)  # noqa: SLF001


def paths(root: type[Model] = Campaign) -> Paths:
    """Return the lookup from each table to its row of `root`; those that refer to others first.

    A link that may be empty is followed only if it cascades.
    """
    found: Paths = {root: "pk"}
    models = apps.get_models(include_auto_created=True)
    for is_followed in (_is_firm, _is_owned):
        more: Paths = found
        while more:
            more = {}
            for model in models:
                for link in () if model in found else filter(is_followed, _links(model)):
                    if link.related_model in found:
                        rest = found[link.related_model]
                        more[model] = link.name if rest == "pk" else f"{link.name}__{rest}"
            found |= more
    return dict(sorted(found.items(), key=lambda item: _depth(item[1]), reverse=True))


def _depth(path: str) -> int:
    return 0 if path == "pk" else 1 + path.count("__")


def _links(model: type[Model]) -> Iterator[ForeignKey[Any, Any]]:
    fields = model._meta.concrete_fields
    return (field for field in fields if isinstance(field, ForeignKey))


def _is_firm(link: ForeignKey[Any, Any]) -> bool:
    return not link.null


def _is_owned(link: ForeignKey[Any, Any]) -> bool:
    return link.remote_field.on_delete is CASCADE


def _files(rows: QuerySet[Any]) -> Iterator[tuple[Storage, str]]:
    for field in rows.model._meta.concrete_fields:
        if isinstance(field, FileField):
            names = rows.exclude(**{field.name: ""}).values_list(field.name, flat=True)
            for name in names.distinct():
                yield field.storage, name
