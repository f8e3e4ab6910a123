"""What the example needs of a topic, whoever parsed it."""

from typing import Protocol


class Topic(Protocol):
    """A topic's number and the fields that a system may search with."""

    @property
    def number(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def description(self) -> str: ...
