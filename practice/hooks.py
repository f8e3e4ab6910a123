"""What this app registers below: its event, and what rests on texts, people and grades."""

from collections.abc import Collection, Iterator

from campaigns.access.campaign import register_graded
from campaigns.holdings import Holding, HoldingKind, Released, register_holdings
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import register_events
from collection.mentions import Mention, register_mentions
from collection.models.texts import Document, register_use
from practice.access import n_practice_grades
from practice.events import PracticeEvent
from practice.models import PracticeAnswer, PracticeDocument
from trec.words import counted


def _find(membership: Membership) -> Iterator[Holding]:
    if membership.role != Role.ASSESSOR:
        return
    practiced = PracticeAnswer.objects.filter(practice__campaign=membership.campaign)
    if n := practiced.filter(user=membership.user).count():
        outcome = (
            f"They stay on the practice page, where {membership.user} is marked as no longer "
            "an assessor. If they come back, they need not answer again."
        )
        yield Holding(counted(n, "practice answer"), outcome)


ANSWERS = HoldingKind(
    lambda membership: list(_find(membership)), lambda _: None, lambda _, __: Released()
)


def of_practice(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield the known practice grades of these documents."""
    rows = PracticeDocument.objects.filter(practice__campaign=campaign, docno__in=docnos)
    for row in rows:
        grade = f"grade {row.grade} (version {row.document_version})"
        yield Mention(row.docno, "", "practice", grade)


register_events(PracticeEvent)
register_holdings(ANSWERS)
register_graded(n_practice_grades)
register_mentions(Document, of_practice)
register_use(
    Document,
    ["delete", "remove"],
    "used for practice",
    lambda campaign: (
        PracticeDocument.objects.filter(practice__campaign=campaign).order_by().values("docno")
    ),
)
