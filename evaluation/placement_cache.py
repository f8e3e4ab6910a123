"""Universes of frozen pools and the placements of runs in them, stored and cached in memory."""

import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import starmap

import numpy as np
from django.core.files import File
from django.db.models import QuerySet

from campaigns.models.rounds import topics_in
from cleverdon.measures.inputs.placements import Placements, place
from cleverdon.measures.inputs.residual import residual_judgments, residual_run
from cleverdon.measures.inputs.stored import open_placements, write_placements
from cleverdon.measures.inputs.strata import stratified
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Mask
from cleverdon.trec.mapped import DamagedFile
from cleverdon.trec.qrels import STRATIFIED, JudgedPairs, read_qrels
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.topics import PUBLIC
from evaluation.models.preliminary import Placement
from evaluation.models.scores import Evaluation
from jobs.storage import local_path
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool
from pooling.models.populations import Member, population
from qrels.models import Qrels
from qrels.samples import STRATA_LINE, with_grades
from runs.models import Run

# Of each a worker keeps this many in memory; versions of pools and runs do not change.
CACHE_SIZE = 4


def universe_of(pool: Pool) -> Universe:
    """Return the universe of a frozen pool, all of it unjudged."""
    return _universe(pool.pk, pool.sha256)


@lru_cache(CACHE_SIZE)
def _universe(pool_id: int, _: str) -> Universe:
    entries = PoolEntry.objects.with_grades().filter(batch__pool=pool_id)
    rows = entries.values_list("topic__number", "item__key")
    return Universe.from_rows((topic, docno, -1) for topic, docno in rows.iterator())


def placements_of(runs: Sequence[Run], pool: Pool, rules: str) -> list[Placements]:
    """Return the placements of each run in a pool, computing those that are not stored."""
    stored = {placement.run_id: placement for placement in _stored(runs, pool, rules)}
    return [_opened(stored.get(run.pk), run, pool, rules) for run in runs]


def are_placed(runs: Sequence[Run], pool: Pool, rules: str) -> bool:
    """Tell whether the placements of all these runs in a pool as it is now are stored."""
    return _stored(runs, pool, rules).count() == len(runs)


def _stored(runs: Sequence[Run], pool: Pool, rules: str) -> QuerySet[Placement]:
    rows = Placement.objects.filter(run__in=runs, pool=pool, rules=rules)
    return rows.filter(pool_sha256=pool.sha256)


def together(runs: Sequence[Run], pool: Pool, rules: str) -> tuple[Universe, Placements]:
    """Return a pool's universe and the placements of several runs in it as one, cached."""
    return universe_of(pool), _together(pool, pool.sha256, tuple(runs), rules)


# One alone: of 500 runs on 1,000 topics it takes a gigabyte, and each upload makes another.
@lru_cache(1)
def _together(pool: Pool, _: str, runs: tuple[Run, ...], rules: str) -> Placements:
    # A model's equality and hash are those of its key.
    return Placements.together(placements_of(runs, pool, rules))


def _opened(placement: Placement | None, run: Run, pool: Pool, rules: str) -> Placements:
    """Open the stored placements; if they are missing or damaged, place the run and store them."""
    if placement is not None:
        try:
            return open_placements(local_path(placement.file))
        except (DamagedFile, FileNotFoundError):
            pass  # made again below
    for former in Placement.objects.filter(run=run, pool=pool, rules=rules):
        former.file.delete(save=False)
        former.delete()
    placements = _placed(run, universe_of(pool), rules)
    with tempfile.TemporaryFile() as file:
        write_placements(placements, file)
        placement = Placement(run=run, pool=pool, pool_sha256=pool.sha256, rules=rules)
        placement.file.save("placements", File(file), save=False)
    name = placement.file.name
    Placement.objects.bulk_create([placement], ignore_conflicts=True)
    if not Placement.objects.filter(file=name).exists():  # another worker was first
        placement.file.delete(save=False)
    return placements


def _placed(run: Run, universe: Universe, rules: str) -> Placements:
    return place(_ranked(run, rules), universe, rules)


