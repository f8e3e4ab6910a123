"""Rows told apart by what they are for: each query says which of them it reads.

`objects` is of all rows, so that a query without a word for its purpose may see controls.
"""

from __future__ import annotations

from typing import Self, TypeVar

from django.db import models

from assess.core.purposes import ADJUDICATION, CONTROLS, COUNTING, INDEPENDENT, OFFICIAL, PRACTICE

M = TypeVar("M", bound=models.Model)


class ByPurpose(models.QuerySet[M]):
    """Entries and judgments, by their purpose."""

    def counting(self) -> Self:
        """Return what official figures and paces are made of."""
        return self.filter(purpose__in=COUNTING)

    def independent(self) -> Self:
        """Return what counts and was given without a look at anybody else's."""
        return self.filter(purpose__in=INDEPENDENT)

    def adjudication(self) -> Self:
        return self.filter(purpose=ADJUDICATION)

    def official(self) -> Self:
        """Return what official grades come from."""
        return self.filter(purpose__in=OFFICIAL)

    def served(self) -> Self:
        """Return those of assigned topics: what counts, and the controls mixed in."""
        return self.exclude(purpose=PRACTICE)

    def controls(self) -> Self:
        return self.filter(purpose__in=CONTROLS)

    def practice(self) -> Self:
        return self.filter(purpose=PRACTICE)
