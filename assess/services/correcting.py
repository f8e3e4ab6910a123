"""Put a grade in place of the official one, with a reason, and take it back."""

from functools import partial

from django.db import transaction
from django.db.models import F

from accounts.access import Invalid, Refused, check_seen
from accounts.models import User
from assess.access.judging import Judging
from assess.core.rules import CORRECTION, DUPLICATE
from assess.events import AssessEvent
from assess.from_above import JUDGED
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from campaigns.acting import act
from campaigns.models.trail import AuditEvent
from cleverdon.trec.streams import storable
from cleverdon.trec.versions import version
from collection.models.items import Item
from collection.models.texts import Topic

NO_REASON = "Say why: the reason stays on record beside the grade."
MAX_REASON = 2000


@act(Judging.correct)
def correct(
    *, user: User, topic: Topic, docno: str, grade: int, reason: str, seen: str | None = None
) -> OfficialGrade:
    """Make this the official grade of a document, whatever its assessors say from now on.

    Their judgments stay as they are. `seen` is `version_of` the official grade that was shown.
    """
    item, now = _locked(topic, docno, seen)
    reason = storable(reason).strip()
    if not reason:
        raise Invalid("reason", NO_REASON)
    if len(reason) > MAX_REASON:
        raise Invalid("reason", f"A reason has at most {MAX_REASON:,} characters.")
    scale = topic.campaign.graded_by[item.kind].fixed
    if grade not in scale:
        grades = ", ".join(f"{value} {label}" for value, label in scale.items())
        raise Invalid("grade", f"{grade} is not a grade of this campaign's scale: {grades}.")
    if now.rule == DUPLICATE:
        raise Refused(
            f"{docno} has the grade of the document whose text it repeats: correct that one, or "
            "say in the pool that their texts are not alike."
        )
    if now.grade == grade and now.rule != CORRECTION:
        raise Refused(f"{docno} officially has grade {grade} already.")
    put = OfficialGrade.objects.put(item, grade=grade, rule=CORRECTION, by=user, why=reason)
    _decided(topic, item)
    was = "not judged" if now.grade is None else now.grade
    what = f"{docno} for topic {topic}: {grade}, {was} before"
    AuditEvent.record(topic.campaign, user, AssessEvent.GRADE_CORRECTED, what, reason=reason)
    return put


@act(Judging.correct)
def take_back_correction(*, user: User, topic: Topic, docno: str, seen: str | None = None) -> None:
    """Let the official grade be again what judgments make it."""
    item, now = _locked(topic, docno, seen)
    if now.rule != CORRECTION:
        raise Refused(f"{docno} for topic {topic} has no correction to take back.")
    OfficialGrade.objects.end(item)
    _decided(topic, item)
    what = f"{docno} for topic {topic}, which was {now.grade}"
    AuditEvent.record(topic.campaign, user, AssessEvent.CORRECTION_TAKEN_BACK, what)


def version_of(grade: OfficialGrade) -> str:
    return version(grade.pk)


def _locked(topic: Topic, docno: str, seen: str | None) -> tuple[Item, OfficialGrade]:
    """Return an item and its official grade, between the acts of those who judge the topic."""
    Assignment.objects.counting().filter(topic=topic).lock()
    found = OfficialGrade.objects.current().filter(item__topic=topic, item__key=docno)
    now = found.select_related("item").first()
    if now is None:
        raise Refused(f"{docno} has no official grade for topic {topic} that could be corrected.")
    check_seen(seen, version_of(now), f"The official grade of {docno}")
    return now.item, now


def _decided(topic: Topic, item: Item) -> None:
    campaign = topic.campaign
    OfficialGrade.objects.decide(campaign, [item.pk])
    judging = Assignment.objects.counting().filter(topic=topic)
    judging.update(n_changes=F("n_changes") + 1)  # which boards compare
    transaction.on_commit(partial(JUDGED, campaign.pk), robust=True)
