"""Numbers of topics as people write them, those in a row as a span."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from cleverdon.trec.ordering import natural_key
from cleverdon.trec.topics import ALL

DASH = "\N{EN DASH}"
# Hyphens and dashes of word processors, and the minus sign.
_DASHES = "[-\N{HYPHEN}-\N{HORIZONTAL BAR}\N{MINUS SIGN}]"
_SPACED_SPAN = re.compile(rf"(?<![^\s,])(\d{{1,9}})(\s*){_DASHES}(\s*)(\d{{1,9}})(?![^\s,])")


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
    """Return the topics that a text names, each once: numbers and spans, or the word all.

    Blanks, commas or both stand between them; blanks may stand in spans, commas in numbers that are
    known. ValueError names one that is not known.

    >>> read_numbers("3,1 - 2 b-9, c,d", ["1", "2", "3", "b-9", "c,d"])
    ['3', '1', '2', 'b-9', 'c,d']
    >>> read_numbers("All", ["1", "2"])
    ['1', '2']
    """
    every, found = set(known), dict[str, None]()
    plain = sorted((int(each), each) for each in known if _is_plain(each))
    left = plain.copy()  # what no span has named: each topic is taken once, however many spans
    for named in _words(text, every):
        if named in every:
            found[named] = None
        elif named.casefold() == ALL:
            found |= dict.fromkeys(known)
        elif _span(named, plain):
            span = _span(named, left)
            found |= dict.fromkeys(left[at][1] for at in span)
            del left[span.start : span.stop]
        else:
            raise ValueError(f"There is no topic {named[:40]}.")
    return list(found)


def _words(text: str, every: Collection[str]) -> Iterator[str]:
    """Yield what stands between blanks and commas, where commas are no part of a known number."""

    def closed_up(span: re.Match[str]) -> str:
        first, before, after, last = span.groups()
        dash = f"{'' if before else first}-{'' if after else last}"
        return span[0] if dash in every else f"{first}-{last}"

    most_commas = max((number.count(",") for number in every), default=0)
    for word in _SPACED_SPAN.sub(closed_up, text).split():
        parts, at = word.split(","), 0
        while at < len(parts):
            ends = range(min(len(parts), at + most_commas + 1), at, -1)
            joined = ((",".join(parts[at:end]), end) for end in ends)
            named, at = next((each for each in joined if each[0] in every), (parts[at], at + 1))
            if named:
                yield named


def _span(word: str, topics: Sequence[tuple[int, str]]) -> range:
    """Return where the topics from the first to the last of a span are; nowhere for other words."""
    first, _, last = re.sub(_DASHES, "-", word).partition("-")
    if not (_is_plain(first) and _is_plain(last)):
        return range(0)
    start, end = int(first), int(last) + 1
    return range(bisect_left(topics, (start, "")), bisect_left(topics, (end, "")))
