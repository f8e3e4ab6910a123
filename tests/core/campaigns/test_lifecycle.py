"""The tables of states lead nowhere but to states."""

import pytest

from campaigns.core.lifecycle import JOB_TRANSITIONS, RUN_TRANSITIONS, sources


@pytest.mark.parametrize("table", [RUN_TRANSITIONS, JOB_TRANSITIONS])
def test_transitions_lead_to_states_of_the_table(table):
    assert {target for targets in table.values() for target in targets} <= set(table)


def test_a_valid_run_was_checked():
    assert sources(RUN_TRANSITIONS, "valid") == ["checking"]
