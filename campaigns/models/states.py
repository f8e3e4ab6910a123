"""Querysets of rows whose state changes only as a table allows."""

from typing import Any, ClassVar, TypeVar

from django.db import models

from campaigns.core.lifecycle import Transitions, sources

Model_co = TypeVar("Model_co", bound=models.Model, covariant=True)


class StateQuerySet(models.QuerySet[Model_co]):
    """Rows whose `state` follows `transitions`."""

    transitions: ClassVar[Transitions]

    def move(self, state: str, **changes: Any) -> int:
        """Change the state, and other columns, of the rows whose present state may lead to it; return how many.

        It is one statement: of two callers who move a row at the same time, one gets 0.
        """
        origins = sources(self.transitions, state)
        return self.filter(state__in=origins).update(state=state, **changes)
