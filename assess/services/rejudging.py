"""Have everything judged again whose text or statement was replaced since."""

from collections.abc import Iterable
from hashlib import sha256

from accounts.access import Refused
from accounts.models import User
from assess import lending
from assess.access import check_can_assign
from assess.dealing import lock_assigning
from assess.events import AssessEvent
from assess.models import Judgment
from assess.models.answering import lock_assignment
from assess.services.reopening import reopen_those
from campaigns.acting import in_campaign
from campaigns.models import AuditEvent, Campaign
from trec.words import counted

NONE = "Nothing is judged on an earlier text any more."
CHANGED = "What was judged on an earlier text has changed since this page was opened: look at the list again."


def stamp_of(judgments: Iterable[Judgment]) -> str:
    """Return what is the same only for the same judgments as they are."""
    said = sorted((each.pk, each.change) for each in judgments)
    return sha256(repr(said).encode()).hexdigest()


@in_campaign
def reopen_earlier(*, user: User, campaign: Campaign, seen: str | None = None) -> int:
    """Reopen all that was decided on an earlier text of its document or statement of its topic. Return the number of judgments.

    `seen` is the stamp of those that the page showed. A judgment that is being given is waited for: if it is about the new
    text, the list has changed.
    """
    check_can_assign(user, campaign)
    found = Judgment.with_controls.on_earlier(campaign)
    lock_assigning(campaign)
    concerned = sorted(set(found.values_list("assignment", flat=True)))
    locked = {pk: lock_assignment(pk) for pk in concerned}
    # Once all of them are locked: whoever judges holds an assignment and waits for its documents.
    lending.lock_all(locked.values())
    theirs = found.filter(assignment__in=locked)
    rows = list(theirs.select_for_update(of=("self",), no_key=True))
    own = [each for each in rows if not each.control]
    if not own:
        raise Refused(NONE)
    if seen not in {None, stamp_of(own)}:
        raise Refused(CHANGED)
    for pk, assignment in locked.items():
        if its := [each for each in rows if each.assignment_id == pk]:
            reopen_those(assignment, its, user)
            if assignment.is_shared:
                lending.settle(assignment)
    documents = sorted({f"{each.topic.number} {each.docno}" for each in own})
    AuditEvent.record(
        campaign, user, AssessEvent.EARLIER_REOPENED, counted(len(own), "judgment"),
        documents=documents, assignments=[*locked],
    )  # fmt: skip
    return len(own)
