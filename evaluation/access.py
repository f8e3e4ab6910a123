"""Who may see scores."""

from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, cast

from accounts.access import NotThere, Refused, Verb, Verbs, can
from accounts.models import User
from campaigns.access.releases import is_released
from campaigns.access.roles import Person, is_not_archived, memberships_of, organizes, roles
from campaigns.access.topics import topics_are_shown
from campaigns.access.windows import shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force
from campaigns.models.rounds import Round
from cleverdon.measures.family import Input, Measure
from cleverdon.measures.inferred import INFAP
from cleverdon.trec.words import counted, first_of
from evaluation.core.standing import FEWEST_TOPICS
from evaluation.models.scopes import EvaluationQuerySet
from evaluation.models.scores import Evaluation
from jobs.models import Job
from programs.access import Programs
from qrels.access import QrelsVersions
from qrels.models import Qrels
from qrels.samples import has_one_rate, rates
from runs.models import Run

if TYPE_CHECKING:
    from datetime import datetime

# With fewer other teams a median would tell their scores.
FEWEST_OTHERS = 3
MOST = 5  # tags in a sentence


def released_to(user: Person, campaign: Campaign) -> list[int]:
    """Return the ids of the evaluations released to this person, that of the board first."""
    releases = in_force(campaign, roles(user, campaign), Release.What.SCORES)
    return [each.subject_id for each in releases if each.subject_id]


def evaluations_shown(user: Person, campaign: Campaign) -> EvaluationQuerySet:
    """Return the evaluations that this person may open, newest first; organizers see drafts."""
    finished = Evaluation.objects.finished(campaign)
    if Role.ORGANIZER in roles(user, campaign):
        return finished
    return finished.filter(pk__in=released_to(user, campaign))


def front(user: Person, campaign: Campaign) -> Evaluation | None:
    """Return the evaluation that this person's leaderboard shows."""
    if Role.ORGANIZER in roles(user, campaign):
        return Evaluation.objects.front_first(campaign).first()
    released = released_to(user, campaign)
    finished = Evaluation.objects.finished(campaign).in_bulk(released)
    return next((finished[pk] for pk in released if pk in finished), None)


def releases_seen(user: Person, evaluation: Evaluation) -> list[Release]:
    """Return an evaluation's releases as a person knows them: organizers all, others their own."""
    user_roles = roles(user, evaluation.campaign)
    if Role.ORGANIZER in user_roles:
        return list(evaluation.releases)
    return list(evaluation.releases.in_force().to(user_roles))


def sees_all_runs(user: Person, evaluation: Evaluation) -> bool:
    """Whether this person may know a run's place, the pool's size and how much of it is judged.

    A team that sees only its own runs may know no more than `sees_spread` allows.
    """
    return evaluation.pk in seen_whole(user, evaluation.campaign, [evaluation])


def seen_whole(user: Person, campaign: Campaign, evaluations: Iterable[Evaluation]) -> set[int]:
    """Return the ids of the evaluations in which this person sees all runs."""
    shown_to = {each.pk for each in evaluations}
    if Role.ORGANIZER in roles(user, campaign):
        return shown_to
    public = in_force(campaign, (), Release.What.SCORES)
    return shown_to & {each.subject_id for each in public if each.subject_id}


def sees_spread(user: Person, evaluation: Evaluation) -> bool:
    """Whether this person may know the worst, median and best of all runs, as TREC's teams do.

    There must be enough other teams; baselines do not count, as their scores may be known.
    """
    teams = teams_of(user, evaluation.campaign)
    return sees_all_runs(user, evaluation) or hides_others(evaluation, teams)


def hides_others(evaluation: Evaluation, teams: Collection[int]) -> bool:
    """Whether the spread of all runs tells these teams nothing of any other team's."""
    others = evaluation.runs.filter(team__is_baseline=False).exclude(team_id__in=teams)
    return others.values("team_id").distinct().count() >= FEWEST_OTHERS


def runs_seen(user: Person, campaign: Campaign) -> set[int]:
    """Return the ids of the runs that this person may see themselves.

    On a public board everybody sees the scores of all.
    """
    if not isinstance(user, User):
        return set()
    return set(Run.objects.visible_to(user, campaign).values_list("pk", flat=True))


