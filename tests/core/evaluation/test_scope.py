"""A scope: its JSON, its hash, and how it is said."""

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.scope import MEANS_OVER, Scope

NUMBERS = st.integers(1, 5)
TAGS = st.lists(st.text(min_size=1, max_size=20), max_size=4)
SCOPES = st.builds(
    Scope,
    NUMBERS,
    without=st.none() | NUMBERS,
    round=st.none() | NUMBERS,
    split=st.sampled_from(["all", "public"]),
    topic_set=st.sampled_from(list(MEANS_OVER)),
    chosen=TAGS,
)


@given(SCOPES)
def test_a_scope_comes_back_from_its_json(scope):
    written = json.dumps(scope.to_json())
    assert Scope.from_json(json.loads(written)) == scope
    assert list(scope.to_json()) == sorted(scope.to_json())


@given(SCOPES, SCOPES)
def test_hashes_are_equal_just_where_scopes_are(one, other):
    assert (one.hash == other.hash) == (one == other) == (one.to_json() == other.to_json())


@given(SCOPES, st.randoms())
def test_neither_the_order_of_the_runs_nor_one_named_twice_makes_another_scope(scope, rng):
    shuffled = rng.sample(scope.chosen, len(scope.chosen))
    same = replace(scope, chosen=(*shuffled, *scope.chosen))
    assert (same, same.hash) == (scope, scope.hash)


@given(SCOPES, SCOPES)
def test_what_differs_in_topics_judgments_or_runs_differs_in_its_file_name(one, other):
    """But for the topics of means, which the file names besides."""
    alike = replace(one, topic_set="judged"), replace(other, topic_set="judged")
    names = [each.file_name() for each in alike]
    assert (names[0] == names[1]) == (alike[0] == alike[1])


@given(SCOPES)
def test_its_sentence_and_its_name_tell_each_part(scope):
    for said in (scope.sentence(), scope.name):
        assert f"qrels v{scope.qrels}" in said
        assert ("public topics" in said) == scope.is_partial
        assert ("hosen runs" in said) == bool(scope.chosen)
        assert ("without" in said) == bool(scope.without)
        assert (f"round {scope.round}" in said) == bool(scope.round)
    assert scope.has_all_judgments == (not {"without", "round", "split"} & set(scope.to_json()))


def test_the_hash_is_that_of_the_parts_that_are_not_as_usual():
    """So a part that is added later leaves the hashes of all before as they were."""
    assert Scope(2).to_json() == {"qrels": 2}
    assert Scope(2).hash == hashlib.sha256(b'{"qrels": 2}').hexdigest()


EVERYTHING = Scope(2, without=1, round=2, split="public", chosen=("b", "a"))


@pytest.mark.parametrize(
    ("scope", "name", "file_name"),
    [
        (Scope(2), "qrels v2", "qrels-v2"),
        (Scope(2, round=2), "qrels v2 in round 2", "qrels-v2-round-2"),
        (Scope(2, split="public"), "qrels v2 on the public topics", "qrels-v2-public-topics"),
        (Scope(2, without=1), "qrels v2 without v1 (withdrawn)", "qrels-v2-without-v1-withdrawn"),
        (
            EVERYTHING,
            "qrels v2 in round 2 without v1 (withdrawn) on the public topics for chosen runs (#)",
            f"qrels-v2-round-2-without-v1-withdrawn-public-topics-chosen-{EVERYTHING.hash[:8]}",
        ),
    ],
)
def test_names_of_a_scope_mark_versions_that_were_withdrawn(scope, name, file_name):
    name = name.replace("#", scope.hash[:8])
    assert (scope.named({1}), scope.file_name({1})) == (name, file_name)
    assert scope.name == name.replace(" (withdrawn)", "")


@given(SCOPES, SCOPES, st.integers(4, 5000))
def test_choices_of_runs_are_told_apart_wherever_they_are_named(one, other, n_available):
    """The number is told to those who see all runs: it is named with how many there are."""
    chosen = f"for {len(one.chosen)} of {n_available:,} runs ("
    assert (chosen in one.named(n_available=n_available)) == bool(one.chosen)
    assert chosen not in one.name
    if one.chosen != other.chosen:
        other = replace(one, chosen=other.chosen)
        assert one.name != other.name
        assert one.named(n_available=n_available) != other.named(n_available=n_available)


def test_its_sentence_is_its_name_and_what_means_are_over():
    scope = replace(EVERYTHING, topic_set="relevant")
    assert scope.sentence({1}) == (
        "Scored against qrels v2 in round 2 without v1 (withdrawn) on the public topics for chosen "
        f"runs ({scope.hash[:8]}); means over topics with a relevant document."
    )
