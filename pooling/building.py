"""Build a batch: form its documents from the stored runs, and write them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from cleverdon.pools.entries import Before, Entry, Standing, joined
from cleverdon.pools.forming import form, named
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.ranking import ORDER_RULES
from collection.models.items import Item
from collection.models.likeness import text_hashes
from jobs.work import CannotFinish
from pooling import access
from pooling.core.fingerprint import fingerprint, lines_of
from pooling.core.statistics import contributed, runs_read
from pooling.from_above import GRADES, existing_judgments
from pooling.models.batches import Batch
from pooling.models.contributors import facts_of
from pooling.models.entries import PoolEntry, PoolEntryQuerySet, Row
from runs.models import Run

Formed = Mapping[str, Sequence[Entry]]
Grades = Mapping[str, Mapping[str, int]]


def build(batch: Batch) -> tuple[dict[str, Any], Formed]:
    """Return what is known of a batch once it is built, and its entries by topic."""
    runs = [each.run for each in batch.contributors.select_related("run")]
    numbers = batch.campaign.topic_set.values_list("number", flat=True)
    topics = [number for number in numbers if not batch.topics or number in batch.topics]
    before = _before(batch, topics)
    formed = dict(_joined(batch, _formed(batch, runs, topics, before)))
    hashes = {run.pk: run.sha256 for run in runs}
    built = {
        "n_entries": sum(
            each.standing == Standing.NEW for entries in formed.values() for each in entries
        ),
        "judged": before.judged,
        "sha256": fingerprint(_lines(batch, hashes, formed.items(), before.judged)),
        "reasons": sorted({each.reason for entries in formed.values() for each in entries}),
        "n_swapped": _swapped(batch, runs, formed, before),
    }
    return built, formed


def _counts(formed: Mapping[int, Sequence[Entry]]) -> dict[str, dict[str, int]]:
    """Count entries by their standing and topic id; ids are text, as in JSON."""
    counts: dict[str, dict[str, int]] = {}
    for topic, entries in formed.items():
        for standing, n in Counter(each.standing for each in entries).items():
            counts.setdefault(standing, {})[str(topic)] = n
    return counts


def _before(batch: Batch, topics: Collection[str]) -> Before:
    pooled = docnos_by_topic(PoolEntry.objects.with_grades_in(batch.campaign))
    existing = _existing(batch, topics)
    return Before(pooled, _judged(batch, topics, existing), batch.base, existing)


def _existing(batch: Batch, topics: Collection[str]) -> Grades:
    """Return the existing judgments that count, by topic and docno."""
    if not batch.existing_sha256:
        return {}
    found = existing_judgments(batch.campaign).get(batch.existing_sha256)
    if found is None:
        raise CannotFinish(access.NOT_IN_USE)
    grades = found.grades()
    return {topic: grades[topic] for topic in topics if topic in grades}


def _judged(batch: Batch, topics: Collection[str], existing: Grades) -> dict[str, dict[str, int]]:
    """Return what an adaptive strategy is told: by topic and docno, whether it is relevant."""
    if not STRATEGIES[batch.strategy].is_adaptive:
        return {}
    if batch.expected_sha256:  # it says itself what it was told
        judged: dict[str, dict[str, int]] = batch.judged
        return judged
    level = batch.campaign.level
    [given] = GRADES(batch.campaign, topics) if batch.base else [{}]
    grades = {topic: {**existing.get(topic, {}), **given.get(topic, {})} for topic in topics}
    return {
        topic: {docno: int(grade >= level) for docno, grade in sorted(found.items())}
        for topic, found in sorted(grades.items())
        if found
    }


def _formed(
    batch: Batch, runs: Sequence[Run], topics: Collection[str], before: Before, order_rule: str = ""
) -> Iterator[tuple[str, list[Entry]]]:
    if not STRATEGIES[batch.strategy].reads_runs:
        return named(batch.parameters["documents"], topics, before)
    recipe = replace(batch.recipe, order_rule=order_rule or batch.order_rule)
    opened = {run.pk: run.ranked() for run in runs}
    return form(opened, facts_of(runs), topics, recipe, before)


def _joined(
    batch: Batch, formed: Iterable[tuple[str, list[Entry]]]
) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the topics with one document of each text to be judged, if the batch joins them."""
    if not batch.joins_duplicates:
        yield from formed
        return
    originals = PoolEntry.objects.with_grades_in(batch.campaign).filter(same_as=None)
    pooled = docnos_by_topic(originals)
    for topic, entries in formed:
        own = pooled.get(topic, set())
        hashes = text_hashes(batch.campaign, own.union(each.docno for each in entries))
        yield topic, list(joined(entries, hashes, own))


