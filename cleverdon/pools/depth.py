"""The depth pool of run files, without a campaign: what some run ranks so high."""

from collections.abc import Iterable, Iterator

from cleverdon.trec.runs.run import RankedRun

# Topic and docno; the bytes of a docno that are not UTF-8 are lone surrogates.
Pair = tuple[str, str]


def depth_pool(runs: Iterable[RankedRun], depth: int, order_rule: str) -> Iterator[Pair]:
    """Yield what some run ranks so high, by topic and docno as bytes."""
    pool: dict[str, set[bytes]] = {}
    for run in runs:
        for number, topic in enumerate(run.topics):
            pool.setdefault(topic, set()).update(run.top(number, depth, order_rule).tolist())
    for topic in sorted(pool, key=lambda name: name.encode(errors="surrogateescape")):
        for docno in sorted(pool[topic]):
            yield topic, docno.decode(errors="surrogateescape")
