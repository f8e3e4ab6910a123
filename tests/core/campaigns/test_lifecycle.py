"""The tables of states; their diagrams are those of docs/states.md."""

import pytest

from jobs.core import JOB_TRANSITIONS, sources
from runs.core.lifecycle import OUT, RUN_TRANSITIONS


@pytest.mark.parametrize("table", [RUN_TRANSITIONS, JOB_TRANSITIONS])
def test_transitions_lead_to_states_of_the_table(table):
    assert {target for targets in table.values() for target in targets} <= set(table)


def test_a_run_is_neither_valid_nor_invalid_before_its_check():
    for state in ("valid", "invalid"):
        assert not {"waiting", "unchecked"} & set(sources(RUN_TRANSITIONS, state))


@pytest.mark.parametrize("out", OUT)
def test_a_run_can_be_taken_out_in_any_state_and_comes_back(out):
    inside = [state for state in RUN_TRANSITIONS if state not in OUT]
    assert sources(RUN_TRANSITIONS, out) == inside
    assert RUN_TRANSITIONS[out] == {"waiting", "valid", "invalid"}
