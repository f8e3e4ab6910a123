"""What this app tells the floors below it."""

from collections.abc import Collection, Iterator

from assess.from_above import ANSWER_PRACTICE, READ_PRACTICE
from assess.models.controls import KnownGrade, KnownGradeQuerySet
from campaigns.from_above import N_GRADED
from campaigns.models.campaign import Campaign
from campaigns.models.trail import EVENTS
from collection.from_above import DOCUMENT_MENTIONS, USES, Mention, Use
from collection.models.texts import Document
from practice.access import PracticeTopic, n_practice_grades
from practice.events import PracticeEvent
from practice.models import Practice


def _documents(campaign: Campaign) -> KnownGradeQuerySet:
    return KnownGrade.objects.of(campaign).practice()


def _mentions(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield the grades that practice has for these documents."""
    for known in _documents(campaign).filter(item__key__in=docnos):
        text = f"grade {known.grade} (version {known.document_versions[-1]})"
        yield Mention(known.docno, "", "practice", text)


EVENTS.append(PracticeEvent)
N_GRADED.register(n_practice_grades)
DOCUMENT_MENTIONS.register(_mentions)
USES.append(Use(Document, "delete remove", "used for practice", _documents, "item__docno"))
READ_PRACTICE.register(lambda user, its: PracticeTopic.read(user, Practice.objects.of(its)))
ANSWER_PRACTICE.register(lambda user, its: PracticeTopic.answer(user, Practice.objects.of(its)))
