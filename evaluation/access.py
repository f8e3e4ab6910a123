"""Who may see scores."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.access import NotThere, NotYours, Refused, can
from accounts.models import User
from assess.models import Qrels
from campaigns.access import (
    check_can_see_run,
    check_topics_shown,
    may_still_judge,
    memberships_of,
    roles,
    shown,
    who_may_yet_judge,
)
from campaigns.models import Campaign, Job, Role, Run
from evaluation.models import Evaluation

Person = User | AnonymousUser
# So many other teams hide each other's scores in a median.
FEWEST_OTHERS = 3


def check_can_see_scores(user: Person, campaign: Campaign) -> None:
    check_scores_shown(roles(user, campaign), campaign)


def check_can_see_scores_by_topic(user: Person, campaign: Campaign) -> None:
    """Refuse what names the topics for as long as the topics themselves are not shown."""
    check_can_see_scores(user, campaign)
    check_topics_shown(roles(user, campaign), campaign)


def check_scores_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    """Refuse scores to assessors while they may still judge, and to others until they are released.

    A public board is closed to visitors for as long: an assessor who signs out is one of them.
    """
    is_public = campaign.visibility == Campaign.Visibility.PUBLIC
    if not user_roles and not is_public:
        raise NotThere
    if Role.ORGANIZER in user_roles:
        return
    if may_still_judge(user_roles, campaign):
        raise NotYours("Scores are shown to assessors once judging has closed: they could sway a judgment.")  # fmt: skip
    if campaign.visibility == Campaign.Visibility.ORGANIZERS:
        raise NotYours("The organizer has not released the scores yet.")
    if Role.PARTICIPANT in user_roles:
        return
    if not is_public:
        raise NotYours("Scores are shown to organizers and to the teams that submitted runs.")  # fmt: skip
    check_nobody_judges(campaign)


def check_nobody_judges(campaign: Campaign) -> None:
    """Refuse the public board while somebody may still judge, or can still become an assessor: they are visitors until they join."""
    if who_may_yet_judge(campaign):
        raise NotYours("The scores are shown here once judging has closed.")


def sees_all_runs(user: Person, campaign: Campaign) -> bool:
    """Whether this person may know what rests on everybody's runs: a run's place, the pool's size, how much of it is judged.

    Who sees only their own runs may not, but for what `sees_spread` allows; what their own scores rest on, they are told all the same.
    """
    if campaign.visibility == Campaign.Visibility.PUBLIC:
        return True
    return Role.ORGANIZER in roles(user, campaign)


def sees_spread(user: Person, evaluation: Evaluation) -> bool:
    """Whether this person may know the worst, the median and the best of all runs on each topic, as TREC tells its participants.

    Of fewer teams than these would tell what one of them reached; baselines, which may be known, hide nobody.
    """
    if sees_all_runs(user, evaluation.campaign):
        return True
    others = evaluation.runs.filter(team__is_baseline=False)
    others = others.exclude(team_id__in=teams_of(user, evaluation.campaign))
    return others.values("team_id").distinct().count() >= FEWEST_OTHERS


def sees_run(user: Person, run: Run) -> bool:
    """Whether this person may see the run itself, and not only its scores: on a public board they are everybody's."""
    return isinstance(user, User) and can(check_can_see_run, user, run)


def teams_of(user: Person, campaign: Campaign) -> set[int]:
    """Return the ids of the teams that this person is in: their runs are marked as the reader's own."""
    members = memberships_of(user, campaign).filter(team__isnull=False)
    return set(members.values_list("team_id", flat=True))


def runs_shown(user: Person, campaign: Campaign) -> list[int]:
    """Return the ids of the runs whose scores this person may see."""
    if campaign.visibility == Campaign.Visibility.PUBLIC:
        runs = Run.objects.filter(campaign=campaign)
    elif isinstance(user, User):
        runs = Run.objects.visible_to(user, campaign)
    else:
        runs = Run.objects.none()
    return list(runs.values_list("pk", flat=True))


def check_can_score(qrels: Qrels, runs: Collection[Run]) -> None:
    """Refuse to score nothing, or against qrels that were withdrawn."""
    if not runs:
        raise Refused("There is no valid run to score.")
    qrels.refresh_from_db(fields=["withdrawn_at"])
    check_stands(qrels)


def check_stands(qrels: Qrels) -> None:
    if qrels.is_withdrawn:
        raise Refused(f"Qrels v{qrels.number} have been withdrawn. Choose another version, or reinstate this one.")  # fmt: skip


def check_is_new(qrels: Qrels, runs: Collection[Run], **choices: Any) -> None:
    """Refuse scores that are there already, or being computed; those that failed may be asked for again."""
    for equal in Evaluation.objects.equal_to(qrels, runs, **choices):
        if equal.finished_at:
            at = shown(qrels.campaign, equal.finished_at)
            raise Refused(f"These scores exist already: the evaluation against {equal.against} of {at} has the same runs, measures and rules.")  # fmt: skip
        job = Job.objects.about("score_runs", equal.pk)
        if job and not job.is_finished:
            raise Refused("These scores are being computed already.")
