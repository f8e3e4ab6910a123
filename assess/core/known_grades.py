"""Known grades, read from a file in the format of qrels, with a line for each fault."""

import re
from collections.abc import Collection, Iterable, Sequence
from io import BytesIO
from typing import NamedTuple

from cleverdon.trec.qrels import STRICT, read_qrels
from cleverdon.trec.recognize import BEGINNING, not_qrels
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import MOST_TOLD, FormatError, brief

# A line that needs no closer look.
A_LINE = re.compile(rb"\s*(\S+)\s+\S+\s+(\S{1,255})\s+[+-]?[0-9]{1,9}\s*")


class KnownLine(NamedTuple):
    line: int
    topic: str
    docno: str
    grade: int


def read_known(content: bytes) -> tuple[list[KnownLine], list[FormatError]]:
    r"""Return the correct lines of a file, and the faults of the others and of repeated documents.

    After `MOST_TOLD` malformed lines the rest have an empty sentence.

    >>> read_known(b"1 0 d1 2\n")
    ([KnownLine(line=1, topic='1', docno='d1', grade=2)], [])
    >>> lines, faults = read_known(b"1 0 d1 yes\n1 0 d2 2\n1 d3\n")
    >>> lines, faults[1].line
    ([KnownLine(line=2, topic='1', docno='d2', grade=2)], 3)
    """
    lines = content.removesuffix(b"\n").split(b"\n")
    faults: dict[int, str] = {}
    try:
        read_qrels(BytesIO(content), layout=STRICT)
    except FormatError as first:
        if other := not_a_table(content[:BEGINNING]):
            return [], [FormatError(None, other)]
        if guess := not_qrels(content[:BEGINNING].decode(errors="replace")):
            return [], [FormatError(None, f"{first} {guess}")]
        if first.line is None:
            return [], [first]
        faults = _malformed(lines, first)
    found = []
    for line, text in enumerate(lines, 1):
        if line not in faults:
            topic, _, docno, grade = text.split()
            names = topic.decode(errors="replace"), docno.decode(errors="replace")
            found.append(KnownLine(line, *names, int(grade)))
    return found, [FormatError(line, why) for line, why in sorted(faults.items())]


def _malformed(lines: Sequence[bytes], first: FormatError) -> dict[int, str]:
    numbered = enumerate(lines, 1)
    wrong = [n for n, line in numbered if not (line.isascii() and A_LINE.fullmatch(line))]
    n_told, faults = 0, dict.fromkeys(wrong, "")
    for n in wrong:
        if why := _why_not(lines[n - 1]):
            faults[n], n_told = why, n_told + 1
        else:
            del faults[n]  # a grade with many zeros before it, say
        if n_told == MOST_TOLD:
            break
    return {first.line or 1: first.message, **_twice(lines, faults), **faults}


def _twice(lines: Sequence[bytes], wrong: Collection[int]) -> dict[int, str]:
    seen, found = dict[tuple[bytes, bytes], int](), dict[int, str]()
    for n, line in enumerate(lines, 1):
        if n in wrong:
            continue
        topic, _, docno, _ = line.split()
        earlier = seen.setdefault((topic, docno), n)
        if earlier != n:
            names = [brief(word.decode(errors="replace")) for word in (docno, topic)]
            which = "Document {} is judged twice for topic {}".format(*names)
            found[n] = f"{which}; it was on line {earlier:,}."
    return found


def _why_not(line: bytes) -> str:
    try:
        read_qrels(BytesIO(line + b"\n"), layout=STRICT)
    except FormatError as error:
        return error.message
    return ""


def faults_of(
    lines: Iterable[KnownLine],
    topics: Collection[str],
    docnos: Collection[str],
    grades: Collection[int],
) -> list[FormatError]:
    """Return the faults of lines whose topic, document or grade the campaign does not have.

    >>> [fault] = faults_of([KnownLine(3, "9", "d1", 7)], {"1"}, {"d1"}, [0, 1])
    >>> str(fault)
    'Line 3: The campaign has no topic 9, and 7 is not a grade of the scale.'
    """
    found = []
    for each in lines:
        wrong = [
            (each.topic not in topics, f"the campaign has no topic {brief(each.topic)}"),
            (each.docno not in docnos, f"document {brief(each.docno)} has not been imported"),
            (each.grade not in grades, f"{each.grade} is not a grade of the scale"),
        ]
        why = ", and ".join(sentence for is_so, sentence in wrong if is_so)
        if why:
            found.append(FormatError(each.line, f"{why[0].upper()}{why[1:]}."))
    return found
