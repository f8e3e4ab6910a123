"""The documents that preferences are about, as a universe to place runs in."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evaluation.core.universe import Universe
from trec.preferences import Preferences


@dataclass(frozen=True, eq=False)
class PreferenceUniverse(Universe):
    """Entries are the documents of the preferences, in their order; grades say nothing, all are 0."""

    preferences: Preferences | None = None

    @classmethod
    def by(cls, preferences: Preferences) -> Self:
        """Take the documents of preferences."""
        return cls(
            preferences.topics,
            preferences.offsets,
            preferences.docnos,
            np.zeros(len(preferences.docnos), dtype=np.int8),
            preferences=preferences,
        )
