"""What can be released, what it is called and shows, and what a release keeps standing."""

from accounts.access import Refused
from campaigns.access.windows import shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.releases import Release
from campaigns.models.rounds import topics_in
from cleverdon.trec.words import counted, first_of, verb
from evaluation.access import MOST, check_is_round, check_stands
from evaluation.models.scores import Evaluation
from pooling.models.batches import Batch
from qrels.models import Qrels
from runs.models import Run

What, Audience = Release.What, Release.Audience
BY_VERSION = {What.QRELS, What.AGREEMENT}
# What is named one by one, by what each is called.
ONE_BY_ONE = {What.RUNS: "valid run", What.TOPICS: "topic"}


def named(release: Release) -> str:
    """Return what is released, as sentences begin: "Scores against qrels v2"."""
    what, key = release.what, _key(release)
    if what == What.SCORES:
        return f"Scores against {Evaluation.objects.get(pk=key).name}"
    if what == What.QRELS:
        return str(Qrels.objects.get(pk=key)).capitalize()
    if what == What.AGREEMENT:
        return f"Agreement as of {Qrels.objects.get(pk=key)}"
    if what == What.POOL:
        return f"Version {key} of the pool"
    of_round = f" of round {key}" if key else ""
    return f"{counted(len(names_of(release)), what.removesuffix('s'))}{of_round}"


def is_or_will_be(release: Release) -> str:
    if not release.is_in_force:
        return "will be"
    is_one = release.what in {What.POOL, What.AGREEMENT} or named(release).startswith("1 ")
    return "is" if is_one else "are"


def _key(release: Release) -> int:
    """Return the number that names what is released; 0, which nothing has, for none."""
    return release.subject_id or 0


def described(release: Release | None) -> str:
    """Return a release in words, by which a change of it is noticed; "" for none."""
    if release is None:
        return ""
    at = shown(release.campaign, release.from_at)
    which = f" ({release.subject_id})" if release.what in {What.SCORES, What.QRELS} else ""
    return f"{named(release)}{which} to {release.get_audience_display().lower()} from {at}"


def in_short(release: Release) -> str:
    """Return a release in words for a list of acts: from when, only if that is later."""
    later = "" if release.is_in_force else f" from {shown(release.campaign, release.from_at)}"
    return f"{named(release)} to {release.get_audience_display().lower()}{later}"


def released(campaign: Campaign, what: str) -> str:
    """Return in words who has something, or will have."""
    rows = campaign.releases.standing().filter(what=what).order_by("audience")
    return "; ".join(map(described, rows)) or "nothing"


def to_name(campaign: Campaign, what: str, number: int | None) -> set[int]:
    """Return the ids of the valid runs, or the topics, of a round or of all, as they are now."""
    if what == What.RUNS:
        rows = Run.objects.of_round(campaign, number).valid().values_list("pk", flat=True)
        return set(rows)
    topics = campaign.topic_set.all()
    if number is not None:
        topics = topics.filter(number__in=topics_in(campaign, number))
    return set(topics.values_list("pk", flat=True))


def names_of(release: Release) -> set[int]:
    """Return the ids of the runs or topics that a release names."""
    if release.what == What.RUNS:
        return set(release.runs.values_list("pk", flat=True))
    return set(release.topics.values_list("pk", flat=True))


def not_in(release: Release) -> str:
    """Say what a release does not show though it is there, as it came later; "" for nothing."""
    campaign = release.campaign
    if release.what in ONE_BY_ONE:
        n = len(to_name(campaign, release.what, None) - names_of(release))
        noun = f"other {ONE_BY_ONE[What(release.what)]}"
        return f"{counted(n, noun)} {verb(n, 'is')} not in it." if n else ""
    last = Batch.objects.frozen_of(campaign).first() if release.what == What.POOL else None
    is_later = last and last.version != release.subject_id
    return f"The pool is at version {last.version} now." if last and is_later else ""


def check_can_release(release: Release) -> None:
    """Refuse what cannot be released, or not to this audience; the campaign is locked."""
    CHECKS[What(release.what)](release)


