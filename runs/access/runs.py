"""Who may submit, see, withdraw and reinstate runs."""

from datetime import datetime
from functools import partial
from typing import cast

from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused, Verb, Verbs, can
from accounts.models import User
from campaigns.access.releases import is_released
from campaigns.access.roles import (
    Person,
    campaign_of,
    is_not_archived,
    member_roles,
    organizes,
    roles,
    team_of,
)
from campaigns.access.topics import check_topics_open, topics_of_round_are_shown
from campaigns.access.windows import check_submission_open, shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.releases import Release, in_force
from campaigns.models.rounds import deadline_of
from campaigns.models.trail import check_not_archived
from jobs.models import Job
from jobs.tasks import LOST_AFTER
from runs.models import Run, RunQuerySet

CHECK = "check_run"  # the kind of job
CAPITALS = "Capitals make no difference."
NOT_POOLED = (
    "is scored, but documents that only it found are not judged unless the organizers extend the "
    "pool. Judged@10 shows how many of its first ten are."
)
POOL_FROZEN = f"The pool is frozen. A run sent now {NOT_POOLED}"


def submits(user: User, campaign: Campaign) -> None:
    """Let organizers, and participants until their team's deadline, pass.

    Refuse before there are topics, and teams before they see these.
    """
    user_roles = member_roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        check_not_archived(campaign)
        check_has_topics(has_topics=campaign.topic_set.exists())
        return
    if Role.PARTICIPANT not in user_roles:
        raise NotYours(f"Only participants of {campaign} may submit runs.")
    check_takes_runs(campaign, has_topics=campaign.topic_set.exists(), team=team_of(user, campaign))


def check_takes_runs(campaign: Campaign, *, has_topics: bool, team: Team | None = None) -> None:
    """Refuse runs while submission is closed or the topics are hidden: a run's report names them.

    `has_topics` is an argument because home asks it of many campaigns in one query.
    """
    check_submission_open(campaign, team)
    check_topics_open(campaign)
    check_has_topics(has_topics=has_topics)


def is_late(campaign: Campaign, at: datetime) -> bool:
    """Tell whether the campaign's deadline has passed, whatever extensions there are."""
    closes_at = campaign.submission_closes_at
    return closes_at is not None and at >= closes_at


def check_has_topics(*, has_topics: bool) -> None:
    if not has_topics:
        raise Refused("Runs can be submitted once the organizer has imported the topics.")


def knows_runs(user: User, thing: object) -> None:
    """Let organizers and participants pass.

    It is asked before a run is looked up, so that an assessor does not learn which exist.
    Participants who also judge see the runs of their own team.
    """
    campaign = campaign_of(thing)
    if not {Role.ORGANIZER, Role.PARTICIPANT} & member_roles(user, campaign):
        raise NotYours("Runs are shown to organizers and to the teams that submitted them.")


def knows_run(user: User, run: Run) -> None:
    """Refuse another team's run, as if it did not exist."""
    if not Run.objects.visible_to(user, run.campaign).filter(pk=run.pk).exists():
        raise NotThere


def has_no_runs(user: Person, campaign: Campaign) -> None:
    """Refuse people with runs of their own, which are on another page."""
    if {Role.ORGANIZER, Role.PARTICIPANT} & roles(user, campaign):
        raise NotYours("Your own runs are listed elsewhere.")


def released_to(user: Person, campaign: Campaign) -> RunQuerySet:
    """Return the valid runs that releases to this person name; for organizers all valid ones.

    What was sent since is in none of them.
    """
    user_roles, runs = roles(user, campaign), Run.objects.filter(campaign=campaign)
    if Role.ORGANIZER not in user_roles:
        releases = in_force(campaign, user_roles, Release.What.RUNS)
        runs = runs.filter(releases__in=[each.pk for each in releases]).distinct()
    return runs.valid().select_related("team").order_by("team__name", "tag")


def may_download(user: Person, run: Run) -> None:
    """Let organizers, the run's team, and those to whom it is released, pass."""
    is_released = can(Runs.see_released, user, run.campaign)
    if not is_released or not released_to(user, run.campaign).filter(pk=run.pk).exists():
        Runs.see(cast("User", user), run)


def is_not_out(_: User, run: Run) -> None:
    """Refuse if it is withdrawn or disqualified already."""
    if run.is_out:
        raise Refused(f"Run {run} is {run.state} already.")


def is_out(_: User, run: Run) -> None:
    """Refuse if it is neither withdrawn nor disqualified."""
    if not run.is_out:
        raise Refused(f"Run {run} is neither withdrawn nor disqualified.")


def is_out_by_team(user: User, run: Run) -> None:
    """Refuse its team if an organizer has taken it out."""
    if Role.ORGANIZER not in roles(user, run.campaign) and not _is_out_by_team(run):
        raise Refused(
            f"An organizer has {run.state} run {run}, so only an organizer can reinstate it."
        )


