"""What an answer is checked against: two SQL queries, as they run at every keystroke."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import connection

from accounts.rows import Columns, split
from assess.models.assigning import Assignment, Unfrozen
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.presenting import PRESENTERS, Reading
from assess.models.serving import AssignmentEntry, tell_known
from assess.models.sharing import SharedDocument, SharedQueue
from campaigns.models.campaign import Campaign
from collection.models.items import Item
from collection.models.texts import Topic

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from accounts.models import User

ASSIGNMENT, TOPIC = Columns(Assignment, "assess_assignment"), Columns(Topic, "topic")
CAMPAIGN, QUEUE = Columns(Campaign, "campaign"), Columns(SharedQueue, "queue")
ENTRY, ITEM = Columns(AssignmentEntry, "entry"), Columns(Item, "item")
JUDGMENT = Columns(Judgment, "judgment")
SHARED = Columns(SharedDocument, "shared")

LOCKED = f"""
    SELECT {ASSIGNMENT.sql}, {TOPIC.sql}, {CAMPAIGN.sql}, {QUEUE.sql},
        ARRAY(
            SELECT role FROM campaigns_membership
            WHERE campaign_id = campaign.id AND user_id = %(person)s
        ),
        (
            SELECT coalesce(max(position) + 1, 0) FROM assess_assignmententry
            WHERE assignment_id = assess_assignment.id
        )
    FROM assess_assignment
    JOIN collection_topic topic ON topic.id = assess_assignment.topic_id
    JOIN campaigns_campaign campaign ON campaign.id = topic.campaign_id
    LEFT JOIN assess_sharedqueue queue ON queue.id = assess_assignment.queue_id
    WHERE assess_assignment.{{}} = %(key)s AND (%(slug)s = '' OR campaign.slug = %(slug)s)
    FOR KEY SHARE OF campaign FOR NO KEY UPDATE OF "assess_assignment"
"""  # noqa: S608 - names of columns

# The items first, as a list: a join is planned badly for a topic assigned since the last ANALYZE.
TO_ANSWER = f"""
    SELECT {ENTRY.sql}, {ITEM.sql}, {JUDGMENT.sql}, {SHARED.sql}, document.version, document.fault,
        CASE WHEN item.key = ANY(%(quoted)s) THEN document.text END,
        EXISTS (SELECT FROM pooling_poolentry WHERE same_as_id = item.id),
        EXISTS (SELECT FROM assess_judgmentevent WHERE client_id = ANY(%(client_ids)s)),
        (SELECT criteria FROM campaigns_campaign WHERE id = item.campaign_id)
    FROM assess_assignmententry entry
    JOIN collection_item item ON item.id = entry.item_id
    LEFT JOIN assess_judgment judgment ON judgment.id = entry.judgment_id
    LEFT JOIN collection_document document
        ON document.campaign_id = item.campaign_id AND document.docno = item.docno
    {{}} JOIN assess_shareddocument shared ON shared.id = entry.shared_id
    WHERE entry.assignment_id = %(assignment)s AND entry.item_id = ANY(ARRAY(
        SELECT id FROM collection_item WHERE topic_id = %(topic)s AND key = ANY(%(docnos)s)
    ))
"""  # noqa: S608 - names of columns
# Shared documents are locked in the order that everybody uses.
TO_ANSWER_SHARED = TO_ANSWER.format("") + " ORDER BY shared.id FOR NO KEY UPDATE OF shared"
TO_ANSWER_OWN = TO_ANSWER.format("LEFT")


def lock_assignment(key: int | UUID, person: User | None = None, slug: str = "") -> Assignment:
    """Return an assignment, locked until the transaction ends; Unfrozen if it is gone.

    A key that is a UUID is its public one. With `slug` only in this campaign; with a person their
    `roles` in it. It has `n_served`.
    Removing a member takes their topics back first, and waits for this lock.
    """
    values: dict[str, Any] = {"key": key, "person": person.pk if person else None, "slug": slug}
    with connection.cursor() as cursor:
        cursor.execute(LOCKED.format("id" if isinstance(key, int) else "public_id"), values)
        row = cursor.fetchone()
    if row is None:
        raise Unfrozen
    assignment, topic, campaign, queue, [roles, n_served] = split(
        row, ASSIGNMENT, TOPIC, CAMPAIGN, QUEUE
    )
    topic.campaign = campaign
    assignment.topic, assignment.queue, assignment.roles = topic, queue, roles
    assignment.n_served = n_served
    return assignment  # type: ignore[no-any-return]


def to_answer(
    assignment: Assignment,
    docnos: Collection[str],
    client_ids: Collection[UUID],
    quoted: Collection[str] = (),
) -> tuple[list[AssignmentEntry], list[JudgmentEvent]]:
    """Return the entries of these documents, and the events with these client ids.

    What the campaign asks is read again: it may have changed while the act waited for its lock.

    Each entry has its `reading`, a `quoted` one with the text, and one of a shared topic its
    `shared` document, locked until the transaction ends. The events are of any assignment: they
    are read by a query of their own where there are any.
    """
    values: dict[str, Any] = {
        "assignment": assignment.pk,
        "topic": assignment.topic_id,
        "docnos": list(docnos),
        "client_ids": list(client_ids),
        "quoted": list(quoted),
    }
    with connection.cursor() as cursor:
        cursor.execute(TO_ANSWER_SHARED if assignment.is_shared else TO_ANSWER_OWN, values)
        rows = cursor.fetchall()
    entries: list[AssignmentEntry] = []
    is_recorded, asked = False, None
    for row in rows:
        entry, item, judgment, shared, rest = split(row, ENTRY, ITEM, JUDGMENT, SHARED)
        version, fault, text, entry.has_duplicates, is_recorded, asked = rest
        entry.assignment, entry.item, entry.shared = assignment, item, shared
        entry.judgment = judgment
        if judgment:
            judgment.item = item
        document = None if version is None else Reading(version, fault, text)
        entry.reading = PRESENTERS[item.kind].reading(item, document)
        entries.append(entry)
    if asked:
        assignment.topic.campaign.criteria = json.loads(asked)
    if assignment.is_practice:
        tell_known(entries)
    return entries, list(JudgmentEvent.objects.recorded(client_ids)) if is_recorded else []
