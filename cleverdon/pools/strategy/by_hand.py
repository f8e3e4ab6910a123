"""Documents that people name, with their reasons: no run brings them."""

from typing import Any

import numpy as np

from cleverdon.pools.strategy.parameters import Documents
from cleverdon.pools.strategy.record import Chosen, Strategy
from cleverdon.trec.words import counted

NAMED = Documents(
    "documents",
    "One document a line: topic, docno and why it is judged, such as “301 FT911-3 known item”.",
)


def _nothing(*_: Any, **__: Any) -> Chosen:
    return Chosen(np.array([], dtype=np.int64), np.array([], dtype=np.int64), ())


BY_HAND = Strategy(
    name="by-hand",
    title="Documents by hand",
    sentence="What you name, topic by topic, each with the reason.",
    sketch=". ...# . .....# ..# .",
    source="",
    parameters=(NAMED,),
    choose=_nothing,
    label=lambda documents: f"{counted(len(documents), 'document')} by hand",
    rule=lambda documents: "Documents that an organizer named",
    depths=lambda contributors, **_: np.zeros(len(contributors), dtype=np.int64),
    size=lambda counts, **_: np.zeros(len(counts), dtype=np.int64),
    reads_runs=False,
)
