"""The states of a run and of a job, and which may follow which, as tables."""

from collections.abc import Mapping

RUN_TRANSITIONS: Mapping[str, frozenset[str]] = {
    "waiting": frozenset({"checking", "withdrawn"}),
    "checking": frozenset({"valid", "invalid", "waiting"}),
    "valid": frozenset({"withdrawn"}),
    "invalid": frozenset({"withdrawn"}),
    "withdrawn": frozenset(),
}

JOB_TRANSITIONS: Mapping[str, frozenset[str]] = {
    "waiting": frozenset({"running"}),
    "running": frozenset({"done", "failed", "waiting"}),
    "done": frozenset(),
    "failed": frozenset({"waiting"}),
}


def sources(transitions: Mapping[str, frozenset[str]], target: str) -> list[str]:
    """Return the states from which `target` may be reached, for a conditional update.

    >>> sources(RUN_TRANSITIONS, "valid")
    ['checking']
    """
    return [state for state, targets in transitions.items() if target in targets]
