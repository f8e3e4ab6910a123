"""The lines of a batch, and their hash."""

import json

import pytest

from cleverdon.pools.entries import Entry, Recipe
from pooling.core.fingerprint import fingerprint, lines_of, read_first

HOW = Recipe("depth", {"depth": 2}, 7)
HASHES = {"a": "f1", "b": "e2"}
POOL = [
    ("1", [Entry("x", ("a",), (1,), "why"), Entry("y", ("a", "b"), (2, 1), "why")]),
    ("2", [Entry("x", ("b",), (1,), "why")]),
]


def hash_of(how, hashes, pool) -> str:
    return fingerprint(lines_of(how, hashes, pool))


PUBLISHED = "2750006f8a3c9b9cb58b16bf12c5faded0d58def76f340436f8cd33cf6e9b165"


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
        Recipe("rrf", {"reading_depth": 2}, 7),
        Recipe("depth", {"depth": 3}, 7),
        Recipe("depth", {"depth": 2}, 8),
        Recipe("depth", {"depth": 2}, 7, "file-rank"),
        Recipe("depth", {"depth": 2}, 7, existing="ab12"),
        Recipe("depth", {"depth": 2}, 7, joins_duplicates=True),
    ],
)
def test_how_the_pool_was_formed_is_in_the_fingerprint(how):
    assert hash_of(how, HASHES, POOL) != PUBLISHED


@pytest.mark.parametrize(
    "change",
    [
        *({"docno": "é"}, {"runs": ("a",)}, {"ranks": (2,)}, {"reason": "another"}),
        *({"standing": "pooled"}, {"standing": "judged", "grade": 2}),
        {"standing": "duplicate", "same_as": "y"},
    ],
)
def test_every_entry_is_in_the_fingerprint(change):
    [entry] = POOL[1][1]
    assert hash_of(HOW, HASHES, [POOL[0], ("2", [entry._replace(**change)])]) != PUBLISHED
    assert hash_of(HOW, HASHES, [POOL[0], ("3", POOL[1][1])]) != PUBLISHED
    assert hash_of(HOW, HASHES | {"b": "e3"}, POOL) != PUBLISHED


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b'{"strategy": "depth"}'])
def test_a_first_line_that_is_none_is_told(line):
    with pytest.raises(ValueError, match="Line 1: This is not how a batch was formed"):
        read_first(line)


WRONG = {
    "strategy": [[]],
    "seed": ["1", -1, 2**63, True],
    "topics": [3, "1", ["1", "1"], {"1": 2}, ["\0"]],
    "runs": [[1], "ab", {"a": 1}],
    "order_rule": [None],
    "existing": [None, "\ud800"],
    "parameters": [[]],
    "joins_duplicates": [1],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_recipe_of_other_types_is_told(name):
    how = {**vars(HOW), "topics": [], "runs": []}
    assert read_first(json.dumps(how).encode()).recipe == HOW
    for value in WRONG[name]:
        with pytest.raises(ValueError, match=f"Line 1: Its {name} must be"):
            read_first(json.dumps({**how, name: value}).encode())


def test_the_first_line_is_read_back():
    [first, *_] = lines_of(HOW, HASHES, POOL, {"1": {"x": 1}}, ["1"])
    assert read_first(first.encode()) == (HOW, ["1"], ["e2", "f1"], {"1": {"x": 1}})
