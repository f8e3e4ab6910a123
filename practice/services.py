"""Set up practice, answer it, and leave it out. None of it is a judgment."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F

from accounts.access import check_seen
from accounts.models import User
from assess.access.answers import Stale
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from collection.models.texts import Document
from practice.access import (
    check_can_answer_practice,
    check_can_skip_practice,
    check_practice,
    check_practice_answer,
    check_practice_known,
    check_practice_taken,
)
from practice.core import Known
from practice.events import PracticeEvent
from practice.models import PracticeAnswer, PracticeDocument, PracticeSkip, PracticeTopic
from trec.streams import storable
from trec.versions import version

# What organizers change of practice, in the order of the form, and as the audit trail names it.
FIELDS = {
    "title": "title",
    "description": "description",
    "narrative": "narrative",
    "known": "known answers",
    "is_on": "on or off",
    "may_skip": "whether it may be skipped",
}


@in_campaign
def change_practice(*, user: User, campaign: Campaign, changes: Mapping[str, Any]) -> PracticeTopic:
    """Change `FIELDS` of the practice topic and record it; `known` is a list of `Known`.

    Answers stay, with the grade known at that time.
    """
    check_can_organize(user, campaign)
    # A second organizer waits, and so does a change of the scale.
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    practice = PracticeTopic.objects.of(locked)
    was = {name: getattr(practice, name) for name in FIELDS}
    changed = [name for name in FIELDS if changes.get(name, was[name]) != was[name]]
    if not changed:
        return practice
    now = {**was, **changes}
    check_practice(now["title"], now["known"], is_on=now["is_on"])
    for name in changed:
        if name != "known":
            setattr(practice, name, now[name])
    practice.save()
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


def _write_known(practice: PracticeTopic, known: Sequence[Known]) -> None:
    """Replace the known answers; an unchanged one keeps the version of the text it is about."""
    before = {each.known: each.document_version for each in practice.documents.all()}
    new = {line: each for line, each in enumerate(known, 1) if each not in before}
    check_practice_known(practice.campaign, new)
    # Not locked, as a deletion locks the campaign after the document: a deleted one is left out.
    names = [each.docno for each in known]
    texts = Document.objects.filter(campaign=practice.campaign, docno__in=names)
    versions = dict(texts.values_list("docno", "version"))
    practice.documents.all().delete()
    PracticeDocument.objects.bulk_create(
        PracticeDocument(
            practice=practice,
            position=position,
            document_version=before.get(each) or versions.get(each.docno, 1),
            **each._asdict(),
        )
        for position, each in enumerate(known)
    )


@in_campaign
def confirm_practice(
    *, user: User, campaign: Campaign, docno: str, seen: str | None = None
) -> PracticeDocument:
    """Confirm that a known answer holds for the present text; `seen` is of the text's version."""
    check_can_organize(user, campaign)
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    rows = PracticeDocument.objects.filter(practice__campaign=locked, docno=storable(docno))
    document = rows.with_texts().first()
    if document is None:
        raise Stale(f"{storable(docno)} is no longer a practice document.")
    check_seen(seen, version(document.version), f"The text of {document}")
    if document.version and document.is_replaced:
        document.document_version = document.version
        document.save(update_fields=["document_version"])
        AuditEvent.record(
            locked,
            user,
            PracticeEvent.CHANGED,
            f"{document} still has grade {document.grade}",
            docno=document.docno,
            version=document.version,
        )
    return document


@in_campaign
def answer_practice(
    *,
    user: User,
    campaign: Campaign,
    docno: str,
    grade: int | None,
    n_seen: int = 0,
    scale: str = "",
) -> PracticeAnswer:
    """Record an answer, grade None for "cannot judge", and return it; the first answer stays.

    `n_seen` is how many answers the page had shown: the same one sent twice changes nothing, a
    different one from an older page is refused. So is one for another scale, by its version.
    """
    practice = _as_now(campaign)
    campaign = practice.campaign
    check_can_answer_practice(user, practice)
    if scale not in {"", campaign.scale.version}:
        raise Stale("The scale of grades was changed after this page was loaded: answer once more.")
    rows = PracticeDocument.objects.filter(practice=practice, docno=storable(docno))
    document = check_practice_answer(rows.with_texts().first(), docno, grade, campaign.scale)
    answer, is_first = PracticeAnswer.objects.get_or_create(
        practice=practice,
        user=user,
        docno=document.docno,
        defaults={"grade": grade, "known": document.grade},
    )
    if is_first:
        return answer
    if n_seen:
        _try_again(answer, grade, n_seen)
    check_practice_taken(answer, grade, n_seen)
    return answer


def _as_now(campaign: Campaign) -> PracticeTopic:
    """Return the practice topic with its campaign read anew, as it may be archived by now."""
    return PracticeTopic.objects.of(Campaign.objects.get(pk=campaign.pk))


def _try_again(answer: PracticeAnswer, grade: int | None, n_seen: int) -> None:
    """Record a later answer; of two from the same page only the first counts as a try."""
    rows = PracticeAnswer.objects.filter(pk=answer.pk, n_tries=n_seen)
    rows.update(n_tries=F("n_tries") + 1, last_grade=grade)
    answer.refresh_from_db()


@in_campaign
def skip_practice(*, user: User, campaign: Campaign) -> None:
    """Record that somebody goes to their first topic without finishing practice."""
    practice = _as_now(campaign)
    check_can_skip_practice(user, practice)
    PracticeSkip.objects.get_or_create(practice=practice, user=user)