def _ranked(run: Run, rules: str) -> RankedRun:
    return run.ranked().under(rules)


def graded_of(asked: Evaluation) -> Universe:
    """Return the judgments that an evaluation asked for would rest on, by its scope."""
    campaign, scope = asked.campaign, asked.scope
    topics = campaign.topic_set.numbers_in(PUBLIC) if scope.is_partial else None
    if scope.round:
        of_round = topics_in(campaign, scope.round)
        topics = [each for each in of_round if topics is None or each in topics]
    return graded_by(asked.qrels, asked.without, topics)


def graded_by(
    qrels: Qrels, without: Qrels | None, topics: Collection[str] | None = None
) -> Universe:
    """Return the judgments (on these topics) but for documents judged in the version `without`."""
    return _part(_graded(qrels, qrels.sha256), without, topics)


def _part(graded: Universe, without: Qrels | None, topics: Collection[str] | None) -> Universe:
    if topics is not None:
        these = set(topics)
        kept = [n for n, topic in enumerate(graded.topics) if topic in these]
        if len(kept) < graded.n_topics:
            graded = graded.of_topics(np.array(kept, dtype=np.int64))
    if without is None:
        return graded
    return residual_judgments(graded, _graded(without, without.sha256))


@lru_cache(CACHE_SIZE)
def _graded(qrels: Qrels, _: str) -> Universe:
    return Universe.of(_pairs(qrels))


def _pairs(qrels: Qrels) -> JudgedPairs:
    with qrels.file.open("rb") as file:
        return read_qrels(file.file)


def _population_of(qrels: Qrels) -> Universe:
    """Return the judgments of a sample among the rest of its population, with the strata."""
    pool = qrels.pool
    return _population(qrels, qrels.sha256, pool.sha256 if pool else "")


@lru_cache(CACHE_SIZE)
def _population(qrels: Qrels, *_: str) -> Universe:
    return sampled(population(qrels.batches), qrels.grades())


def sampled(members: Iterable[Member], grades: Mapping[str, Mapping[str, int]]) -> Universe:
    """Return a population with its strata, and the grades of those that have one."""
    lines = "".join(starmap(STRATA_LINE.format, with_grades(members, grades)))
    return stratified(read_qrels(BytesIO(lines.encode()), layout=STRATIFIED))


def against(
    evaluation: Evaluation, runs: Sequence[Run], topics: Collection[str] | None = None
) -> tuple[Universe, list[Placements]]:
    """Return the universe of an evaluation, or of some topics, and the runs' placements in it.

    For the campaign's own qrels they are a part of those in the pool. Imported qrels may have
    documents that no pool has, and in the residual collection the ranks are others. Of a sample the
    universe has the whole population, unjudged where it was not drawn.
    """
    qrels, rules, without = evaluation.qrels, evaluation.rules, evaluation.without
    these = evaluation.topics if topics is None else topics
    if qrels.is_sample:
        graded = _part(_population_of(qrels), without, these)
    else:
        graded = graded_by(qrels, without, these)
    if without is not None:
        seen = _graded(without, without.sha256)
        left = (residual_run(_ranked(run, rules), seen) for run in runs)
        return graded, [place(each, graded, rules) for each in left]
    if qrels.pool is None or qrels.is_sample:
        return graded, [_placed(run, graded, rules) for run in runs]
    pooled, placed = universe_of(qrels.pool), placements_of(runs, qrels.pool, rules)
    if topics is None:
        kept = _judged_in(qrels.pool, qrels, tuple(these), qrels.pool.sha256, qrels.sha256)
    else:
        chosen = pooled.numbers_of(graded.topics)
        placed = [each.of_topics(chosen, pooled) for each in placed]
        pooled = pooled.of_topics(chosen)
        kept = pooled.entries_of(graded)
    return graded, Placements.all_within(placed, pooled, kept)


@lru_cache(CACHE_SIZE)
def _judged_in(pool: Pool, qrels: Qrels, topics: tuple[str, ...], *_: str) -> Mask:
    """Return which entries of a pool have a grade on these topics."""
    return universe_of(pool).entries_of(graded_by(qrels, None, topics))
