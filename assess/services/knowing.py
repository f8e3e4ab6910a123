"""Import the grades that documents are known to have, and remove them; download them, and what was answered to controls."""

from collections.abc import Iterator, Sequence

from django.db import transaction

from accounts.access import Refused
from accounts.models import User
from assess.access import check_known, check_seen_known
from assess.core.known import KnownLine
from assess.events import AssessEvent
from assess.models import KnownGrade
from assess.models.compared import ControlRecord, control_records
from assess.services.keeping import note_download
from campaigns.access import check_can_organize
from campaigns.core.cells import records_csv
from campaigns.models import AuditEvent, Campaign, Topic
from campaigns.models.work import check_not_archived
from trec.words import counted


@transaction.atomic
def import_known(
    *,
    user: User,
    campaign: Campaign,
    lines: Sequence[KnownLine],
    replaces: bool = False,
    n_seen: int | None = None,
) -> int:
    """Take these known grades, in place of all that there are or beside them, where the same document gets the new one. Return their number.

    `n_seen` is how many known grades the page showed: it is refused if there are others now.
    """
    _lock(user, campaign, n_seen)
    check_known(campaign, lines)
    before = KnownGrade.objects.of(campaign)
    if replaces:
        before.delete()
    topics = dict(campaign.topic_set.values_list("number", "pk"))
    grades = [
        KnownGrade(topic_id=topics[each.topic], docno=each.docno, grade=each.grade)
        for each in lines
    ]
    KnownGrade.objects.bulk_create(
        grades, batch_size=5000, update_conflicts=True, unique_fields=["topic", "docno"], update_fields=["grade"],
    )  # fmt: skip
    how = ", in place of all before" if replaces else ""
    AuditEvent.record(campaign, user, AssessEvent.KNOWN_IMPORTED, f"{_grades(len(lines))}{how}")  # fmt: skip
    return len(lines)


@transaction.atomic
def remove_known(
    *,
    user: User,
    campaign: Campaign,
    topic: Topic | None = None,
    n_seen: int | None = None,
) -> int:
    """Remove the known grades of a topic, or all. What was answered to their documents stays; it is compared with nothing then."""
    _lock(user, campaign, n_seen)
    rows = KnownGrade.objects.of(campaign)
    n, _ = (rows.filter(topic=topic) if topic else rows).delete()
    if not n:
        raise Refused("There are no known grades to remove.")
    of = f" of topic {topic}" if topic else ""
    AuditEvent.record(campaign, user, AssessEvent.KNOWN_REMOVED, f"{_grades(n)}{of}")
    return n


@transaction.atomic
def download_known(*, user: User, campaign: Campaign) -> Iterator[str]:
    """Record who downloads the known grades, and return them as lines of qrels."""
    note_download(user, campaign, "the known grades")
    rows = KnownGrade.objects.of(campaign).order_by("topic__number", "docno")
    columns = rows.values_list("topic__number", "docno", "grade").iterator()
    return (f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in columns)


@transaction.atomic
def download_controls(*, user: User, campaign: Campaign) -> Iterator[str]:
    """Record who downloads what was answered to controls, and return it as lines of CSV, read while they are sent."""
    note_download(user, campaign, "the answers to controls")
    return records_csv(ControlRecord, control_records(campaign))


def _lock(user: User, campaign: Campaign, n_seen: int | None) -> None:
    """Let one organizer after the other change the known grades of a campaign."""
    check_can_organize(user, campaign)
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_not_archived(locked)
    check_seen_known(n_seen, KnownGrade.objects.of(campaign).count())


def _grades(n: int) -> str:
    return counted(n, "known grade")
