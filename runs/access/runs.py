"""Who may submit runs, see them, and take them out."""

from collections.abc import Collection
from typing import cast

from django.contrib.auth.models import AnonymousUser

from accounts.access import NotThere, NotYours, Refused, can
from accounts.models import User
from campaigns.access.releases import check_released
from campaigns.access.roles import check_can_organize, check_topics_open, member_roles, roles
from campaigns.access.windows import check_submission_open
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.releases import Release
from campaigns.models.trail import check_not_archived
from runs.models import Run, RunQuerySet

CAPITALS = "Capitals make no difference."
NOT_POOLED = "will be scored on what others found; Judged@10 tells how much."
POOL_FROZEN = f"The pool is frozen: a run sent now {NOT_POOLED}"


def check_can_submit(user: User, campaign: Campaign) -> None:
    """Let participants submit while their team may, and organizers at any time: for a team, or baselines."""
    user_roles = member_roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        check_not_archived(campaign)
        check_has_topics(has_topics=campaign.topic_set.exists())
        return
    if Role.PARTICIPANT not in user_roles:
        raise NotYours(f"Only participants of {campaign} may submit runs.")
    check_takes_runs(campaign, has_topics=campaign.topic_set.exists(), team=team_of(user, campaign))


def team_of(user: User, campaign: Campaign) -> Team | None:
    """Return the team that the person submits runs for."""
    teams = Team.objects.filter(campaign=campaign, membership__user=user)
    return teams.filter(membership__role=Role.PARTICIPANT).first()


def check_is_of(user: User, team: Team) -> None:
    """Refuse somebody who is neither in the team nor an organizer, as after having been removed."""
    user_roles = roles(user, team.campaign)
    if Role.ORGANIZER not in user_roles and team_of(user, team.campaign) != team:
        raise NotYours(f"{user} does not submit runs for team {team} any more.")


def check_takes_runs(campaign: Campaign, *, has_topics: bool, team: Team | None = None) -> None:
    """Refuse runs from anybody, also before the topics are shown: the report of a run names them. The caller says whether there are topics: home asks for many campaigns in one query."""
    check_submission_open(campaign, team)
    check_topics_open(campaign)
    check_has_topics(has_topics=has_topics)


def check_has_topics(*, has_topics: bool) -> None:
    if not has_topics:
        raise Refused("Runs can be submitted once the organizer has imported the topics.")


def check_can_see_runs(user: User, campaign: Campaign) -> None:
    """Refuse every run to those who have none, before any is looked for: an assessor does not learn which there are.

    Participants who judge too see those of their team, which they know.
    """
    if not {Role.ORGANIZER, Role.PARTICIPANT} & member_roles(user, campaign):
        raise NotYours("Runs are shown to organizers and to the teams that submitted them.")


def check_can_see_run(user: User, run: Run) -> None:
    """Refuse another team's run as one that does not exist."""
    check_can_see_runs(user, run.campaign)
    if not Run.objects.visible_to(user, run.campaign).filter(pk=run.pk).exists():
        raise NotThere


def check_can_see_released_runs(user: User | AnonymousUser, campaign: Campaign) -> None:
    check_released(roles(user, campaign), campaign, Release.What.RUNS)


def check_only_released_runs(user_roles: Collection[str], campaign: Campaign) -> None:
    """Refuse those who have a page of runs of their own, and those to whom no run is released."""
    if {Role.ORGANIZER, Role.PARTICIPANT} & set(user_roles):
        raise NotYours("Your runs are on another page.")
    check_released(user_roles, campaign, Release.What.RUNS)


def released_of(campaign: Campaign) -> RunQuerySet:
    """Return the runs that are released once the campaign's are: the valid ones."""
    found = Run.objects.filter(campaign=campaign).valid()
    return found.select_related("team").order_by("team__name", "tag")


def check_can_download(user: User | AnonymousUser, run: Run) -> None:
    """Let those pass who may see the run, and those to whom the runs are released."""
    is_released = can(check_can_see_released_runs, user, run.campaign)
    if not is_released or not released_of(run.campaign).filter(pk=run.pk).exists():
        check_can_see_run(cast("User", user), run)


def check_can_withdraw(user: User, run: Run) -> None:
    """Let an organizer withdraw a run at any time, and its team while it may submit."""
    _check_can_move(user, run)
    if run.is_out:
        raise Refused(f"Run {run} is {run.state} already.")


def check_can_disqualify(user: User, run: Run) -> None:
    check_can_organize(user, run.campaign)
    if run.is_out:
        raise Refused(f"Run {run} is {run.state} already.")


def check_can_reinstate(user: User, run: Run) -> None:
    """Let an organizer take any run back in, and a team the one that it withdrew itself, while it may submit."""
    _check_can_move(user, run)
    if not run.is_out:
        raise Refused(f"Run {run} is neither withdrawn nor disqualified.")
    user_roles = roles(user, run.campaign)
    if Role.ORGANIZER not in user_roles and not _is_out_by_team(run):
        raise Refused(
            f"An organizer has {run.state} run {run}, so only an organizer can reinstate it."
        )
    check_tag_is_free(user, run)


def check_tag_is_free(user: User, run: Run) -> None:
    """Refuse a tag that another run has: a live one, or one that the frozen pool or a board names."""
    others = Run.objects.with_tag(run.campaign, run.tag).live().exclude(pk=run.pk)
    if other := others.select_related("team").first():
        is_hidden = other.team_id != run.team_id and not _organizes(user, run.campaign)
        capitals = f" {CAPITALS}" if is_hidden or other.tag != run.tag else ""
        has_it = _who_has(other, run, is_hidden=is_hidden)
        raise Refused(f"The tag {run.tag} is taken: {has_it}{capitals}")


def _who_has(other: Run, run: Run, *, is_hidden: bool) -> str:
    """Say which run has a tag. Which team's, and how it writes it, is not for its rivals."""
    if is_hidden:
        return "another team of this campaign has it."
    if other.team_id != run.team_id:
        return f"run {other} of team {other.team} has it."
    if other.is_named:
        where = "in the frozen pool" if other.is_pooled else "on a leaderboard"
        return f"run {other} of this team has it {where}. Choose another tag."
    return f"run {other} of this team has it. Withdraw that run first, or choose another tag."


def _organizes(user: User, campaign: Campaign) -> bool:
    return Role.ORGANIZER in roles(user, campaign)


def _is_out_by_team(run: Run) -> bool:
    if run.out_by is None or run.state == Run.State.DISQUALIFIED:
        return False
    return Role.ORGANIZER not in roles(run.out_by, run.campaign)


def _check_can_move(user: User, run: Run) -> None:
    check_can_see_run(user, run)
    if Role.ORGANIZER not in roles(user, run.campaign):
        check_submission_open(run.campaign, run.team)


def check_is_not_named(run: Run) -> None:
    """Refuse to give a run to another team once the pool or a board names it."""
    if run.is_named:
        where = "in the frozen pool" if run.is_pooled else "on a leaderboard"
        raise Refused(f"Run {run} is {where}, so it stays with team {run.team}.")


def check_can_describe(user: User, run: Run) -> None:
    """Let a run's team say how it was made, also after the deadline; and an organizer."""
    check_can_see_run(user, run)
    check_not_archived(run.campaign)


def check_can_recheck(user: User, run: Run) -> None:
    check_can_see_run(user, run)
    if not run.is_settled:
        raise Refused(f"Run {run} is {run.state}, so there is no report to renew.")
