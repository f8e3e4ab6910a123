"""What a strategy is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from cleverdon.pools.strategy.parameters import Parameter
from cleverdon.trec.arrays import Integers


class Chosen(NamedTuple):
    """Documents in the order chosen, as indices, and why: shape [k] each.

    `reasons` are indices of `names`. The last `n_left_out` are known to be in the population that
    was sampled, but were not drawn.
    """

    documents: Integers
    reasons: Integers
    names: tuple[str, ...]
    n_left_out: int = 0


@dataclass(frozen=True)
class Strategy:
    """A way to form a pool. The functions take its parameters by name.

    `choose(lists, *, judged, chance, …)` returns what is `Chosen` of one topic; `judged` are its
    documents' grades, -1 for unjudged ones, and only adaptive strategies read them.
    `depths(contributors, *, n_topics, n_known, …)` says how deep each run is read, [n_runs]; no
    topic has more than `n_known` documents that the batch leaves out because they are known.
    `size(counts, …)` returns how many documents to expect, at most, [n_topics], from how many have
    each best rank, [n_topics, depth]. `label` and `rule` say how a pool was formed, in short and as
    a sentence without its end; `title` names the strategy, `sentence` says what it takes, `sketch`
    draws that (see `pooling.core.pictures.sketch`), `source` is its paper.
    `bound` goes before the size where it is not exact: "At most", or "About" if chance decides.
    It `takes_all` if it chooses whatever runs have within their depths.
    """

    name: str
    title: str
    sentence: str
    sketch: str
    source: str
    parameters: tuple[Parameter, ...]
    choose: Callable[..., Chosen]
    label: Callable[..., str]
    rule: Callable[..., str]
    depths: Callable[..., Integers]
    size: Callable[..., Integers]
    bound: str = ""
    is_adaptive: bool = False
    reads_runs: bool = True
    takes_all: bool = False
