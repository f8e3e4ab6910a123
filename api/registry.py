"""Which noun tells of the rows that services take and return."""

from campaigns.noun import Noun

_BY_MODEL: dict[type, Noun] = {}
_BY_NAME: dict[str, Noun] = {}


def register(noun: Noun) -> None:
    """Have a noun tell of the rows of its model: the first one that has it does."""
    _BY_NAME[noun.name] = noun
    if noun.model:
        _BY_MODEL.setdefault(noun.model, noun)


def noun_of(model: type) -> Noun | None:
    return _BY_MODEL.get(model)


def every_noun() -> list[Noun]:
    """Return those that have addresses."""
    return list(_BY_NAME.values())
