"""Numbers of topics as people write them, those in a row as a span."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence

from campaigns.core.ordering import natural_key

DASH = "\N{EN DASH}"


def spans(numbers: Collection[str]) -> str:
    """Write numbers of topics, those in a row as one span.

    >>> spans(["2", "1", "3", "7", "b9"]).replace(DASH, "-")
    '1-3, 7, b9'
    """
    rows: list[list[str]] = []
    for number in sorted(numbers, key=natural_key):
        if rows and _follows(rows[-1][-1], number):
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(row[0] if len(row) == 1 else f"{row[0]}{DASH}{row[-1]}" for row in rows)


def _follows(before: str, number: str) -> bool:
    return _is_plain(before) and _is_plain(number) and int(number) == int(before) + 1


def _is_plain(number: str) -> bool:
    return re.fullmatch("0|[1-9][0-9]{0,8}", number) is not None


def read_numbers(text: str, known: Sequence[str]) -> list[str]:
    """Return the topics that a text names, each once: numbers and spans, with blanks between them.

    ValueError names one that is not known.

    >>> read_numbers("3, 1-2 b-9", ["1", "2", "3", "b-9"])
    ['3', '1', '2', 'b-9']
    """
    every, found = set(known), dict[str, None]()
    plain = sorted((int(each), each) for each in known if _is_plain(each))
    left = plain.copy()  # what no span has named: each topic is taken once, however many spans
    for word in text.split():
        named = word if word in every else word.strip(",")
        if named in every:
            found[named] = None
            continue
        if not _span(named, plain):
            raise ValueError(f"There is no topic {named[:40]}.")
        span = _span(named, left)
        found |= dict.fromkeys(left[at][1] for at in span)
        del left[span.start : span.stop]
    return list(found)


def _span(word: str, topics: Sequence[tuple[int, str]]) -> range:
    """Return where the topics from the first to the last of a span are; nowhere for other words."""
    first, _, last = word.replace(DASH, "-").partition("-")
    if not (_is_plain(first) and _is_plain(last)):
        return range(0)
    start, end = int(first), int(last) + 1
    return range(bisect_left(topics, (start, "")), bisect_left(topics, (end, "")))