def sees_grades(user: Person, evaluation: Evaluation) -> bool:
    """Whether this person may see the grades of documents, and which were left out as judged."""
    return all(can(QrelsVersions.see, user, each) for each in evaluation.versions)


def counts_seen(user: Person, evaluation: Evaluation) -> dict[str, bool]:
    """Return which counts of runs this person may know: with grades all, or those on the board."""
    by_grades, shown = sees_grades(user, evaluation), set(evaluation.measures)
    return {
        "found": by_grades or shown >= {"NumRel", "NumRelRet"},
        "unjudged": by_grades or "Judged@10" in shown,
    }


def teams_of(user: Person, campaign: Campaign) -> set[int]:
    """Return the ids of this person's teams, whose runs are marked as the reader's own."""
    members = memberships_of(user, campaign).filter(team__isnull=False)
    return set(members.values_list("team_id", flat=True))


def runs_shown(user: Person, evaluation: Evaluation) -> list[int]:
    """Return the ids of the runs whose scores in an evaluation this person may see."""
    campaign = evaluation.campaign
    if sees_all_runs(user, evaluation):
        runs = Run.objects.filter(campaign=campaign)
    elif isinstance(user, User):
        runs = Run.objects.visible_to(user, campaign)
    else:
        runs = Run.objects.none()
    return list(runs.values_list("pk", flat=True))


def check_is_round(campaign: Campaign, number: int | None) -> None:
    if number is not None and number not in Round.objects.numbers(campaign):
        raise Refused(f"There is no round {number}.")


def boards_of_round(campaign: Campaign) -> str:
    """Return the boards of the current round, in words; "" for none."""
    n = Evaluation.objects.of(campaign).filter(scope__round=campaign.round).count()
    return counted(n, "evaluation") if n else ""


def check_can_score(asked: Evaluation, runs: Collection[Run]) -> None:
    """Refuse to score nothing, by what the qrels do not hold, or against withdrawn ones."""
    if not runs:
        raise Refused("There is no valid run to score.")
    lacking = sorted(set(asked.scope.chosen) - {each.tag for each in runs})
    if lacking:
        of_round = f" of round {asked.scope.round}" if asked.scope.round else ""
        raise Refused(f"There is no valid run{of_round} with the tag {first_of(lacking, MOST)}.")
    asked.qrels.refresh_from_db(fields=["withdrawn_at"])
    check_stands(asked.qrels)
    for measure in asked.parsed:
        _check_is_held(asked.qrels, measure)


def _check_is_held(qrels: Qrels, measure: Measure) -> None:
    """Refuse a measure that reads other judgments, or a sample of another kind."""
    reads = measure.family.reads
    if reads is Input.STRATA and not qrels.is_sample:
        raise Refused(f"{measure} reads a stratified sample; the pool of {qrels} is none.")
    if reads not in (Input.GRADES, Input.STRATA):
        raise Refused(
            f"{measure} reads {reads}; the qrels of a campaign hold one grade for each document."
        )
    if measure.family is INFAP and qrels.is_sample and not has_one_rate(qrels):
        at = ", ".join(f"{percent} %" for percent in rates(qrels))
        raise Refused(
            f"{measure} takes the pool for a sample at one rate, and that of {qrels} has several "
            f"({at}). Use xinfAP, which reads them."
        )


def check_stands(qrels: Qrels) -> None:
    if qrels.is_withdrawn:
        raise Refused(
            f"Qrels v{qrels.number} have been withdrawn. "
            "Choose another version, or reinstate this one."
        )


def is_large_enough(_: User, evaluation: Evaluation) -> None:
    """Refuse scores of too few topics or runs."""
    n_topics, n_runs = len(evaluation.topics), evaluation.runs.count()
    if n_topics < FEWEST_TOPICS or n_runs < 2:
        raise Refused(
            f"A study needs {FEWEST_TOPICS} topics and 2 runs; these scores are of "
            f"{counted(n_topics, 'topic')} and {counted(n_runs, 'run')}."
        )


def is_not_being_studied(_: User, evaluation: Evaluation) -> None:
    """Refuse while it is being computed."""
    check_is_idle("study", evaluation.pk, "The study of these scores")


