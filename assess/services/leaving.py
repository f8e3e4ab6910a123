"""What becomes of an assessor's work when they are removed."""

from typing import Any

from django.template.defaultfilters import pluralize

from accounts.models import User
from assess.access import check_can_work_on
from assess.dealing import lock_assigning, pass_on
from assess.models import Assignment, Judgment
from assess.planning import takers_of
from assess.services.handing import leave, left_by
from campaigns.models import Membership, Role
from campaigns.ties import Tie
from pooling.models import Pool


def find_work(membership: Membership) -> list[Tie]:
    """Return the topics that an assessor has, and the judgments that they have given."""
    if membership.role != Role.ASSESSOR:
        return []
    ties = []
    held = list(_held(membership))
    if held:
        numbers = ", ".join(f"{each.topic} ({each.kind})" for each in held)
        n_open = sum(each.n_open for each in held)
        what = f"{len(held):,} topic{pluralize(held)} to judge, {n_open:,} document{pluralize(n_open)} open"
        takers = takers_of(membership.campaign, held)
        outcome = f"Topic{pluralize(held)} {numbers}."
        ties.append(Tie(what, outcome, has_heir=True, **takers._asdict()))
    given = Judgment.objects.current().filter(topic__campaign=membership.campaign)
    n = given.filter(assessor=membership.user).count()
    if n:
        outcome = f"They stay {membership.user}'s and go on counting, unless you set them aside on the topic's page."
        ties.append(Tie(f"{n:,} judgment{pluralize(n)}", outcome))
    return ties


def release_work(
    membership: Membership, by: User, heir: User | None
) -> dict[str, Any]:  # fmt: skip
    """Hand an assessor's topics over to the heir, or take them back. A judgment that is being saved is waited for."""
    campaign = membership.campaign
    if membership.role != Role.ASSESSOR or not Pool.objects.frozen_of(campaign):
        return {}
    # Also if there is nothing to release: whoever assigns a topic at this moment comes before or after.
    lock_assigning(campaign)
    held = list(_held(membership).select_for_update(of=("self",)))
    left = [left_by(each) for each in held]
    for assignment in held:
        if heir:
            check_can_work_on(heir, assignment.topic, assignment)
            pass_on(assignment, heir)
        else:
            leave(assignment)
    if not held:
        return {}
    return {"topics": [f"{each.topic} ({each.kind})" for each in held], "left": left}


def _held(membership: Membership) -> Any:
    rows = Assignment.objects.in_campaign(membership.campaign).live()
    return rows.filter(assessor=membership.user)
