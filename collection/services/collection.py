"""Delete topics and documents, and say what the documents are."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from accounts.access import Refused, Verb, check, check_seen
from accounts.models import User
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.topics import HIDDEN, PUBLIC
from cleverdon.trec.versions import version
from collection import tasks
from collection.access import Documents, Topics
from collection.bulk.writing import in_turn
from collection.events import CollectionEvent
from collection.from_above import TEXTS_CHANGED
from collection.models.items import Item
from collection.models.texts import Document, Topic, seen_of
from collection.uses import check_can_split
from jobs import work
from jobs.models import Job


@in_campaign
def delete_topics(*, user: User, campaign: Campaign, seen: str | None = None) -> int:
    """Delete all topics for good.

    `seen` is the version of the list.
    """
    in_turn(campaign)
    check(Topics.delete_all, user, campaign)
    topics = Topic.objects.filter(campaign=campaign)
    n = _number(topics, seen, "topic")
    Item.objects.forget(topics)
    topics.delete()
    TEXTS_CHANGED(campaign, user)
    AuditEvent.record(campaign, user, CollectionEvent.TOPICS_DELETED, f"all {n:,}")
    return n


@in_campaign
def delete_topic(*, user: User, topic: Topic, seen: str | None = None) -> None:
    """Delete a topic and its earlier versions for good.

    `seen` is of its version.
    """
    _delete_one(user, topic, seen, Topics.delete, CollectionEvent.TOPICS_DELETED)


@act(Topics.hide)
def hide_topics(
    *, user: User, campaign: Campaign, numbers: Collection[str], seen: str | None = None
) -> None:
    """Have just these topics hidden.

    `seen` is the version of the numbers of those that were.
    """
    every = Topic.objects.filter(campaign=campaign)
    locked = every.order_by("pk").select_for_update(no_key=True)
    was = {each.number: each.split for each in locked.only("number", "split")}
    # Scoring and freezing lock it too: they see either the earlier split or this one.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    before, after = every.numbers_in(HIDDEN), sorted(set(numbers), key=natural_key)
    check_seen(seen, version(before), "The list of hidden topics")
    if unknown := [number for number in after if number not in was]:
        raise Refused(f"There is no topic {unknown[0]}.")
    changed = {*before} ^ {*after}
    check_can_split(campaign, changed)
    if changed:
        every.update(split=PUBLIC)
        every.filter(number__in=after).update(split=HIDDEN)
        subject = " ".join(after) or "none"
        change = {"before": before, "after": after}
        AuditEvent.record(campaign, user, CollectionEvent.TOPICS_SPLIT, subject, **change)


@act(Documents.delete_all)
def delete_documents(*, user: User, campaign: Campaign, seen: str | None = None) -> Job:
    """Have a worker delete all documents for good.

    `seen` is as in `delete_topics`.
    """
    documents = Document.objects.filter(campaign=campaign)
    n = _number(documents, seen, "document")
    AuditEvent.record(campaign, user, CollectionEvent.DOCUMENTS_DELETED, f"all {n:,}")
    kind = tasks.delete_documents
    return work.request(campaign=campaign, kind=kind, subject_id=campaign.pk, user=user)


@in_campaign
def delete_document(*, user: User, document: Document, seen: str | None = None) -> None:
    """Delete a document and its earlier versions for good: the collection is no longer whole."""
    _delete_one(user, document, seen, Documents.delete, CollectionEvent.DOCUMENTS_DELETED)
    Campaign.objects.filter(pk=document.campaign_id).update(has_whole_collection=False)


def _delete_one(
    user: User, row: Topic | Document, seen: str | None, verb: Verb[Any], event: CollectionEvent
) -> None:
    model, campaign = type(row), row.campaign
    in_turn(campaign)
    rows = model.objects.filter(pk=row.pk).only(model.name_field, "version")
    locked = rows.select_for_update(of=["self"]).first()
    noun = f"{model.__name__} {row}"
    if locked is None:
        raise Refused(f"{noun} is no longer there: it has been deleted.")
    check(verb, user, row)
    check_seen(seen, version(locked.pk, locked.version), noun)
    AuditEvent.record(campaign, user, event, row)
    row.delete()
    TEXTS_CHANGED(campaign, user)


@act(Documents.declare_whole)
def declare_collection(*, user: User, campaign: Campaign, is_whole: bool) -> None:
    """Say whether the documents are the whole collection, so that other docnos are unknown."""
    if is_whole and not Document.objects.filter(campaign=campaign).exists():
        raise Refused("There are no documents yet.")
    Campaign.objects.filter(pk=campaign.pk).update(has_whole_collection=is_whole)
    TEXTS_CHANGED(campaign, user)
    words = "the whole collection" if is_whole else "a part of the collection"
    AuditEvent.record(campaign, user, CollectionEvent.COLLECTION_DECLARED, words)


def _number(rows: QuerySet[Any], seen: str | None, noun: str) -> int:
    n = rows.count()
    check_seen(seen, seen_of(rows), f"The list of {noun}s, now {n:,},")
    if not n:
        raise Refused(f"There are no {noun}s.")
    return n
