"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from accounts.models import User
from pooling.models import Pool
from trec.hook import Hook

# Raises `Refused` with what keeps a pool from being unfrozen.
CHECK_UNFREEZING: Hook[[Pool], None] = Hook()
# What would go with it, in words: "3 assignments to 2 assessors".
DEPENDENTS: Hook[[Pool], list[str]] = Hook()
# Makes it go, in the transaction that unfreezes the pool.
REMOVE_DEPENDENTS: Hook[[User, Pool], None] = Hook()


def dependents_of(pool: Pool) -> list[str]:
    return [words for dependents in DEPENDENTS(pool) for words in dependents]
