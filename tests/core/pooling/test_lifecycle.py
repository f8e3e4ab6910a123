"""The states of a pool, drawn."""

from jobs.core import diagram
from pooling.core.lifecycle import BATCH_TRANSITIONS


def test_the_states_of_a_pool_are_drawn():
    assert (
        diagram(BATCH_TRANSITIONS)
        == """\
stateDiagram-v2
  [*] --> building
  building --> failed
  building --> built
  failed --> building
  built --> frozen
  frozen --> built"""
    )
