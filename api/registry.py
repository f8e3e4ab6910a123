"""Which noun tells of the rows that services take and return."""

from typing import Any

from campaigns.noun import Noun

_BY_MODEL: dict[type, Noun] = {}


def register(noun: Noun) -> None:
    """Have a noun tell of the rows of its model: the first one that has it does."""
    if noun.model:
        _BY_MODEL.setdefault(noun.model, noun)


def noun_of(model: type) -> Noun | None:
    return _BY_MODEL.get(model)


def is_known(model: Any) -> bool:
    return model in _BY_MODEL
