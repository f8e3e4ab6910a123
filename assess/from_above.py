"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from trec.hook import Hook

# Called with a campaign's id once judgments in it are committed.
JUDGED: Hook[[int], None] = Hook()
