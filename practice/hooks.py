"""What this app tells the floors below it."""

from collections.abc import Collection, Iterator

from assess.from_above import ANSWER_PRACTICE, READ_PRACTICE
from assess.models.controls import KnownGrade, KnownGradeQuerySet
from campaigns.from_above import HOLDINGS, N_GRADED, Holding
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import EVENTS
from collection.from_above import DOCUMENT_MENTIONS, USES, Mention, Use
from collection.models.texts import Document
from practice.access import check_can_answer, check_can_read, n_practice_grades
from practice.events import PracticeEvent
from practice.models import Practice, answers_of
from trec.words import counted


def _answers(membership: Membership) -> Iterator[Holding]:
    if membership.role != Role.ASSESSOR:
        return
    practice = Practice.objects.of(membership.campaign)
    if answers := answers_of(practice, [membership.user_id]):
        outcome = (
            f"They stay on the practice page, where {membership.user} is marked as no longer an "
            "assessor. If they come back, they need not answer again."
        )
        n = sum(map(len, answers.values()))
        yield Holding(counted(n, "practice answer"), outcome)


def _documents(campaign: Campaign) -> KnownGradeQuerySet:
    return KnownGrade.every.of(campaign).of_practice()


def _mentions(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield the grades that practice has for these documents."""
    for known in _documents(campaign).filter(item__key__in=docnos):
        text = f"grade {known.grade} (version {known.document_versions[-1]})"
        yield Mention(known.docno, "", "practice", text)


EVENTS.append(PracticeEvent)
HOLDINGS.register(_answers)
N_GRADED.register(n_practice_grades)
DOCUMENT_MENTIONS.register(_mentions)
USES.append(Use(Document, "delete remove", "used for practice", _documents, "item__docno"))
READ_PRACTICE.register(check_can_read)
ANSWER_PRACTICE.register(check_can_answer)
