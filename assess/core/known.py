"""Known grades, read from a file in the format of qrels, with a line for each fault."""

import re
from collections.abc import Collection, Iterable, Sequence
from io import BytesIO
from typing import NamedTuple

from assess.core.qrels import looks_like
from trec.qrels import read_qrels
from trec.streams import FormatError, readable
from trec.words import counted

# Faults that are named; the rest are counted.
NAMED = 8
# What is surely as it should be.
A_LINE = re.compile(rb"\s*(\S+)\s+\S+\s+(\S+)\s+[+-]?[0-9]{1,9}\s*")


class KnownLine(NamedTuple):
    """A line of the file, counted from 1."""

    line: int
    topic: str
    docno: str
    grade: int


def read_known(content: bytes) -> tuple[list[KnownLine], list[str]]:
    r"""Return the lines of a file; or none, and a sentence for each that is not as qrels are: the first ones, and how many more.

    >>> read_known(b"1 0 d1 2\n")
    ([KnownLine(line=1, topic='1', docno='d1', grade=2)], [])
    >>> read_known(b"1 0 d1 yes\n1 0 d2 2\n1 d3\n")[1][1]
    'Line 3: It has 2 columns; qrels have four: topic, 0, docno, grade.'
    """
    try:
        read_qrels(BytesIO(content))
    except FormatError as error:
        return [], _malformed(content, error)
    found = []
    for line, text in enumerate(content.decode(errors="replace").split("\n"), 1):
        if text.strip():
            topic, _, docno, grade = text.split()
            found.append(KnownLine(line, topic, docno, int(grade)))
    return found, []


def _malformed(content: bytes, first: FormatError) -> list[str]:
    """Say of each line why it is not as qrels are, and what the file looks like instead."""
    if guess := looks_like(content):
        return [f"{first} {guess}"]
    if first.line is None:
        return [str(first)]
    lines = content.removesuffix(b"\n").split(b"\n")
    wrong = {n for n, line in enumerate(lines, 1) if not A_LINE.fullmatch(line)}
    faults = {first.line: first.message, **_twice(lines, wrong)}
    n_said = 0
    for n in sorted(wrong):
        if why := _why_not(lines[n - 1]):
            faults[n], n_said = why, n_said + 1
        else:
            wrong.discard(n)  # a grade with many zeros before it, say
        if n_said == NAMED:
            break
    said = [str(FormatError(n, faults[n])) for n in sorted(faults)]
    return _first(said, len(faults.keys() | wrong))


def _twice(lines: Sequence[bytes], wrong: Collection[int]) -> dict[int, str]:
    """Return what there is to say of the lines that name a document of a topic once more."""
    seen, found = dict[tuple[bytes, bytes], int](), dict[int, str]()
    for n, line in enumerate(lines, 1):
        if n in wrong:
            continue
        topic, _, docno, _ = line.split()
        earlier = seen.setdefault((topic, docno), n)
        if earlier != n:
            found[n] = f"Document {docno.decode(errors='replace')} is judged twice for topic {topic.decode(errors='replace')}; it was on line {earlier:,}."  # fmt: skip
    return found


def _why_not(line: bytes) -> str:
    try:
        read_qrels(BytesIO(line + b"\n"))
    except FormatError as error:
        return error.message
    return ""


def _first(said: list[str], n: int) -> list[str]:
    """Return the first of n sentences about lines, and how many there are more."""
    if n <= NAMED:
        return said
    return [*said[:NAMED], f"{counted(n - NAMED, 'more line')} cannot be taken."]


def faults_of(
    lines: Iterable[KnownLine],
    topics: Collection[str],
    docnos: Collection[str],
    grades: Collection[int],
) -> list[str]:
    """Return a sentence for each line that the campaign has no topic, no document or no grade for; the first ones, and how many more.

    >>> faults_of([KnownLine(3, "9", "d1", 7)], {"1"}, {"d1"}, [0, 1])
    ['Line 3: The campaign has no topic 9, and 7 is not a grade of the scale.']
    """
    found = []
    for each in lines:
        wrong = [
            (each.topic not in topics, f"the campaign has no topic {readable(each.topic)}"),
            (each.docno not in docnos, f"document {readable(each.docno)} has not been imported"),
            (each.grade not in grades, f"{each.grade} is not a grade of the scale"),
        ]  # fmt: skip
        said = ", and ".join(sentence for is_so, sentence in wrong if is_so)
        if said:
            found.append(f"Line {each.line:,}: {said[0].upper()}{said[1:]}.")
    return _first(found, len(found))
