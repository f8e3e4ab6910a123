"""Take an exported batch in: it is formed again from the same files, and has the same hash."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from pooling.core.fingerprint import Exported, read_first
from pooling.core.strategy.table import STRATEGIES
from runs.models import Run
from trec.ranking import ORDER_RULES
from trec.streams import storable

NOT_KNOWN = "The batch was formed by a strategy or an order rule that is not known here."


def choice_of(campaign: Campaign, content: bytes) -> tuple[list[Run], dict[str, Any]]:
    """Return the runs of an exported batch, and the fields with which it is formed again.

    Refused if its first line cannot be read, or names what the campaign does not have.
    """
    try:
        exported = read_first(content.partition(b"\n")[0])
    except ValueError as error:
        raise Refused(str(error)) from error
    recipe = exported.recipe
    if recipe.strategy not in STRATEGIES or recipe.order_rule not in ORDER_RULES:
        raise Refused(NOT_KNOWN)
    return _runs_with(campaign, exported.hashes), {
        "strategy": recipe.strategy,
        "parameters": _read(recipe.strategy, recipe.parameters),
        "order_rule": recipe.order_rule,
        "topics": _known(campaign, exported),
        "seed": recipe.seed,
        "existing_sha256": recipe.existing,
        "joins_duplicates": recipe.joins_duplicates,
        "judged": _checked(exported.judged),
        "expected_sha256": hashlib.sha256(content).hexdigest(),
    }


def _read(strategy: str, given: Any) -> dict[str, Any]:
    """Return parameters as their own fields would read them."""
    parameters = STRATEGIES[strategy].parameters
    if not isinstance(given, Mapping) or given.keys() != {each.name for each in parameters}:
        raise Refused("Line 1: The parameters are not those of the strategy.")
    read = {}
    for each in parameters:
        try:
            read[each.name] = each.read(each.written(given[each.name]))
        except (ValueError, TypeError, AttributeError) as error:
            raise Refused(f"Line 1: The parameter {each.name} cannot be read.") from error
    return read


def _runs_with(campaign: Campaign, hashes: Sequence[str]) -> list[Run]:
    """Return the valid runs whose files have these hashes, in their order."""
    valid = Run.objects.filter(campaign=campaign, sha256__in=map(storable, hashes)).valid()
    found = {run.sha256: run for run in valid.order_by("-pk")}
    for each in hashes:
        if each not in found:
            raise Refused(f"No valid run of this campaign has a file with the hash {each[:64]!r}.")
    return [found[each] for each in hashes]


def _known(campaign: Campaign, exported: Exported) -> list[str]:
    known = set(campaign.topic_set.values_list("number", flat=True))
    for topic in exported.topics:
        if topic not in known:
            raise Refused(f"There is no topic {topic[:40]!r} in this campaign.")
    return exported.topics


def _checked(judged: Any) -> dict[str, dict[str, int]]:
    """Return what an adaptive strategy was told, if that is what it is."""
    try:
        return {
            storable(topic): {storable(docno): int(bool(is_so)) for docno, is_so in own.items()}
            for topic, own in judged.items()
        }
    except (AttributeError, TypeError) as error:
        raise Refused("Line 1: What was judged before cannot be read.") from error
