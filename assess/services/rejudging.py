"""Reopen all judgments of an earlier text or statement."""

from collections.abc import Iterable

from accounts.access import Refused, check_seen
from accounts.models import User
from assess import leases
from assess.access.judging import check_takes_judgments
from assess.core.purposes import COUNTING
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.services.handover import locked_together
from assess.services.reopening import reopen_those
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from trec.versions import version
from trec.words import counted

NONE = "Nothing is judged on an earlier text any more."


def version_of(judgments: Iterable[Judgment]) -> str:
    return version(sorted((each.pk, each.change) for each in judgments))


@in_campaign
def reopen_earlier(*, user: User, campaign: Campaign, seen: str | None = None) -> int:
    """Reopen all judgments of an earlier text or statement. Return their number.

    Refused once judging is closed: nobody could judge again. `seen` is `version_of` those
    that the page showed. A judgment under way is waited for.
    """
    found = Judgment.with_controls.on_earlier().filter(topic__campaign=campaign)
    concerned = Assignment.objects.filter(pk__in=found.order_by().values("assignment"))
    locked = locked_together(user, campaign, concerned)
    check_takes_judgments(campaign)
    waited = found.filter(assignment__in=locked).order_by("pk")
    rows = list(waited.select_for_update(of=("self",), no_key=True))
    own = [each for each in rows if each.purpose in COUNTING]
    if not own:
        raise Refused(NONE)
    check_seen(seen, version_of(own), f"The list, now of {counted(len(own), 'judgment')},")
    for pk, assignment in locked.items():
        if its := [each for each in rows if each.assignment_id == pk]:
            reopen_those(assignment, its, user)
            if assignment.is_shared:
                leases.settle(assignment)
    documents = sorted({f"{each.topic.number} {each.docno}" for each in own})
    detail = {"documents": documents, "assignments": [*locked]}
    n = counted(len(own), "judgment")
    AuditEvent.record(campaign, user, AssessEvent.EARLIER_REOPENED, n, **detail)
    return len(own)
