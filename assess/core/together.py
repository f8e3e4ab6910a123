"""Duplicates served next to each other, where the first of them is."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def together(order: Sequence[T], groups: Iterable[Collection[T]]) -> list[T]:
    """Move the members of each group directly behind the first of them.

    No group has a member of another. Members that are not in the order are left out.

    >>> together(["a", "b", "c", "d", "e"], [["e", "b"], ["c", "x"]])
    ['a', 'b', 'e', 'c', 'd']
    """
    group_of = {member: n for n, group in enumerate(groups) for member in group}
    members: dict[int, list[T]] = defaultdict(list)
    for each in order:
        if each in group_of:
            members[group_of[each]].append(each)
    served: list[T] = []
    for each in order:
        # The others of a group are gone when their own places come.
        served += members.pop(group_of[each], ()) if each in group_of else (each,)
    return served
