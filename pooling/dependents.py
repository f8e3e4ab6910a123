"""What depends on a frozen pool. The apps above know it: each registers what to ask and what to do before a pool is unfrozen."""

from collections.abc import Callable
from typing import NamedTuple

from accounts.models import User
from pooling.models import Pool


class Dependent(NamedTuple):
    """An app's say in unfreezing a pool.

    `check` raises Refused with what forbids it, `described` returns what would go with it ("3 assignments to 2
    assessors"), and `remove` makes it go, in the transaction that unfreezes the pool.
    """

    check: Callable[[Pool], None]
    described: Callable[[Pool], list[str]]
    remove: Callable[[User, Pool], None]


_dependents: list[Dependent] = []


def register(dependent: Dependent) -> None:
    """Add an app's say, from its `ready`."""
    _dependents.append(dependent)


def check_nothing_forbids(pool: Pool) -> None:
    for dependent in _dependents:
        dependent.check(pool)


def described(pool: Pool) -> list[str]:
    """Return what goes when the pool is unfrozen, in words."""
    return [words for dependent in _dependents for words in dependent.described(pool)]


def remove(user: User, pool: Pool) -> None:
    for dependent in _dependents:
        dependent.remove(user, pool)
