"""Evaluation as TREC does it, without Django: for notebooks, and what the site stands on.

>>> from cleverdon import evaluate
>>> evaluate({"1": {"a": 1, "b": 0}}, {"1": {"b": 2.0, "a": 1.0}}, "AP").aggregate("AP")
0.5
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cleverdon.client.site import Client
    from cleverdon.measures.interface import Scored, evaluate

__all__ = ["Client", "Scored", "evaluate"]

if not TYPE_CHECKING:
    # The site imports the formats alone: whatever is here is imported when it is asked for.
    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        place = "client.site" if name == "Client" else "measures.interface"
        return getattr(import_module(f"cleverdon.{place}"), name)
