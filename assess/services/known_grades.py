"""Import, confirm, remove and download known grades."""

from collections.abc import Collection, Iterator, Sequence

from accounts.access import Refused, check_seen
from accounts.models import User
from assess.access.known_grades import KnownGrades, check_known, check_known_text
from assess.core.known_grades import KnownLine
from assess.events import AssessEvent
from assess.models.controls import KnownGrade
from assess.services.judgment_files import note_download
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.words import counted
from collection.models.items import Item
from collection.models.texts import Document, Topic


@act(KnownGrades.upload)
def import_known(
    *,
    user: User,
    campaign: Campaign,
    lines: Sequence[KnownLine],
    replaces: bool = False,
    seen: str | None = None,
) -> int:
    """Add known grades, or replace all by them. Tell how many.

    `seen` is the version of those that the page showed.
    """
    _lock(campaign, seen)
    check_known(campaign, lines)
    rows = KnownGrade.objects.controls_of(campaign)
    before = {each.item_id: each for each in rows}
    if replaces:
        rows.delete()
    topics = dict(campaign.topic_set.values_list("number", "pk"))
    places = [(topics[each.topic], each.docno) for each in lines]
    items = Item.objects.of_documents(campaign, places)
    versions = _versions(campaign, [each.docno for each in lines])
    grades = []
    for place, each in zip(places, lines, strict=True):
        item = items[place]
        grades.append(_about(before.get(item), item, each.grade, versions[each.docno]))
    KnownGrade.objects.bulk_create(
        grades,
        batch_size=5000,
        update_conflicts=True,
        unique_fields=["item"],
        update_fields=["grade", "document_versions"],
    )
    how = ", in place of all before" if replaces else ""
    AuditEvent.record(campaign, user, AssessEvent.KNOWN_IMPORTED, f"{_grades(len(lines))}{how}")
    return len(lines)


def _versions(campaign: Campaign, docnos: Collection[str]) -> dict[str, int]:
    texts = Document.objects.filter(campaign=campaign, docno__in=docnos)
    return dict(texts.values_list("docno", "version"))


def _about(before: KnownGrade | None, item: int, grade: int, version: int) -> KnownGrade:
    """Return a known grade of a text, and of the earlier texts with the same grade."""
    same = before.document_versions if before and before.grade == grade else []
    versions = [*(each for each in same if each != version), version]
    return KnownGrade(item_id=item, grade=grade, document_versions=versions)


@act(KnownGrades.confirm)
def confirm_known(
    *, user: User, campaign: Campaign, known: int, grade: int, seen: str | None = None
) -> KnownGrade:
    """Set the known grade of a document's present text; `seen` is of the text's version."""
    _lock(campaign, None)
    row = KnownGrade.objects.of(campaign).with_texts().filter(pk=known).first()
    row = check_known_text(row, campaign, seen, grade)
    if row.version in row.document_versions:
        return row
    now = _about(row, row.item_id, grade, row.version or 0)
    instead = "" if grade == row.grade else f" instead of {row.grade}"
    row.grade, row.document_versions = now.grade, now.document_versions
    row.save(update_fields=["grade", "document_versions"])
    what = f"{row.topic}, {row.docno}: {grade}{instead}"
    detail = {"docno": row.docno, "version": row.version}
    AuditEvent.record(campaign, user, AssessEvent.KNOWN_CONFIRMED, what, **detail)
    return row


@act(KnownGrades.remove)
def remove_known(
    *, user: User, campaign: Campaign, topic: Topic | None = None, seen: str | None = None
) -> int:
    """Remove the known grades of a topic, or all. Answers to their documents stay."""
    _lock(campaign, seen)
    rows = KnownGrade.objects.controls_of(campaign)
    n, _ = (rows.filter(item__topic=topic) if topic else rows).delete()
    if not n:
        raise Refused("There are no known grades to remove.")
    of = f" of topic {topic}" if topic else ""
    AuditEvent.record(campaign, user, AssessEvent.KNOWN_REMOVED, f"{_grades(n)}{of}")
    return n


@in_campaign
def download_known(*, user: User, campaign: Campaign) -> Iterator[str]:
    note_download(user, campaign, "the known grades")
    rows = KnownGrade.objects.controls_of(campaign).order_by("item__topic__number", "item__key")
    columns = rows.values_list("item__topic__number", "item__key", "grade").iterator()
    return (f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in columns)


def _lock(campaign: Campaign, seen: str | None) -> None:
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    rows = KnownGrade.objects.controls_of(campaign)
    check_seen(seen, rows.seen(), f"The list of known grades, {rows.count():,} now,")


def _grades(n: int) -> str:
    return counted(n, "known grade")