def has_a_pool(_: User, evaluation: Evaluation) -> None:
    """Refuse if the qrels were imported, so that no pool explains them."""
    if evaluation.qrels.pool is None:
        raise Refused("These qrels were imported, so it is not known which run found a document.")


def is_not_being_left_out(_: User, evaluation: Evaluation) -> None:
    """Refuse while it is being computed."""
    check_is_idle("leave_out", evaluation.pk, "What runs score when left out")


def sees_programs(user: Person, evaluation: Evaluation) -> bool:
    """Whether somebody is told what programs do to a ranking: organizers, who have their labels."""
    return can(Programs.see, user, evaluation.campaign)


def keeps_judgments(_: User, evaluation: Evaluation) -> None:
    """Refuse if the qrels were imported, so that nobody's judgments are kept with them."""
    if not evaluation.qrels.judgments:
        raise Refused("These qrels were imported, so it is not known who judged a document.")


def is_not_being_varied(_: User, evaluation: Evaluation) -> None:
    """Refuse while it is being computed."""
    check_is_idle("vary_assessors", evaluation.pk, "What disagreement does to the ranking")


def stands(_: User, evaluation: Evaluation) -> None:
    """Refuse if the qrels have been withdrawn."""
    for qrels in evaluation.versions:
        qrels.refresh_from_db(fields=["withdrawn_at"])
        check_stands(qrels)


def check_is_idle(kind: str, subject_id: int, what: str) -> None:
    """Refuse a second job of this kind while one is at work."""
    job = Job.objects.about(kind, subject_id)
    if job and not job.is_finished:
        raise Refused(f"{what} is being computed already.")


class ExistsAlready(Refused):
    """The same scores were computed before."""

    def __init__(self, evaluation: Evaluation) -> None:
        at = shown(evaluation.campaign, cast("datetime", evaluation.finished_at))
        super().__init__(
            f"These scores exist already: the evaluation against {evaluation.name} of {at} "
            "has the same runs, measures and rules."
        )
        self.evaluation = evaluation


def check_is_new(asked: Evaluation, runs: Collection[Run]) -> None:
    """Refuse scores that exist or are being computed; those that failed may be requested again."""
    for equal in Evaluation.objects.equal_to(asked, (each.pk for each in runs)):
        # The job is read first, as it ends after its scores are stored.
        job = Job.objects.about("score_runs", equal.pk)
        equal.refresh_from_db(fields=["finished_at"])
        if equal.finished_at:
            raise ExistsAlready(equal)
        if job and not job.is_finished:
            raise Refused("These scores are being computed already.")


def is_shown_to(user: Person, evaluation: Evaluation) -> None:
    """Refuse scores that are not released to the person, as if they did not exist."""
    is_released(Release.What.SCORES, user, evaluation.campaign)
    if not evaluations_shown(user, evaluation.campaign).filter(pk=evaluation.pk).exists():
        raise NotThere


def shows_all_runs(user: Person, evaluation: Evaluation) -> None:
    """Refuse whoever does not see all runs, as if it did not exist."""
    if not sees_all_runs(user, evaluation):
        raise NotThere


def topics_are_shown_of(user: Person, evaluation: Evaluation) -> None:
    """Refuse teams and visitors before the topics are shown."""
    topics_are_shown(user, evaluation.campaign)


class Scores(Verbs):
    see = Verb(partial(is_released, Release.What.SCORES))
    see_by_topic = Verb(see, topics_are_shown)
    see_evaluation = Verb(is_shown_to)
    see_evaluation_by_topic = Verb(is_shown_to, topics_are_shown_of)
    see_computed = Verb(see_evaluation_by_topic, shows_all_runs)
    see_preliminary = request = review_pool = report = Verb(organizes)
    study = Verb(organizes, is_large_enough, stands, is_not_being_studied)
    leave_out = Verb(organizes, has_a_pool, stands, is_not_being_left_out)
    vary = Verb(organizes, keeps_judgments, stands, is_not_being_varied)


class Releases(Verbs):
    see = replace = take_back = Verb(organizes)
    make = Verb(organizes, is_not_archived)
