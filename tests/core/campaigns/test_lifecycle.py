"""The tables of states, and their diagrams."""

import pytest

from campaigns.core.lifecycle import JOB_TRANSITIONS, RUN_TRANSITIONS, diagram, sources


@pytest.mark.parametrize("table", [RUN_TRANSITIONS, JOB_TRANSITIONS])
def test_transitions_lead_to_states_of_the_table(table):
    assert {target for targets in table.values() for target in targets} <= set(table)


def test_a_valid_run_was_checked():
    assert sources(RUN_TRANSITIONS, "valid") == ["checking"]


def test_the_states_of_a_run_are_drawn():
    assert (
        diagram(RUN_TRANSITIONS)
        == """\
stateDiagram-v2
  [*] --> waiting
  waiting --> checking
  waiting --> unchecked
  waiting --> withdrawn
  checking --> valid
  checking --> invalid
  checking --> unchecked
  checking --> withdrawn
  valid --> withdrawn
  invalid --> withdrawn
  unchecked --> checking
  unchecked --> withdrawn
  withdrawn --> [*]"""
    )


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
  done --> [*]
  failed --> waiting"""
    )
