"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from accounts.hook import Hook
from accounts.models import User
from campaigns.models.campaign import Campaign
from pooling.models.batches import Batch
from pooling.models.pools import Pool

# Raises `Refused` with what keeps the pool's last batch from being taken back.
CHECK_TAKING_BACK: Hook[[Batch], None] = Hook()
# What would go with it, in words: "3 assignments to 2 assessors".
DEPENDENTS: Hook[[Batch], list[str]] = Hook()
# Makes it go, in the transaction that takes the batch back.
REMOVE_DEPENDENTS: Hook[[User, Batch], None] = Hook()
# A batch has joined the pool, in the transaction that froze it.
GROWN: Hook[[Pool, Batch], None] = Hook()
# The official grades so far of these topics, by topic and docno: an adaptive strategy goes by them.
GRADES: Hook[[Campaign, Collection[str]], Mapping[str, Mapping[str, int]]] = Hook()
# Duplicates, by the ids of their items, have another original now or none: their grades go by it.
REGRADED: Hook[[Campaign, Collection[int]], None] = Hook()
# How many documents are left to be judged of each topic that is being judged, by its number.
N_LEFT: Hook[[Campaign], Mapping[str, int]] = Hook()


class Existing(NamedTuple):
    """Judgments that were not made here: what they are called, and `grades` by topic and docno."""

    name: str
    sha256: str
    grades: Callable[[], Mapping[str, Mapping[str, int]]]


# The judgments in use that may count in a pool, the newest first.
EXISTING: Hook[[Campaign], list[Existing]] = Hook()


def existing_judgments(campaign: Campaign) -> dict[str, Existing]:
    """Return the judgments that may count in a pool, by their hash."""
    return {each.sha256: each for found in EXISTING(campaign) for each in found}


def dependents_of(batch: Batch) -> list[str]:
    return [words for dependents in DEPENDENTS(batch) for words in dependents]
