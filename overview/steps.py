"""What a person does next, in each of their roles."""

from dataclasses import dataclass
from functools import partial

from django.template.defaultfilters import pluralize

from accounts.access import can
from campaigns.access import check_takes_runs
from campaigns.models import Role
from evaluation.access import check_scores_shown
from overview.core.stages import Stage
from overview.facts import Mine


@dataclass(frozen=True)
class Step:
    """The next thing to do in one role, and the page where it is done."""

    role: str
    sentence: str
    view: str
    is_urgent: bool = True


def next_steps(mine: Mine, stages: list[Stage]) -> list[Step]:
    """Return a step for each role of the person; only organizers need the stages."""
    steps = []
    if Role.ORGANIZER in mine.roles:
        steps.append(_organizer(stages))
    if Role.ASSESSOR in mine.roles:
        steps.append(_assessor(mine))
    if Role.PARTICIPANT in mine.roles:
        steps.append(_participant(mine))
    return steps


def _organizer(stages: list[Stage]) -> Step:
    for stage in stages:
        if stage.is_next:
            return Step(Role.ORGANIZER, stage.next_step, stage.view)
    sentence = "The campaign is complete: see its leaderboard."
    return Step(Role.ORGANIZER, sentence, "evaluation:leaderboard", is_urgent=False)


def _assessor(mine: Mine) -> Step:
    view = "assess:judging"
    n_open = mine.n_assigned - mine.n_judged - mine.n_cannot_judge
    if n_open:
        waiting = f"{n_open:,} document{pluralize(n_open, ' is,s are')} waiting for your judgment."
        return Step(Role.ASSESSOR, waiting, view)
    sentence = "No topic has been assigned to you yet."
    if mine.n_assigned:
        sentence = "All your documents are judged. Thank you."
    return Step(Role.ASSESSOR, sentence, view, is_urgent=False)


def _participant(mine: Mine) -> Step:
    role, view = Role.PARTICIPANT, "campaigns:runs"
    if mine.has_scores and can(check_scores_shown, mine.roles, mine.campaign):
        return Step(role, "The scores of your runs are out.", "evaluation:leaderboard")
    if mine.n_invalid and not mine.n_valid:
        return Step(role, "Your run is invalid: read why, and upload it again.", view)
    count = f"{mine.n_valid:,} valid run{pluralize(mine.n_valid)}"
    has = f"Your team has {count if mine.n_valid else 'no valid run yet'}."
    takes_runs = can(
        partial(check_takes_runs, has_topics=mine.has_topics), mine.campaign
    )
    return Step(role, f"Upload a run. {has}" if takes_runs else has, view, takes_runs)
