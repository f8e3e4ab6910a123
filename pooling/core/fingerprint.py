"""A batch as lines of JSON, and the hash that identifies it: that of the file with these lines."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cleverdon.pools.entries import Entry, Recipe, Standing
from cleverdon.trec.json_values import TooMuch, read_json
from cleverdon.trec.streams import FormatError, storable

MOST_SEED = 2**63
# Of a first line: topics, hashes of runs and what was judged before take less for 1,000 topics.
MOST_FIRST_BYTES, MOST_FIRST_VALUES = 2_000_000, 300_000


def _is_text(value: object) -> bool:
    return isinstance(value, str) and storable(value) == value


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_different(value: object) -> bool:
    return isinstance(value, list) and _are_texts(value) and len(set(value)) == len(value)


# What the fields of a first line hold, and how a sentence says it; the recipe's in its order.
RECIPE = ("strategy", "parameters", "seed", "order_rule", "existing", "joins_duplicates")
FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "strategy": (_is_text, "text"),
    "parameters": (lambda value: isinstance(value, dict), "an object"),
    "seed": (
        lambda value: type(value) is int and 0 <= value < MOST_SEED,
        "a whole number from 0 to 2^63 - 1",
    ),
    "order_rule": (_is_text, "text"),
    "existing": (_is_text, "text"),
    "joins_duplicates": (lambda value: isinstance(value, bool), "true or false"),
    "topics": (_are_different, "a list of topics, each named once"),
    "runs": (_are_texts, "a list of the hashes of files"),
}


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
    """Read the first of `lines_of` a batch; FormatError with a sentence for anything else."""
    if len(line) > MOST_FIRST_BYTES:
        raise FormatError(1, f"It is longer than {MOST_FIRST_BYTES:,} bytes.")
    try:
        how = read_json(line, most_bytes=MOST_FIRST_BYTES, most_values=MOST_FIRST_VALUES)
    except TooMuch as error:
        raise FormatError(1, str(error)) from error
    except ValueError:
        how = None
    if not isinstance(how, dict) or not how.keys() >= FIELDS.keys():
        raise FormatError(1, "This is not how a batch was formed.")
    for name, (is_so, what) in FIELDS.items():
        if not is_so(how[name]):
            raise FormatError(1, f"Its {name} must be {what}.")
    recipe = Recipe(*(how[name] for name in RECIPE))
    return Exported(recipe, how["topics"], how["runs"], _judged(how.get("judged", {})))


def _judged(sent: Any) -> dict[str, dict[str, int]]:
    """Return what an adaptive strategy was told; texts are kept as a database can hold them."""
    fault = FormatError(1, "What was judged before cannot be read.")
    if not isinstance(sent, dict) or not all(isinstance(own, dict) for own in sent.values()):
        raise fault
    told = {
        storable(topic): {storable(docno): is_so for docno, is_so in own.items()}
        for topic, own in sent.items()
    }
    answers = [is_so for own in told.values() for is_so in own.values()]
    if not all(isinstance(is_so, int) for is_so in answers):
        raise fault
    return {
        topic: {docno: int(bool(so)) for docno, so in own.items()} for topic, own in told.items()
    }


def fingerprint(lines: Iterable[str]) -> str:
    """Return the SHA-256 of `lines_of` a batch, in hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