def has_free_tag(user: User, run: Run) -> None:
    """Refuse if another live run, or one that the pool or a board names, has its tag."""
    others = Run.objects.with_tag(run.campaign, run.tag).live().exclude(pk=run.pk)
    if other := others.select_related("team").first():
        is_organizer = Role.ORGANIZER in roles(user, run.campaign)
        is_hidden = other.team_id != run.team_id and not is_organizer
        capitals = f" {CAPITALS}" if is_hidden or other.tag != run.tag else ""
        holder = _tag_holder(other, run, is_hidden=is_hidden)
        raise Refused(f"The tag {run.tag} is taken: {holder}{capitals}")


def _tag_holder(other: Run, run: Run, *, is_hidden: bool) -> str:
    """Name the run that has a tag; rival teams do not learn whose it is or how it is written."""
    if is_hidden:
        return "another team of this campaign has it."
    if other.team_id != run.team_id:
        return f"run {other} of team {other.team} has it."
    if other.is_named:
        where = "in the frozen pool" if other.is_pooled else "on a leaderboard"
        return f"run {other} of this team has it {where}. Choose another tag."
    return f"run {other} of this team has it. Withdraw that run first, or choose another tag."


def _is_out_by_team(run: Run) -> bool:
    if run.out_by is None or run.state == Run.State.DISQUALIFIED:
        return False
    return Role.ORGANIZER not in roles(run.out_by, run.campaign)


def is_in_time(user: User, run: Run) -> None:
    """Refuse its team once the deadline by which it was handed in has passed."""
    if Role.ORGANIZER not in roles(user, run.campaign):
        _check_round_is_open(run)


def _check_round_is_open(run: Run) -> None:
    """Refuse a team what was handed in by the deadline of its round, whatever is open since."""
    campaign, closed_at = run.campaign, deadline_of(run.campaign, run.round)
    is_past = closed_at is not None and closed_at <= timezone.now()
    when = f"closed on {shown(campaign, closed_at)}" if closed_at and is_past else "is over"
    ask = "ask the organizers if it has to change."
    if run.round != campaign.round:
        raise Refused(f"Round {run.round} {when}. Run {run} is of that round: {ask}")
    check_submission_open(campaign, run.team)
    if is_late(campaign, timezone.now()) and not is_late(campaign, run.submitted_at):
        raise Refused(f"Submission {when} for all. Run {run} was handed in by then: {ask}")


def may_change_team(_: User, run: Run) -> None:
    """Refuse if it is in the frozen pool or on a leaderboard."""
    _check_is_not_named(run, f"with team {run.team}")


def may_change_round(_: User, run: Run) -> None:
    """Refuse if it is in the frozen pool or on a leaderboard, or being checked."""
    _check_is_not_named(run, f"in round {run.round}")
    if run.state in {Run.State.WAITING, Run.State.CHECKING}:
        raise Refused(f"Run {run} is being checked: move it to another round after that.")


def _check_is_not_named(run: Run, stays: str) -> None:
    if run.is_named:
        where = "in the frozen pool" if run.is_pooled else "on a leaderboard"
        raise Refused(f"Run {run} is {where}, so it stays {stays}.")


def knows_its_topics(user: User, run: Run) -> None:
    """Refuse teams before the topics of its round are shown, which a report names."""
    topics_of_round_are_shown(user, run.campaign, run.round)


def may_be_checked(user: User, run: Run) -> None:
    """Refuse if it is out, or its check waits or is done by a worker that lives.

    One that could not be checked needs its tag.
    """
    if run.is_out:
        raise Refused(f"Run {run} is {run.state}: it is checked again once it is reinstated.")
    if run.is_settled:
        return
    jobs = Job.objects.unfinished().filter(kind=CHECK, subject_id=run.pk)
    if jobs.exclude(pk__in=Job.objects.silent(LOST_AFTER).values("pk")).exists():
        raise Refused(f"Run {run} is {run.state}: its check is on the way.")
    has_free_tag(user, run)


class Runs(Verbs):
    submit = Verb(submits)
    submit_for_teams = Verb(submits, organizes)
    see_list = Verb(knows_runs)
    see = Verb(knows_runs, knows_run)
    see_report = Verb(see, knows_its_topics)
    see_released = Verb(partial(is_released, Release.What.RUNS))
    see_only_released = Verb(has_no_runs, see_released)
    download = Verb(may_download)
    describe = Verb(see, is_in_time, is_not_archived)
    withdraw = Verb(see, is_in_time, is_not_out)
    reinstate = Verb(see, is_in_time, is_out, is_out_by_team, has_free_tag)
    disqualify = Verb(organizes, is_not_out)
    move_to_team = Verb(organizes, may_change_team)
    move_to_round = Verb(organizes, may_change_round)
    recheck = Verb(see, may_be_checked)
