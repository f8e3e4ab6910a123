"""Words about numbers and things."""

from collections.abc import Sequence

# Verbs that do not only lose an "s".
OF_SEVERAL = {"has": "have", "is": "are", "was": "were", "carries": "carry", "does": "do"}


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "document"), counted(1200, "topic")
    ('1 document', '1,200 topics')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def verb(n: int, of_one: str) -> str:
    """Return the form of a verb that follows a number, from the one that follows 1.

    >>> verb(1, "waits"), verb(2, "waits"), verb(0, "has")
    ('waits', 'wait', 'have')
    """
    return of_one if n == 1 else OF_SEVERAL.get(of_one) or of_one.removesuffix("s")


def ordinal(n: int) -> str:
    """Write a place.

    >>> ordinal(1), ordinal(12), ordinal(23), ordinal(1111)
    ('1st', '12th', '23rd', '1,111th')
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{'th' if n % 100 in {11, 12, 13} else ending}"


def an(noun: str) -> str:
    """Return a noun with its article, by its first letter.

    >>> an("assessor"), an("participant of team Aldgate")
    ('an assessor', 'a participant of team Aldgate')
    """
    return f"{'an' if noun[:1] in set('aeiou') else 'a'} {noun}"


def first_of(names: Sequence[str], most: int) -> str:
    """List the first names and count the others.

    >>> first_of(["1", "4", "10"], 2), first_of(["1", "4"], 2)
    ('1, 4 and 1 more', '1, 4')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
