"""The hash of a pool."""

import pytest

from pooling.core.fingerprint import fingerprint
from pooling.core.forming import Entry, Recipe

HOW = Recipe("depth", {"depth": 2}, 7)
HASHES = {"a": "f1", "b": "e2"}
POOL = [
    ("1", [Entry("x", ("a",), (1,), "why"), Entry("y", ("a", "b"), (2, 1), "why")]),
    ("2", [Entry("x", ("b",), (1,), "why")]),
]
PUBLISHED = "4cdee4d1a82342e49a914c57e4517be4775fb163946c894dc00a45b47e14ca27"


def test_the_fingerprint_of_a_pool_is_what_it_was_when_it_was_published():
    assert fingerprint(HOW, HASHES, POOL) == PUBLISHED


def test_neither_keys_nor_orders_are_in_the_fingerprint():
    turned = [
        (
            topic,
            [Entry(docno, runs[::-1], ranks[::-1], why) for docno, runs, ranks, why in each[::-1]],
        )
        for topic, each in POOL
    ]
    assert fingerprint(HOW, dict(reversed(HASHES.items())), turned) == PUBLISHED
    numbers = {"a": 1, "b": 2}
    renamed = [
        (
            topic,
            [Entry(d, tuple(numbers[r] for r in runs), ranks, why) for d, runs, ranks, why in each],
        )
        for topic, each in POOL
    ]
    assert fingerprint(HOW, {1: "f1", 2: "e2"}, renamed) == PUBLISHED


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
    assert fingerprint(how, HASHES, POOL) != PUBLISHED


@pytest.mark.parametrize(
    "entry",
    [
        Entry("é", ("b",), (1,), "why"),
        Entry("x", ("a",), (1,), "why"),
        Entry("x", ("b",), (2,), "why"),
        Entry("x", ("b",), (1,), "another"),
    ],
)
def test_every_entry_is_in_the_fingerprint(entry):
    assert fingerprint(HOW, HASHES, [POOL[0], ("2", [entry])]) != PUBLISHED
    assert fingerprint(HOW, HASHES, [POOL[0], ("3", POOL[1][1])]) != PUBLISHED
    assert fingerprint(HOW, HASHES | {"b": "e3"}, POOL) != PUBLISHED
