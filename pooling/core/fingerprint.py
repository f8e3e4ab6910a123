"""A batch as lines of JSON, and the hash that identifies it: that of the file with these lines."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pooling.core.entries import Entry, Recipe, Standing

MOST_SEED = 2**63


def lines_of(
    recipe: Recipe,
    sha256: Mapping[Any, str],
    pool: Iterable[tuple[str, Iterable[Entry]]],
    judged: Mapping[str, Mapping[str, int]] | None = None,
    topics: Iterable[str] = (),
) -> Iterator[str]:
    """Yield the lines of a batch: how it was formed, then each document in the order chosen.

    `sha256` are the hashes of the contributing runs' files by the runs' keys; topics come in byte
    order. The first line is the recipe with the `topics` chosen, none for all, the files' hashes in
    order, and what an adaptive strategy was told of documents `judged` before; the others are
    topic, docno, why, its standing, every (number of the file among the hashes, rank) and, of those
    judged before, the grade, of duplicates the docno of the other. No tag and no order of upload is
    in them.
    """
    hashes = sorted(sha256.values())
    numbers = {key: hashes.index(each) for key, each in sha256.items()}
    told = {"judged": judged} if judged else {}
    yield _line({**vars(recipe), "topics": list(topics), "runs": hashes, **told})
    for topic, entries in pool:
        for docno, runs, ranks, reason, standing, grade, same_as in entries:
            places = sorted(zip(map(numbers.__getitem__, runs), ranks, strict=True))
            line = (topic, docno, reason, standing, places)
            has_more = standing in {Standing.JUDGED, Standing.DUPLICATE}
            yield _line((*line, same_as or grade) if has_more else line)


class Exported(NamedTuple):
    """What the first line says: how the batch is formed again, of runs by their hashes."""

    recipe: Recipe
    topics: list[str]
    hashes: list[str]
    judged: dict[str, dict[str, int]]


def read_first(line: bytes) -> Exported:
    """Read the first of `lines_of` a batch; ValueError with a sentence for anything else."""
    fault = ValueError("Line 1: This is not how a batch was formed.")
    try:
        how = json.loads(line)
        found = Exported(
            Recipe(
                how["strategy"],
                how["parameters"],
                how["seed"],
                how["order_rule"],
                how["existing"],
                how["joins_duplicates"],
            ),
            how["topics"],
            how["runs"],
            how.get("judged", {}),
        )
        recipe = found.recipe
        texts = [recipe.strategy, recipe.order_rule, recipe.existing, *found.topics, *found.hashes]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise fault from None
    seed: object = recipe.seed
    joins: object = recipe.joins_duplicates
    is_whole = isinstance(seed, int) and 0 <= seed < MOST_SEED and isinstance(joins, bool)
    if not is_whole or not all(isinstance(each, str) for each in texts):
        raise fault
    return found


def fingerprint(lines: Iterable[str]) -> str:
    """Return the SHA-256 of `lines_of` a batch, in hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
