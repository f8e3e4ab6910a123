"""The tables of states, and their diagrams."""

import pytest

from jobs.core import JOB_TRANSITIONS, diagram, sources
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


def test_the_states_of_a_run_are_drawn():
    lines = diagram(RUN_TRANSITIONS).splitlines()
    assert lines[:4] == [
        "stateDiagram-v2",
        "  [*] --> waiting",
        "  waiting --> checking",
        "  waiting --> unchecked",
    ]
    assert len(lines) == 2 + sum(map(len, RUN_TRANSITIONS.values()))


def test_the_states_of_a_job_are_drawn():
    assert (
        diagram(JOB_TRANSITIONS)
        == """\
stateDiagram-v2
  [*] --> waiting
  waiting --> running
  waiting --> failed
  running --> waiting
  running --> done
  running --> failed
  running --> refused
  done --> [*]
  failed --> waiting
  refused --> [*]"""
    )
