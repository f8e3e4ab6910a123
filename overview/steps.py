"""What a person should do next, in each of their roles."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from accounts.access import why_not
from assess.access.judging import why_not_now
from campaigns.access.roles import may_still_judge
from campaigns.access.windows import deadline, shown
from campaigns.models.people import Role
from overview.core.needs import Need, is_complete
from overview.core.stages import Stage, against
from overview.facts import MemberFacts
from runs.access.runs import POOL_FROZEN, check_takes_runs
from trec.words import counted, verb


@dataclass(frozen=True)
class Step:
    """The next step in one role, and the page for it."""

    role: str
    sentence: str
    view: str
    is_urgent: bool = True
    act: str = "Open"


def next_steps(member: MemberFacts, stages: list[Stage], needs: Sequence[Need] = ()) -> list[Step]:
    """Return the steps of each role of the person; only organizers have the stages, and what else needs them."""
    steps = []
    if Role.ORGANIZER in member.roles:
        steps += _organizer(stages, needs)
    if Role.ASSESSOR in member.roles:
        steps.append(_assessor(member))
    if Role.PARTICIPANT in member.roles:
        steps += _participant(member)
    return steps


def _organizer(stages: list[Stage], needs: Sequence[Need]) -> list[Step]:
    """Return what is next, unless nothing waits, and what needs them besides."""
    role = Role.ORGANIZER
    if is_complete(stages, needs):
        said = "The campaign is complete: see its leaderboard."
        return [Step(role, said, "evaluation:leaderboard", is_urgent=False, act="Leaderboard")]
    # With no act of theirs they only watch.
    following = [
        Step(role, each.next_step, each.view, bool(each.act), each.act or "See progress")
        for each in stages
        if each.is_next
    ]
    return following + [
        Step(role, f"{each.title}.", each.view) for each in needs if not each.is_stage
    ]


def _assessor(member: MemberFacts) -> Step:
    view = "desk:judging"
    n_open = member.n_assigned - member.n_judged - member.n_cannot_judge
    if why := why_not_now(member.campaign, n_open):
        return Step(Role.ASSESSOR, why, view, is_urgent=False)
    if n_open:
        return Step(Role.ASSESSOR, _waiting(n_open, member.n_own_left), view, act="Judge")
    sentence = "No topic has been assigned to you yet."
    if member.n_assigned:
        sentence = "All your documents are judged. Thank you."
    if n := member.n_cannot_judge:
        sentence = f"Nothing is left to judge: {member.n_judged:,} of {counted(member.n_assigned, 'document')} judged, {n:,} cannot be judged. Thank you."
    return Step(Role.ASSESSOR, sentence, view, is_urgent=False)


def _waiting(n_open: int, n_own: int) -> str:
    """Say what somebody has left; what others may judge as well is theirs at most."""
    shared = f"up to {n_open - n_own:,}"
    if not n_own:
        return f"{shared.capitalize()} {'document' if n_open == 1 else 'documents'} of shared topics can be judged by you."
    own = f"{counted(n_own, 'document')} {verb(n_own, 'is')} waiting for your judgment"
    return f"{own}, and {shared} in shared topics." if n_open > n_own else f"{own}."


def _participant(member: MemberFacts) -> list[Step]:
    """Return what the team can hand in, with its deadline, and its scores: the first first as long as runs are taken."""
    check = partial(check_takes_runs, has_topics=member.has_topics, team=member.team)
    why = why_not(check, member.campaign)
    runs, scores = _runs(member, why), _scores(member)
    return [*scores, runs] if why else [runs, *scores]


def _runs(member: MemberFacts, why_closed: str) -> Step:
    role, view, campaign = Role.PARTICIPANT, "runs:runs", member.campaign
    n, n_invalid = member.n_valid, member.n_invalid
    has = f"Your team has {counted(n, 'valid run') if n else 'no valid run yet'}"
    has += f"; {n_invalid:,} did not pass the check." if n_invalid else "."
    if why_closed:
        why = "" if campaign.archived_at else f"{why_closed} "
        return Step(role, why + has.replace(" yet", ""), view, is_urgent=False)
    at = deadline(campaign, member.team)
    until = f"Submission is open until {shown(campaign, at)}." if at else "Upload a run."
    if member.is_pool_frozen:
        has += f" {POOL_FROZEN}"
    if n_invalid:
        return Step(role, f"{until} {has}", view, act="Read why")
    is_urgent = not n and not member.is_pool_frozen
    return Step(role, f"{until} {has}", view, is_urgent=is_urgent, act="Upload…")


def _scores(member: MemberFacts) -> list[Step]:
    # Scores that their own runs have no part in are none of this team's news.
    if not (n := member.n_scored) or may_still_judge(member.roles, member.campaign):
        return []
    runs = "run" if n == 1 else counted(n, "run")
    board = against(member.scored_qrels, member.scored_without)
    said = f"The scores of your {runs} are out, against {board}."
    return [
        Step(Role.PARTICIPANT, said, "evaluation:leaderboard", is_urgent=False, act="Leaderboard")
    ]
