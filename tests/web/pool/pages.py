"""The pool's pages as text, and what is sent to them."""

import re

from cleverdon.pools.strategy.table import STRATEGIES
from pooling.models.batches import Batch

ONE, TWO = {"1": "d1 d2 d3", "2": "d4"}, {"1": "d3 d1 d6"}


def text(response) -> str:
    return " ".join(response.content.decode().split())


def chosen(page: str) -> list[str]:
    """The keys of the runs that are ticked."""
    return re.findall(r'name="runs" value="(\d+)" checked', page)


def choice(runs, *, strategy="depth", **values) -> dict[str, object]:
    """What the form sends; the parameters of a strategy go under names that begin with its own."""
    own = {each.name for each in STRATEGIES[strategy].parameters}
    named = {f"{strategy}-{name}" if name in own else name: each for name, each in values.items()}
    usual = {"strategy": strategy, "depth-depth": 2}
    return {"runs": [run.pk for run in runs], **usual, **named}


def at(base: str, batch: Batch) -> str:
    return f"{base}batches/{batch.pk}/"


def fragment(client, base: str, runs, *, method="get", **values) -> str:
    ask = getattr(client, method)
    answer = ask(f"{base}forecast/", choice(runs, **values), headers={"HX-Request": "true"})
    return text(answer)
