"""Known grades, read from a file in the format of qrels, with a line for each fault."""

from collections.abc import Collection, Iterable
from io import BytesIO
from typing import NamedTuple

from assess.core.qrels import looks_like
from trec.qrels import read_qrels
from trec.streams import FormatError, readable
from trec.words import counted

# Faults that are named; the rest are counted.
NAMED = 8


class KnownLine(NamedTuple):
    """A line of the file, counted from 1."""

    line: int
    topic: str
    docno: str
    grade: int


def read_known(content: bytes) -> list[KnownLine]:
    r"""Return the lines of a file; FormatError for the first that is not as qrels are, with what the file looks like instead.

    >>> read_known(b"1 0 d1 2\n")
    [KnownLine(line=1, topic='1', docno='d1', grade=2)]
    """
    try:
        read_qrels(BytesIO(content))
    except FormatError as error:
        guess = looks_like(content)
        raise FormatError(error.line, f"{error.message} {guess}".strip()) from error
    found = []
    for line, text in enumerate(content.decode(errors="replace").split("\n"), 1):
        if text.strip():
            topic, _, docno, grade = text.split()
            found.append(KnownLine(line, topic, docno, int(grade)))
    return found


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
    if len(found) > NAMED:
        more = len(found) - NAMED
        found[NAMED:] = [f"{counted(more, 'more line')} cannot be taken."]
    return found