def docnos_by_topic(entries: PoolEntryQuerySet) -> dict[str, set[str]]:
    docnos: dict[str, set[str]] = {}
    for number, key in entries.values_list("topic__number", "item__key").iterator():
        docnos.setdefault(number, set()).add(key)
    return docnos


def _swapped(batch: Batch, runs: Sequence[Run], formed: Formed, before: Before) -> dict[str, int]:
    """Count, by name, the documents that each other order rule would bring in."""
    # Another order would have been judged otherwise.
    if before.judged or not STRATEGIES[batch.strategy].reads_runs:
        return {}
    has = {topic: {each.docno for each in entries} for topic, entries in formed.items()}
    return {
        rule: sum(
            each.standing in {Standing.NEW, Standing.UNDRAWN} and each.docno not in has[topic]
            for topic, entries in _formed(batch, runs, formed, before, rule)
            for each in entries
        )
        for rule in ORDER_RULES
        if rule != batch.order_rule
    }


def save(batch: Batch, formed: Formed, reasons: Sequence[str]) -> None:
    """Write the entries, and what each run contributed; in turn with imports of documents."""
    topics = dict(batch.campaign.topic_set.values_list("number", "pk"))
    if formed.keys() - topics.keys():
        raise CannotFinish("Topics were deleted while the draft was built: build it again.")
    items = Item.objects.of_documents(
        batch.campaign,
        (
            (topics[number], docno)
            for number, entries in formed.items()
            for each in entries
            for docno in (each.docno, each.same_as)
            if docno
        ),
    )
    numbers = {reason: n for n, reason in enumerate(reasons)}
    rows = (
        Row(
            batch.pk,
            topics[number],
            items[topics[number], each.docno],
            each.standing,
            each.grade,
            items.get((topics[number], each.same_as)),
            position,
            numbers[each.reason],
            each.runs,
            each.ranks,
        )
        for number, entries in formed.items()
        for position, each in enumerate(entries)
    )
    PoolEntry.objects.all().write(rows)
    n_missing = batch.entries.new().without_document().count()
    counts = _counts({topics[number]: entries for number, entries in formed.items()})
    Batch.objects.filter(pk=batch.pk).update(n_missing=n_missing, counts=counts)
    _note_contributions(batch, formed)


def _note_contributions(batch: Batch, formed: Formed) -> None:
    """Write what each run contributed, and which were read."""
    contributors = list(batch.contributors.all())
    chosen = [each.run_id for each in contributors]
    found, read = contributed(formed.values(), chosen), runs_read(formed.values(), chosen)
    runs = sorted(found)
    for each in contributors:
        each.is_read = each.run_id in read
        each.n_contributed, each.n_unique, shared = found[each.run_id]
        common = [shared.get(run, each.n_contributed) for run in runs]
        each.shared = np.array(common, dtype="<i4").tobytes()
    columns = ["is_read", "n_contributed", "n_unique", "shared"]
    batch.contributors.bulk_update(contributors, columns)


def lines_of_batch(batch: Batch) -> Iterator[str]:
    """Yield the lines of a built batch, whose hash is the batch's."""
    hashes = dict(batch.contributors.values_list("run", "run_sha256"))
    return _lines(batch, hashes, _entries_by_topic(batch), batch.judged)


def _lines(
    batch: Batch,
    hashes: Mapping[int, str],
    entries: Iterable[tuple[str, Iterable[Entry]]],
    judged: Mapping[str, Mapping[str, int]],
) -> Iterator[str]:
    return lines_of(batch.recipe, hashes, entries, judged, batch.topics)


def _entries_by_topic(batch: Batch) -> Iterator[tuple[str, Iterator[Entry]]]:
    ordered = batch.entries.order_by("topic__number", "position")
    columns = "topic__number", "item__key", "run_ids", "ranks", "reason", "standing", "grade"
    rows = ordered.values_list(*columns, "same_as__key").iterator()
    for topic, own in groupby(rows, key=itemgetter(0)):
        yield (
            topic,
            (
                Entry(docno, runs, ranks, batch.reasons[reason], standing, grade, same_as or "")
                for _, docno, runs, ranks, reason, standing, grade, same_as in own
            ),
        )