def _check_scores(release: Release) -> None:
    finished = Evaluation.objects.finished(release.campaign)
    evaluation = finished.filter(pk=_key(release)).first()
    if evaluation is None:
        raise Refused("Choose the evaluation whose scores are to be released.")
    check_stands(evaluation.qrels)


def _check_version(release: Release) -> None:
    qrels = Qrels.objects.filter(campaign=release.campaign, pk=_key(release)).first()
    if qrels is None:
        raise Refused("Choose the version of the qrels that is to be released.")
    if release.what == What.AGREEMENT and qrels.is_imported:
        raise Refused(f"Qrels v{qrels.number} were imported: their judgments are not here.")
    check_stands(qrels)


def _check_pool(release: Release) -> None:
    frozen = Batch.objects.frozen_of(release.campaign)
    if not frozen.filter(version=_key(release)).exists():
        raise Refused("Choose the version of the pool that is to be released.")


def _check_names(release: Release) -> None:
    campaign, number = release.campaign, release.subject_id
    if (release.what, release.audience) == (What.TOPICS, Audience.PARTICIPANTS):
        raise Refused("The teams see the topics from the date in the settings: change it there.")
    check_is_round(campaign, number)
    if not to_name(campaign, release.what, number):
        raise Refused(f"There is no {ONE_BY_ONE[What(release.what)]} to release.")


CHECKS = {
    What.SCORES: _check_scores,
    What.QRELS: _check_version,
    What.AGREEMENT: _check_version,
    What.POOL: _check_pool,
    What.RUNS: _check_names,
    What.TOPICS: _check_names,
}


def check_is_other(before: Release | None, now: Release) -> None:
    """Refuse to release what people have already, or to hide it until something else is shown."""
    if before is None:
        return
    if _shows_the_same(before, now) and (
        before.from_at == now.from_at or (before.is_in_force and now.is_in_force)
    ):
        raise Refused(f"{described(before)}: this is so already.")
    if before.is_in_force and not now.is_in_force:
        raise Refused(
            f"{described(before)}: that would be hidden until {shown(now.campaign, now.from_at)}. "
            "Release this from now on, or take that back first."
        )


def teams_hidden(now: Release) -> str:
    """Say the runs of which teams a release would take off the leaderboard; "" for none.

    Teams look at what was released last, to them or to everybody.
    """
    if now.what != What.SCORES:
        return ""
    of_scores = now.campaign.releases.in_force().filter(what=What.SCORES)
    seen = [of_scores.to([Role.PARTICIPANT]).first()]
    if now.audience == Audience.EVERYBODY:
        seen.append(of_scores.to(()).first())
    shown = Team.objects.filter(run__evaluations__in=[each.subject_id for each in seen if each])
    kept = Team.objects.filter(run__evaluations=now.subject_id)
    hidden = shown.exclude(pk__in=kept.values("pk")).order_by("name").distinct()
    if not hidden:
        return ""
    return (
        f"The leaderboard would no longer show {now.get_audience_display().lower()} the runs of "
        f"{first_of([each.name for each in hidden], MOST)}: this board has none of theirs."
    )


def _shows_the_same(before: Release, now: Release) -> bool:
    if before.what not in ONE_BY_ONE:
        return before.subject_id == now.subject_id
    return names_of(before) == to_name(now.campaign, now.what, now.subject_id)


def reason_to_stand(qrels: Qrels) -> str:
    """Return why a version must not be withdrawn: a release that rests on it; or ""."""
    evaluations = Evaluation.objects.filter(qrels=qrels).values("pk")
    standing = qrels.campaign.releases.standing()
    scores = standing.filter(what=What.SCORES, subject_id__in=evaluations)
    found = scores.union(standing.filter(what__in=BY_VERSION, subject_id=qrels.pk))
    for release in found.order_by("audience"):
        audience = release.get_audience_display().lower()
        return (
            f"{named(release)} {is_or_will_be(release)} released to {audience}. "
            "Take that release back or release others; "
            f"then withdraw v{qrels.number}."
        )
    return ""
