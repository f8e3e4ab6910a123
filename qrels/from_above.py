"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from accounts.hook import Hook
from assess.core.records import Basis
from campaigns.models.campaign import Campaign
from qrels.models import Qrels


class Estimate(NamedTuple):
    """Grades by topic and docno, and as JSON what was estimated beside them.

    `counts` are those columns of a version that the grades do not tell: n_earlier, n_adjudicated
    and n_corrected.
    """

    grades: Mapping[str, Mapping[str, int]]
    found: dict[str, Any] | None = None
    counts: Mapping[str, int] = {}


class VersionBasis(NamedTuple):
    """Which grades a version can have.

    `key` is in the names of its files, `label` in the form, and `words` are its rule, which it
    keeps. `grades` makes them of the judgments that are kept with the version, or of what the
    campaign has besides; it raises Refused where there are none.
    """

    key: str
    label: str
    words: str
    grades: Callable[[Campaign, Basis], Estimate]


# Why a version cannot be withdrawn, in a sentence; "" for no reason.
WHY_NOT_WITHDRAW: Hook[[Qrels], str] = Hook()
