"""Set up practice, and serve it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils import timezone

from accounts.access import check
from accounts.models import User
from assess import leases
from assess.assignments import Placed, serve_more
from assess.core.purposes import PRACTICE
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from collection.models.items import Item
from collection.models.texts import Document
from practice.access import PracticeTopic, check_practice, check_practice_known, practised
from practice.core import Known
from practice.events import PracticeEvent
from practice.models import Practice

# What organizers change of practice, in the order of the form, and as the audit trail names it.
FIELDS = {
    "title": "title",
    "description": "description",
    "narrative": "narrative",
    "known": "known answers",
    "is_on": "on or off",
    "may_skip": "whether it may be skipped",
}


STATEMENT = frozenset({"title", "description", "narrative"})


@act(PracticeTopic.change)
def change_practice(*, user: User, campaign: Campaign, changes: Mapping[str, Any]) -> Practice:
    """Change `FIELDS` of the practice topic and record it; `known` is a list of `Known`.

    Answers stay, with the grade known at that time.
    """
    # A second organizer waits, and so does a change of the scale.
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    practice = Practice.objects.of(locked)
    was = stored(practice)
    changed = [name for name in FIELDS if changes.get(name, was[name]) != was[name]]
    if not changed:
        return practice
    now = {**was, **changes}
    check_practice(now["title"], now["known"], is_on=now["is_on"])
    _write(practice, changed, now)
    if "known" in changed:
        _write_known(practice, now["known"])
    AuditEvent.record(
        locked,
        user,
        PracticeEvent.CHANGED,
        ", ".join(FIELDS[name] for name in changed),
        before={name: was[name] for name in changed},
        after={name: now[name] for name in changed},
    )
    return practice


def stored(practice: Practice) -> dict[str, Any]:
    """Return `FIELDS` as they are now."""
    topic = practice.topic
    return {
        **{name: getattr(topic, name) for name in STATEMENT},
        "known": practice.known,
        "is_on": practice.is_on,
        "may_skip": practice.may_skip,
    }


def _write(practice: Practice, changed: Collection[str], now: Mapping[str, Any]) -> None:
    topic = practice.topic
    for name in STATEMENT:
        setattr(topic, name, now[name])
    practice.is_on, practice.may_skip = now["is_on"], now["may_skip"]
    if topic.pk and not STATEMENT.isdisjoint(changed):
        topic.version += 1  # an open page shows another statement
    topic.save()
    practice.topic = topic
    practice.save()


def _write_known(practice: Practice, known: Sequence[Known]) -> None:
    """Replace the known grades; an unchanged one keeps the versions of the text it is about."""
    before = {Known(each.docno, each.grade, each.explanation): each for each in practice.documents}
    new = {line: each for line, each in enumerate(known, 1) if each not in before}
    check_practice_known(practice.campaign, new)
    # Not locked, as a deletion locks the campaign after the document: a deleted one is left out.
    names = [each.docno for each in known]
    texts = Document.objects.filter(campaign=practice.campaign, docno__in=names)
    versions = dict(texts.values_list("docno", "version"))
    practice.documents.delete()
    topic = practice.topic_id
    items = Item.objects.of_documents(practice.campaign, ((topic, name) for name in names))
    KnownGrade.objects.bulk_create(
        KnownGrade(
            item_id=items[topic, each.docno],
            grade=each.grade,
            explanation=each.explanation,
            position=position,
            document_versions=before[each].document_versions
            if each in before
            else [versions.get(each.docno, 1)],
        )
        for position, each in enumerate(known)
    )


@in_campaign
def serve_practice(*, user: User, campaign: Campaign) -> Assignment:
    """Return somebody's practice, made if it is their first, in line with the known grades.

    What is new comes behind what was served. What nobody can practice on any more is withdrawn,
    unless it is answered, and comes back with its known grade.
    """
    practice = _as_now(campaign)
    check(PracticeTopic.answer, user, practice)
    defaults = {"topic": practice.topic, "kind": PRACTICE, "seed": 0, "created_by": user}
    made, _ = practice.assignments.get_or_create(assessor=user, defaults=defaults)
    assignment = Assignment.objects.practice().select_for_update(no_key=True).get(pk=made.pk)
    items = [each.item_id for each in practised(practice)]
    served = assignment.entries.all()
    served.filter(item__in=items).update(given_up_at=None)
    gone = served.still_open().exclude(item__in=items)
    leases.give_up(assignment, list(gone), timezone.now())
    assignment.save(update_fields=["n_later"])
    had = set(served.values_list("item", flat=True))
    serve_more(assignment, [Placed(item, PRACTICE) for item in items if item not in had])
    return assignment


def _as_now(campaign: Campaign) -> Practice:
    """Return practice with its campaign read anew, as it may be archived by now."""
    return Practice.objects.of(Campaign.objects.get(pk=campaign.pk))
