"""Take an exported batch back in, as a draft with the same hash."""

import hashlib
from collections.abc import Sequence

from accounts.access import Refused
from accounts.models import User
from campaigns.models.campaign import Campaign
from pooling.building import Formed, pooled_by_topic, save
from pooling.core.fingerprint import Exported, fingerprint, lines_of, read_lines
from pooling.core.forming import IN_POOL, Recipe
from pooling.core.strategy.table import STRATEGIES
from pooling.models.batches import Batch, Contributor
from pooling.models.pools import Pool
from runs.models import Run
from trec.ranking import ORDER_RULES
from trec.streams import FormatError


def imported(campaign: Campaign, content: bytes, user: User) -> Batch:
    """Return a draft of the batch that was exported as this file.

    Refused, with the line where there is one, if the file is not as it was exported, or if the
    campaign has not the same runs, topics and pool.
    """
    try:
        exported = read_lines(content.splitlines(keepends=True))
    except FormatError as error:
        raise Refused(str(error)) from error
    _check_is_known(campaign, exported)
    runs = _runs_with(campaign, exported.hashes)
    formed = {
        topic: [each._replace(runs=tuple(runs[n].pk for n in each.runs)) for each in entries]
        for topic, entries in exported.entries.items()
    }
    hashes = {run.pk: run.sha256 for run in runs}
    lines = lines_of(exported.recipe, hashes, formed.items(), exported.judged)
    if (sha256 := fingerprint(lines)) != hashlib.sha256(content).hexdigest():
        raise Refused("The file is not as it was exported: its hash is another.")
    _check_extends(campaign, formed)
    batch = _draft(campaign, exported, formed, sha256, user)
    Contributor.objects.bulk_create(
        Contributor(batch=batch, run=run, run_sha256=run.sha256) for run in runs
    )
    save(batch, formed, batch.reasons)
    return batch


def _check_is_known(campaign: Campaign, exported: Exported) -> None:
    recipe: Recipe = exported.recipe
    if recipe.strategy not in STRATEGIES or recipe.order_rule not in ORDER_RULES:
        raise Refused("The batch was formed by a strategy or an order rule that is not known here.")
    topics = set(campaign.topic_set.values_list("number", flat=True))
    for topic in exported.entries:
        if topic not in topics:
            raise Refused(f"There is no topic {topic[:40]} in this campaign.")


def _runs_with(campaign: Campaign, hashes: Sequence[str]) -> list[Run]:
    """Return the valid runs whose files have these hashes, in their order."""
    valid = Run.objects.filter(campaign=campaign, sha256__in=hashes).valid()
    found = {run.sha256: run for run in valid}
    for each in hashes:
        if each not in found:
            raise Refused(f"No valid run of this campaign has a file with the hash {each[:64]}.")
    return [found[each] for each in hashes]


def _check_extends(campaign: Campaign, formed: Formed) -> None:
    """Refuse a batch that says otherwise than the pool what the pool has."""
    pooled = pooled_by_topic(campaign)
    for topic, entries in formed.items():
        has = pooled.get(topic, set())
        for each in entries:
            says_pooled = each.reason == IN_POOL
            if says_pooled != (each.docno in has) and (each.is_new or says_pooled):
                raise Refused(f"The batch extends another pool: see {each.docno} of topic {topic}.")


def _draft(
    campaign: Campaign, exported: Exported, formed: Formed, sha256: str, user: User
) -> Batch:
    every = [each for entries in formed.values() for each in entries]
    pool = Pool.objects.of(campaign)
    return Batch.objects.create(
        campaign=campaign,
        base=pool.version if pool else 0,
        strategy=exported.recipe.strategy,
        parameters=exported.recipe.parameters,
        order_rule=exported.recipe.order_rule,
        seed=exported.recipe.seed,
        judged=exported.judged,
        state=Batch.State.BUILT,
        created_by=user,
        sha256=sha256,
        n_entries=sum(each.is_new for each in every),
        reasons=sorted({each.reason for each in every}),
    )
