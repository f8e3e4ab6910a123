"""Tables of states and their successors; the first state is the initial one."""

from collections.abc import Mapping

Transitions = Mapping[str, frozenset[str]]

JOB_TRANSITIONS: Transitions = {
    "waiting": frozenset({"running", "failed"}),
    "running": frozenset({"done", "failed", "refused", "waiting"}),
    "done": frozenset(),
    "failed": frozenset({"waiting"}),
    "refused": frozenset(),
}


def sources(transitions: Transitions, target: str) -> list[str]:
    """Return the states that may change into `target`.

    >>> sources(JOB_TRANSITIONS, "waiting")
    ['running', 'failed']
    """
    return [state for state, targets in transitions.items() if target in targets]


def diagram(transitions: Transitions) -> str:
    """Draw the states for Mermaid, one transition a line, in the order of the table."""
    lines = ["stateDiagram-v2", f"  [*] --> {next(iter(transitions))}"]
    for state, targets in transitions.items():
        following = [other for other in transitions if other in targets]
        lines += [f"  {state} --> {target}" for target in following or ["[*]"]]
    return "\n".join(lines)
