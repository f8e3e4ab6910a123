"""The stages of a campaign, from what it contains."""

import pytest

from overview.core.stages import stages
from tests.core.overview import campaigns

POOL = {"strategy": "depth", "parameters": {"depth": 5}}
JUDGED = {"n_topics": 3, "n_documents": 9, "n_valid": 2, "state": "frozen", "n_assigned": 9}
JUDGED |= POOL


def next_step(**facts: object) -> str:
    return next((s.next_step for s in stages(campaigns.facts(**facts)) if s.is_next), "")


def test_imported_qrels_need_no_pool_and_no_judging():
    facts = {"n_topics": 30, "n_valid": 143, "number": 5, "n_official": 69_318}
    assert next_step(**facts) == "Score the runs."
    draft = "The scores against qrels v5 are a draft: release them."
    assert next_step(**facts, scope={"qrels": 5}) == draft
    assert next_step(**facts, scope={"qrels": 5}, is_released=True) == ""
    # Who pools all the same is led through it.
    built = {**facts, **POOL, "state": "built", "n_documents": 1}
    assert next_step(**built) == "Check the pool and freeze it."


@pytest.mark.parametrize(
    ("n_impossible", "said"),
    [
        (0, "Qrels v2 are preliminary: 4 of 9 judgments."),
        (5, "The leaderboard rests on qrels v1. Qrels v2 are newer: score the runs again."),
    ],
)
def test_what_is_preliminary_or_behind_is_not_done(n_impossible, said):
    """Documents that could not be judged are decided."""
    facts = {"number": 2, "pool": 7, "n_official": 4, "n_unjudged": 5}
    found = next_step(**JUDGED, **facts, scope={"qrels": 1}, n_judged=9, n_impossible=n_impossible)
    assert found == said


@pytest.mark.parametrize("standing", [0, 1])
def test_a_board_by_withdrawn_qrels_needs_attention(standing):
    """Whether the version that stands is an earlier one, or there is none."""
    facts = campaigns.facts(number=standing, scope={"qrels": 2}, is_withdrawn=True)
    board = stages(facts)[-1]
    assert (board.state, board.detail) == ("attention", "by qrels v2, withdrawn")
    assert (
        board.next_step
        == "The leaderboard rests on qrels v2, which were withdrawn: score the runs again."
    )


def test_one_is_one():
    facts = {"n_assigned": 1, "number": 1, "pool": 7, "n_official": 1}
    *_, judgments, qrels, _ = stages(campaigns.facts(**facts, n_entries=1))
    assert judgments.next_step.startswith("0 of 1 document judged.")
    assert qrels.detail == "1 judgment"
