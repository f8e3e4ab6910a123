"""Who may build, freeze, take back and delete batches of a pool, and in which state."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from accounts.access import Refused, Verb, Verbs
from accounts.models import User
from campaigns.access.releases import is_released
from campaigns.access.roles import Person, is_not_archived, organizes, roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force
from cleverdon.pools.entries import GRADED, Standing
from cleverdon.pools.lists import Contributors
from cleverdon.pools.strategy.sampling import SAMPLE
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.words import first_of
from jobs.models import Job
from pooling.from_above import CHECK_TAKING_BACK, existing_judgments
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.contributors import facts_of
from pooling.models.pools import Pool
from runs.models import Run

MAX_DRAFTS = 20
NO_RUNS = "A pool is formed from valid runs of this campaign: choose at least one."
OUTDATED = "The draft was built from runs that are no longer valid."
NOT_IN_USE = "The existing judgments that count in the draft are no longer in use."
NOT_OF_A_SAMPLE = (
    "A sample is judged document by document: existing judgments and duplicates cannot count in it."
)
NOT_FROZEN = "The batch is not frozen."
GONE = "The draft has been deleted meanwhile. Look at what there is now."
EMPTY = "The draft is empty: none of its runs has a document for a topic of this campaign."
NOTHING_NEW = "The draft is empty: the pool has all its documents already."


def batches_seen(user: Person, campaign: Campaign) -> BatchQuerySet:
    """Return the frozen batches that this person may see: of the version released, or all."""
    user_roles, batches = roles(user, campaign), Batch.objects.frozen_of(campaign)
    if Role.ORGANIZER in user_roles:
        return batches
    released = in_force(campaign, user_roles, Release.What.POOL)
    return batches.filter(version__lte=max((each.subject_id or 0 for each in released), default=0))


def is_not_released(_: User, batch: Batch) -> None:
    """Refuse while a release of the pool shows it, or will."""
    standing = batch.campaign.releases.standing().filter(what=Release.What.POOL)
    if release := standing.filter(subject_id__gte=batch.version).first():
        raise Refused(
            f"Version {release.subject_id} of the pool is released to "
            f"{release.get_audience_display().lower()}: take that release back first."
        )


def has_room_for_drafts(_: User, campaign: Campaign) -> None:
    """Refuse while there are too many drafts."""
    if Batch.objects.drafts_of(campaign).count() >= MAX_DRAFTS:
        raise Refused(f"There are {MAX_DRAFTS} drafts: delete one before you build another.")


def check_choice(campaign: Campaign, runs: Sequence[Run], how: Mapping[str, Any]) -> None:
    """Refuse runs that are not valid ones of the campaign, and settings that do not fit.

    `how` are the fields of the batch.
    """
    strategy, parameters = STRATEGIES[how["strategy"]], how["parameters"]
    existing = how.get("existing_sha256", "")
    if strategy is SAMPLE and (existing or how.get("joins_duplicates")):
        raise Refused(NOT_OF_A_SAMPLE)
    if existing:
        _check_existing(campaign, existing)
    if not strategy.reads_runs:
        _check_topics(campaign, parameters["documents"])
        return
    valid = [r for r in runs if r.campaign_id == campaign.pk and r.state == Run.State.VALID]
    if not runs or len(valid) < len(runs):
        raise Refused(NO_RUNS)
    try:
        contributors = Contributors.of(facts_of(runs), 0)
        strategy.depths(contributors, n_topics=1, n_known=0, **parameters)
    except ValueError as error:
        raise Refused(str(error)) from error


def _check_existing(campaign: Campaign, sha256: str) -> None:
    """Refuse judgments that are not in use, or have grades that the campaign has not."""
    existing = existing_judgments(campaign).get(sha256)
    if existing is None:
        raise Refused(NOT_IN_USE)
    scale = {grade.value for grade in campaign.scale.grades}
    grades = {grade for own in existing.grades().values() for grade in own.values()}
    if others := sorted(grades - scale):
        named = first_of([str(each) for each in others], 10)
        raise Refused(
            f"{existing.name} has grades that are not of the campaign's scale: {named}. "
            "Add them to the scale, or import the judgments without them."
        )


def _check_topics(campaign: Campaign, documents: Sequence[Sequence[str]]) -> None:
    known = set(campaign.topic_set.values_list("number", flat=True))
    for topic, docno, _ in documents:
        if topic not in known:
            raise Refused(f"There is no topic {topic[:40]} for {docno[:80]}.")


def has_texts_to_compare(_: User, campaign: Campaign) -> None:
    """Refuse while they are being looked for, or before a batch is formed."""
    last = Job.objects.about("find_duplicates", campaign.pk)
    if last and not last.is_finished:
        raise Refused("Duplicates are being looked for already.")
    if not Batch.objects.filter(campaign=campaign).n_by_topic(*GRADED):
        raise Refused("There are no documents to compare yet: form a batch of the pool first.")


def is_draft(_: User, batch: Batch) -> None:
    """Refuse if it is frozen."""
    if batch.is_frozen:
        raise Refused("A frozen batch cannot be deleted: take it back first.")


def is_built(_: User, batch: Batch) -> None:
    """Refuse if it is frozen already, or not built."""
    if batch.is_frozen:
        raise Refused(f"The batch ({batch}) is frozen already.")
    if batch.state == Batch.State.FAILED:
        raise Refused("The draft could not be built: try again, or form another.")
    if batch.state != Batch.State.BUILT:
        raise Refused("The draft is still being built. It can be frozen once it is complete.")


def has_documents(_: User, batch: Batch) -> None:
    """Refuse if it has no new documents."""
    if not any(batch.counts.get(each) for each in GRADED):
        raise Refused(NOTHING_NEW if batch.base else EMPTY)


def is_up_to_date(_: User, batch: Batch) -> None:
    """Refuse if its runs, its topics, texts or the pool have changed since it was built."""
    pool = Pool.objects.of(batch.campaign)
    if batch.base != (pool.version if pool else 0):
        raise Refused("The pool has changed since the draft was built: build it again.")
    gone = [str(each.run) for each in batch.contributors.no_longer_valid()]
    if gone:
        raise Refused(f"{OUTDATED[:-1]} ({', '.join(gone)}): build it again.")
    if batch.existing_sha256 and batch.existing_sha256 not in existing_judgments(batch.campaign):
        raise Refused(f"{NOT_IN_USE} Form another.")
    scale = [grade.value for grade in batch.campaign.scale.grades]
    judged = batch.entries.exclude(grade=None) if batch.counts.get(Standing.JUDGED) else None
    if judged is not None and judged.exclude(grade__in=scale).exists():
        raise Refused("Existing judgments have grades that the scale no longer has.")
    if batch.entries.filter(is_unlike=True).exists():
        raise Refused("Texts have been replaced since the draft was built: build it again.")
    if batch.entries.new().count() != batch.n_entries:
        raise Refused("Topics have been deleted since the draft was built: build it again.")


def is_last(_: User, batch: Batch) -> None:
    """Refuse if it is not the last batch of the pool."""
    if batch.pool is None:
        raise Refused(NOT_FROZEN)
    if batch.version != batch.pool.version:
        raise Refused("Only the last batch of the pool can be taken back.")


def carries_nothing(_: User, batch: Batch) -> None:
    """Refuse once something of it is judged, or published qrels name it."""
    CHECK_TAKING_BACK(batch)


class Pools(Verbs):
    see = Verb(partial(is_released, Release.What.POOL))
    see_duplicates = Verb(organizes)
    find_duplicates = Verb(organizes, is_not_archived, has_texts_to_compare)


class Batches(Verbs):
    see = Verb(organizes)
    build = Verb(organizes, is_not_archived, has_room_for_drafts)
    delete = Verb(organizes, is_draft)
    freeze = Verb(organizes, is_not_archived, is_built, is_up_to_date, has_documents)
    take_back = Verb(organizes, is_not_archived, is_last, is_not_released, carries_nothing)
