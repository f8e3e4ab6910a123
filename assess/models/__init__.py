"""Judging: who judges which topic, in which order, and the judgments."""

from assess.models import assigning, controls, history, judging, serving, sharing  # noqa: F401
