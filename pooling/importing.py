"""Take an exported batch in: it is formed again from the same files, and has the same hash."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.ranking import ORDER_RULES
from cleverdon.trec.streams import FormatError
from pooling.core.fingerprint import MOST_FIRST_BYTES, Exported, read_first
from runs.models import Run

NOT_KNOWN = "The batch was formed by a strategy or an order rule that is not known here."

PIECE = 1 << 20


def choice_of(campaign: Campaign, file: BinaryIO) -> tuple[list[Run], dict[str, Any]]:
    """Return the runs of an exported batch, and the fields with which it is formed again.

    Refused if its first line cannot be read, or names what the campaign does not have. The others
    are not read: they tell by their hash whether the batch is formed as it was.
    """
    first = file.readline(MOST_FIRST_BYTES + 1)
    try:
        exported = read_first(first)
    except FormatError as error:
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
        "judged": exported.judged,
        "expected_sha256": _hash(first, file),
    }


def _read(strategy: str, given: Any) -> dict[str, Any]:
    """Return parameters as their own fields would read them."""
    parameters = STRATEGIES[strategy].parameters
    if not isinstance(given, Mapping) or given.keys() != {each.name for each in parameters}:
        raise Refused("Line 1: The parameters are not those of the strategy.")
    read = {}
    for each in parameters:
        fault = f"Line 1: The parameter {each.name} cannot be read"
        try:
            read[each.name] = each.read(each.written(given[each.name]))
        except ValueError as error:
            raise Refused(f"{fault}: {error}") from error
        except (TypeError, AttributeError) as error:
            raise Refused(f"{fault}.") from error
        if read[each.name] != given[each.name]:
            raise Refused(f"{fault}.")
    return read


def _runs_with(campaign: Campaign, hashes: Sequence[str]) -> list[Run]:
    """Return valid runs whose files have these hashes, another one for each, in their order."""
    found = defaultdict[str, list[Run]](list)
    for run in Run.objects.filter(campaign=campaign, sha256__in=hashes).valid().order_by("pk"):
        found[run.sha256].append(run)
    for each, n in Counter(hashes).items():
        if len(found[each]) < n:
            which = "No valid run" if n == 1 else f"Not {n} valid runs"
            have = "has a file" if n == 1 else "have files"
            raise Refused(f"{which} of this campaign {have} with the hash {each[:64]!r}.")
    return [found[each].pop() for each in hashes]


def _known(campaign: Campaign, exported: Exported) -> list[str]:
    known = set(campaign.topic_set.values_list("number", flat=True))
    for topic in exported.topics:
        if topic not in known:
            raise Refused(f"There is no topic {topic[:40]!r} in this campaign.")
    return exported.topics


def _hash(first: bytes, file: BinaryIO) -> str:
    digest = hashlib.sha256(first)
    while piece := file.read(PIECE):
        digest.update(piece)
    return digest.hexdigest()
