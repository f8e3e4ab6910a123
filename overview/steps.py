"""What a member should do next, in each role."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from accounts.access import why_not
from assess.access.judging import why_not_now
from campaigns.access.roles import may_still_judge
from campaigns.access.windows import deadline, shown
from campaigns.models.people import Role
from cleverdon.trec.words import counted, verb
from desk.core.needs import Need
from evaluation.core.scope import Scope
from overview.core.needs import is_complete
from overview.core.stages import Stage
from overview.facts import MemberFacts
from runs.access.runs import POOL_FROZEN, check_takes_runs


@dataclass(frozen=True)
class NextStep:
    """The next step in one role, and the page for it."""

    role: str
    sentence: str
    view: str
    is_urgent: bool = True
    act: str = "Open"
    run: int = 0  # whose page it is, in place of the view's


def next_steps(
    member: MemberFacts, stages: list[Stage], needs: Sequence[Need] = ()
) -> list[NextStep]:
    """Return the steps of each role; stages and needs are for organizers."""
    steps = []
    if Role.ORGANIZER in member.roles:
        steps += _organizer(stages, needs)
    if Role.ASSESSOR in member.roles:
        steps.append(_assessor(member))
    if Role.PARTICIPANT in member.roles:
        steps += _participant(member)
    return steps


def _organizer(stages: list[Stage], needs: Sequence[Need]) -> list[NextStep]:
    """Return the next stage and the other needs, or that the campaign is complete."""
    role = Role.ORGANIZER
    if is_complete(stages, needs):
        sentence = "The campaign is complete: see its leaderboard."
        view = "evaluation:leaderboard"
        return [NextStep(role, sentence, view, is_urgent=False, act="Leaderboard")]
    steps = [
        NextStep(role, each.next_step, each.view, bool(each.act), each.act or "See progress")
        for each in stages
        if each.is_next
    ]
    others = [each for each in needs if not each.is_stage]
    return steps + [NextStep(role, f"{each.title}.", each.view) for each in others]


def _assessor(member: MemberFacts) -> NextStep:
    view = "desk:judging"
    n_open = member.n_assigned - member.n_judged - member.n_cannot_judge
    if why := why_not_now(member.campaign, n_open):
        return NextStep(Role.ASSESSOR, why, view, is_urgent=False)
    if n_open:
        return NextStep(Role.ASSESSOR, _waiting(n_open, member.n_own_left), view, act="Judge")
    sentence = "No topic has been assigned to you yet."
    if member.n_assigned:
        sentence = "All your documents are judged. Thank you."
    if n := member.n_cannot_judge:
        judged = f"{member.n_judged:,} of {counted(member.n_assigned, 'document')} judged"
        sentence = f"Nothing is left to judge: {judged}, {n:,} cannot be judged. Thank you."
    return NextStep(Role.ASSESSOR, sentence, view, is_urgent=False)


def _waiting(n_open: int, n_own: int) -> str:
    """Say how many documents are left, those of shared topics as the most that may be."""
    shared = f"up to {n_open - n_own:,}"
    if not n_own:
        documents = "document" if n_open == 1 else "documents"
        return f"{shared.capitalize()} {documents} of shared topics can be judged by you."
    own = f"{counted(n_own, 'document')} {verb(n_own, 'is')} waiting for your judgment"
    return f"{own}, and {shared} in shared topics." if n_open > n_own else f"{own}."


def _participant(member: MemberFacts) -> list[NextStep]:
    """Return the runs and the scores, in this order while runs can be submitted."""
    check = partial(check_takes_runs, has_topics=member.has_topics, team=member.team)
    why = why_not(check, member.campaign)
    runs, scores = _runs(member, why), _scores(member)
    return [*scores, runs] if why else [runs, *scores]


def _runs(member: MemberFacts, why_closed: str) -> NextStep:
    role, view, campaign = Role.PARTICIPANT, "runs:runs", member.campaign
    n, n_invalid = member.n_valid, member.n_invalid
    of_round = f" of round {campaign.round}" if campaign.has_rounds else ""
    has = f"Your team has {counted(n, 'valid run') if n else 'no valid run'}{of_round}"
    has += "" if n else " yet"
    has += f"; {n_invalid:,} did not pass the check." if n_invalid else "."
    if why_closed:
        why = "" if campaign.archived_at else f"{why_closed} "
        return NextStep(role, why + has.replace(" yet", ""), view, is_urgent=False)
    at = deadline(campaign, member.team)
    until = f"Submission is open until {shown(campaign, at)}." if at else "Upload a run."
    if n_invalid:
        return NextStep(role, _faulty(member), view, act="Read why", run=member.fault_run)
    if member.is_pool_frozen:
        has += f" {POOL_FROZEN}"
    is_urgent = not n and not member.is_pool_frozen
    return NextStep(role, f"{until} {has}", view, is_urgent=is_urgent, act="Upload…")


def _faulty(member: MemberFacts) -> str:
    """Say what is wrong with the newest run that did not pass, and what the team has besides."""
    n, errors = member.n_valid, counted(member.fault_errors, "error")
    sentence = f"{member.fault_tag} has {errors}."
    if (others := member.n_invalid - 1) > 0:
        sentence += f" {counted(others, 'other run')} did not pass the check either."
    return f"{sentence} {counted(n, 'other run')} {verb(n, 'is')} valid." if n else sentence


def _scores(member: MemberFacts) -> list[NextStep]:
    """Return the scores of the team's own runs, to somebody who may not judge any more."""
    if not (n := member.n_scored) or may_still_judge(member.roles, member.campaign):
        return []
    runs = "run" if n == 1 else counted(n, "run")
    board = Scope.from_json(member.scope).name
    sentence, view = (
        f"The scores of your {runs} are out, against {board}.",
        "evaluation:leaderboard",
    )
    return [NextStep(Role.PARTICIPANT, sentence, view, is_urgent=False, act="Leaderboard")]
