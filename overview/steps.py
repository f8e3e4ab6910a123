"""What a person should do next, in each of their roles."""

from dataclasses import dataclass
from functools import partial

from django.template.defaultfilters import pluralize

from accounts.access import can
from assess.access import why_not_now
from campaigns.access import check_takes_runs
from campaigns.models import Role
from evaluation.access import check_scores_shown
from overview.core.stages import Stage
from overview.facts import MemberFacts
from trec.words import counted


@dataclass(frozen=True)
class Step:
    """The next step in one role, and the page for it."""

    role: str
    sentence: str
    view: str
    is_urgent: bool = True
    act: str = "Open"


def next_steps(member: MemberFacts, stages: list[Stage]) -> list[Step]:
    """Return a step for each role of the person; only organizers need the stages."""
    steps = []
    if Role.ORGANIZER in member.roles:
        steps.append(_organizer(stages))
    if Role.ASSESSOR in member.roles:
        steps.append(_assessor(member))
    if Role.PARTICIPANT in member.roles:
        steps.append(_participant(member))
    return steps


def _organizer(stages: list[Stage]) -> Step:
    for stage in stages:
        if stage.is_next:
            # With no act of theirs they only watch.
            return Step(
                Role.ORGANIZER,
                stage.next_step,
                stage.view,
                bool(stage.act),
                stage.act or "Watch",
            )
    sentence = "The campaign is complete: see its leaderboard."
    return Step(
        Role.ORGANIZER,
        sentence,
        "evaluation:leaderboard",
        is_urgent=False,
        act="Leaderboard",
    )


def _assessor(member: MemberFacts) -> Step:
    view = "assess:judging"
    n_open = member.n_assigned - member.n_judged - member.n_cannot_judge
    if why := why_not_now(member.campaign, n_open):
        return Step(Role.ASSESSOR, why, view, is_urgent=False)
    if n_open:
        waiting = f"{counted(n_open, 'document')} {pluralize(n_open, 'is,are')} waiting for your judgment."
        return Step(Role.ASSESSOR, waiting, view, act="Judge")
    sentence = "No topic has been assigned to you yet."
    if member.n_assigned:
        sentence = "All your documents are judged. Thank you."
    return Step(Role.ASSESSOR, sentence, view, is_urgent=False)


def _participant(member: MemberFacts) -> Step:
    role, view = Role.PARTICIPANT, "campaigns:runs"
    # Scores that their own runs have no part in are none of this team's news.
    if member.n_scored and can(check_scores_shown, member.roles, member.campaign):
        n = member.n_scored
        out = f"The scores of your {counted(n, 'run')} are out."
        return Step(role, out if n > 1 else "The scores of your run are out.", "evaluation:leaderboard", act="Leaderboard")  # fmt: skip
    if member.n_invalid and not member.n_valid:
        n = member.n_invalid
        what = "Your run is" if n == 1 else f"All your {n:,} runs are"
        return Step(
            role, f"{what} invalid: read why, and upload again.", view, act="Read why"
        )
    count = counted(member.n_valid, "valid run")
    has = f"Your team has {count if member.n_valid else 'no valid run yet'}."
    check = partial(check_takes_runs, has_topics=member.has_topics, team=member.team)
    takes_runs = can(check, member.campaign)
    if takes_runs:
        return Step(role, f"Upload a run. {has}", view, act="Upload…")
    return Step(role, has, view, is_urgent=False)
