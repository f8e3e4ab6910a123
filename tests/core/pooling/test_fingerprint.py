"""The lines of a batch, and their hash."""

import pytest

from pooling.core.fingerprint import fingerprint, lines_of
from pooling.core.forming import Entry, Recipe

HOW = Recipe("depth", {"depth": 2}, 7)
HASHES = {"a": "f1", "b": "e2"}
POOL = [
    ("1", [Entry("x", ("a",), (1,), "why"), Entry("y", ("a", "b"), (2, 1), "why")]),
    ("2", [Entry("x", ("b",), (1,), "why")]),
]


def hash_of(how, hashes, pool) -> str:
    return fingerprint(lines_of(how, hashes, pool))


PUBLISHED = "c7a0d8b825bd2dedd458e2294dcaf79ccfb3a197efdd9f5189c7827ab3bd51bc"


def test_the_fingerprint_of_a_pool_is_what_it_was_when_it_was_published():
    assert hash_of(HOW, HASHES, POOL) == PUBLISHED


def test_neither_keys_nor_the_order_of_runs_are_in_the_fingerprint():
    turned = [
        (topic, [entry._replace(runs=entry.runs[::-1], ranks=entry.ranks[::-1]) for entry in each])
        for topic, each in POOL
    ]
    assert hash_of(HOW, dict(reversed(HASHES.items())), turned) == PUBLISHED
    numbers = {"a": 1, "b": 2}
    renamed = [
        (topic, [entry._replace(runs=tuple(numbers[run] for run in entry.runs)) for entry in each])
        for topic, each in POOL
    ]
    assert hash_of(HOW, {1: "f1", 2: "e2"}, renamed) == PUBLISHED


@pytest.mark.parametrize(
    "how",
    [
        Recipe("rrf", {"depth": 2}, 7),
        Recipe("depth", {"depth": 3}, 7),
        Recipe("depth", {"depth": 2}, 8),
        Recipe("depth", {"depth": 2}, 7, "file-rank"),
    ],
)
def test_how_the_pool_was_formed_is_in_the_fingerprint(how):
    assert hash_of(how, HASHES, POOL) != PUBLISHED


@pytest.mark.parametrize(
    "entry",
    [
        Entry("é", ("b",), (1,), "why"),
        Entry("x", ("a",), (1,), "why"),
        Entry("x", ("b",), (2,), "why"),
        Entry("x", ("b",), (1,), "another"),
        Entry("x", ("b",), (1,), "why", is_new=False),
    ],
)
def test_every_entry_is_in_the_fingerprint(entry):
    assert hash_of(HOW, HASHES, [POOL[0], ("2", [entry])]) != PUBLISHED
    assert hash_of(HOW, HASHES, [POOL[0], ("3", POOL[1][1])]) != PUBLISHED
    assert hash_of(HOW, HASHES | {"b": "e3"}, POOL) != PUBLISHED
