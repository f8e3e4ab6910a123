"""What this app tells the floors below it."""

from collections.abc import Collection, Iterator

from django.db.models import QuerySet

from campaigns.from_above import HOLDINGS, N_GRADED, Holding
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import EVENTS
from collection.from_above import DOCUMENT_MENTIONS, USES, Mention, Use
from collection.models.texts import Document
from practice.access import n_practice_grades
from practice.events import PracticeEvent
from practice.models import PracticeAnswer, PracticeDocument
from trec.words import counted


def _answers(membership: Membership) -> Iterator[Holding]:
    if membership.role != Role.ASSESSOR:
        return
    answers = PracticeAnswer.objects.filter(practice__campaign=membership.campaign)
    if n := answers.filter(user=membership.user).count():
        outcome = (
            f"They stay on the practice page, where {membership.user} is marked as no longer an "
            "assessor. If they come back, they need not answer again."
        )
        yield Holding(counted(n, "practice answer"), outcome)


def _documents(campaign: Campaign) -> QuerySet[PracticeDocument]:
    return PracticeDocument.objects.filter(practice__campaign=campaign)


def _mentions(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield the grades that practice has for these documents."""
    for document in _documents(campaign).filter(docno__in=docnos):
        text = f"grade {document.grade} (version {document.document_version})"
        yield Mention(document.docno, "", "practice", text)


EVENTS.append(PracticeEvent)
HOLDINGS.register(_answers)
N_GRADED.register(n_practice_grades)
DOCUMENT_MENTIONS.register(_mentions)
USES.append(Use(Document, "delete remove", "used for practice", _documents, "docno"))
